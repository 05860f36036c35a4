/** Reading and trimming streams, and bounded logs; see `head.ts` and `readers.ts`. */
import { HEAD, once } from './head.ts'

/** An unused empty chain leaves the list of instances after this time. */
const FORGET_MS = 7 * 86_400_000

const GROUPS = `
local claims = base .. 'q:' .. args.stream .. '\\n' .. (args.group or '')
local function at(instance) return instance .. ':' .. args.stream end
local function claimed(instance) return unpack(redis.call('HMGET', claims, 'h' .. instance, 'u' .. instance, 'a' .. instance)) end
local function seqOf(id) return id and tonumber(string.match(id, '-(%d+)$')) or 0 end
local function after(a, b)
  if not b then return a end
  local am, as = string.match(a, '^(%d+)-(%d+)$')
  local bm, bs = string.match(b, '^(%d+)-(%d+)$')
  am, as, bm, bs = tonumber(am), tonumber(as), tonumber(bm), tonumber(bs)
  return (am > bm or (am == bm and as > bs)) and a or b
end
local function instances()
  local all = redis.call('SMEMBERS', base .. 'p:' .. args.stream)
  table.sort(all)
  return all
end
`

export const LOG_SCRIPTS = {
  read: `${HEAD}${GROUPS}
    local groups = base .. 'g:' .. args.stream
    if redis.call('SADD', groups, args.group) == 1 and args.from == 'end' then
      for _, instance in ipairs(instances()) do
        local newest = redis.call('XREVRANGE', base .. 's:' .. at(instance), '+', '-', 'COUNT', 1)[1]
        if newest then redis.call('HSET', claims, 'a' .. instance, newest[1]) end
      end
    end
    local wanted, positions = {}, {}
    for _, held in ipairs(args.held) do
      positions[held[1]] = held[2]
      table.insert(wanted, held[1])
    end
    if args.explore then
      for _, instance in ipairs(instances()) do
        if not positions[instance] then table.insert(wanted, instance) end
      end
    end
    local out, left = {}, args.max
    for _, instance in ipairs(wanted) do
      local holder, ends, acked = claimed(instance)
      if holder == args.consumer or not holder or tonumber(ends) <= now then
        redis.call('HSET', claims, 'h' .. instance, args.consumer, 'u' .. instance, now + args.leaseMs)
        local from = holder == args.consumer and positions[instance] or acked or ''
        if from == '' then from = acked or '' end
        local found = {}
        if left > 0 then
          local start = from == '' and '-' or '(' .. from
          for _, entry in ipairs(redis.call('XRANGE', base .. 's:' .. at(instance), start, '+', 'COUNT', left)) do
            table.insert(found, entry[1])
            table.insert(found, entry[2][2])
          end
        end
        left = left - #found / 2
        table.insert(out, { instance, from, found })
      end
    end
    return out`,

  ack: `${HEAD}${GROUPS}
    local ok = 1
    for _, held in ipairs(args.held) do
      local instance, cursor = held[1], held[2]
      local holder, _, acked = claimed(instance)
      if holder ~= args.consumer then
        ok = 0
      else
        redis.call('HSET', claims, 'u' .. instance, now + args.leaseMs)
        if cursor ~= '' then redis.call('HSET', claims, 'a' .. instance, after(cursor, acked)) end
      end
    end
    return ok`,

  leave: `${HEAD}${GROUPS}
    for _, instance in ipairs(args.held) do
      if claimed(instance) == args.consumer then redis.call('HDEL', claims, 'h' .. instance, 'u' .. instance) end
    end
    return 1`,

  scan: `${HEAD}
    local key, after = base .. 's:' .. args.at, some(args.after)
    local found
    if args.order == 'asc' then
      found = redis.call('XRANGE', key, after and '(' .. after or '-', '+', 'COUNT', args.limit)
    else
      found = redis.call('XREVRANGE', key, after and '(' .. after or '+', '-', 'COUNT', args.limit)
    end
    local out = {}
    for _, entry in ipairs(found) do
      table.insert(out, entry[1])
      table.insert(out, entry[2][2])
    end
    return out`,

  trim: `${HEAD}${GROUPS}
    local groups = redis.call('SMEMBERS', base .. 'g:' .. args.stream)
    table.sort(groups)
    local budget, removed, more, unread = args.max, 0, 0, {}
    for _, instance in ipairs(instances()) do
      local head, key = base .. 'c:' .. at(instance), base .. 's:' .. at(instance)
      local limit, acked = 9007199254740991, {}
      local keep, before = some(args.keep), some(args.before)
      if keep then limit = tonumber(redis.call('HGET', head, 's') or 0) - keep end
      for i, group in ipairs(groups) do
        acked[i] = seqOf(redis.call('HGET', base .. 'q:' .. args.stream .. '\\n' .. group, 'a' .. instance))
        if args.unread ~= 'drop' then limit = math.min(limit, acked[i]) end
      end
      local last, bytes = nil, 0 -- the id after the last record to go
      for _, entry in ipairs(redis.call('XRANGE', key, '-', '+', 'COUNT', budget + 1)) do
        local time, seq = string.match(entry[1], '^(%d+)-(%d+)$')
        seq = tonumber(seq)
        if seq > limit or (before and tonumber(time) >= before) then break end
        if budget == 0 then more = 1 break end
        budget, removed, bytes = budget - 1, removed + 1, bytes + #entry[2][2]
        last = time .. '-' .. int(seq + 1)
        for i in ipairs(groups) do if seq > acked[i] then unread[i] = (unread[i] or 0) + 1 end end
      end
      if last then
        redis.call('XTRIM', key, 'MINID', '=', last)
        redis.call('HINCRBY', head, 'b', -bytes)
      end
      -- The chains of processes that are long gone would pile up.
      local newest = tonumber(redis.call('HGET', head, 't') or 0)
      if now - newest > ${FORGET_MS} and redis.call('XLEN', key) == 0 then
        redis.call('SREM', base .. 'p:' .. args.stream, instance)
        for _, group in ipairs(groups) do
          local kept = base .. 'q:' .. args.stream .. '\\n' .. group
          redis.call('HDEL', kept, 'a' .. instance, 'h' .. instance, 'u' .. instance)
        end
      end
    end
    local out = { removed, more }
    for i, group in ipairs(groups) do
      if unread[i] then
        table.insert(out, group)
        table.insert(out, unread[i])
      end
    end
    return out`,

  stats: `${HEAD}${GROUPS}
    local groups = redis.call('SMEMBERS', base .. 'g:' .. args.stream)
    table.sort(groups)
    local totals, list, readers = { 0, 0, nil }, {}, {}
    for i, group in ipairs(groups) do readers[i] = { group, 0, nil } end
    for _, instance in ipairs(instances()) do
      local key = base .. 's:' .. at(instance)
      local seq, bytes = unpack(redis.call('HMGET', base .. 'c:' .. at(instance), 's', 'b'))
      seq = tonumber(seq or 0)
      local records = redis.call('XLEN', key)
      local oldest = redis.call('XRANGE', key, '-', '+', 'COUNT', 1)[1]
      local first = oldest and seqOf(oldest[1]) or seq + 1
      local function older(a, id)
        local time = id and tonumber(string.match(id, '^(%d+)-'))
        return time and (not a or time < a) and time or a
      end
      totals = { totals[1] + records, totals[2] + tonumber(bytes or 0), older(totals[3], oldest and oldest[1]) }
      for _, v in ipairs({ instance, records, seq }) do table.insert(list, v) end
      for i, group in ipairs(groups) do
        local acked = redis.call('HGET', base .. 'q:' .. args.stream .. '\\n' .. group, 'a' .. instance)
        local next = redis.call('XRANGE', key, acked and '(' .. acked or '-', '+', 'COUNT', 1)[1]
        readers[i][2] = readers[i][2] + seq - math.max(seqOf(acked), first - 1)
        readers[i][3] = older(readers[i][3], next and next[1])
      end
    end
    local out = { totals[1], totals[2], totals[3] or false, list, {} }
    for _, r in ipairs(readers) do
      local n = #out[5]
      out[5][n + 1], out[5][n + 2], out[5][n + 3] = r[1], r[2], r[3] or false
    end
    return out`,

  forget: `${HEAD}${GROUPS}
    redis.call('DEL', claims)
    redis.call('SREM', base .. 'g:' .. args.stream, args.group)
    return 1`,

  push:
    HEAD +
    once(`
    local key, count = base .. 'b:' .. args.log, base .. 'n:' .. args.log
    for i = 3, #ARGV do redis.call('LPUSH', key, ARGV[i]) end
    redis.call('LTRIM', key, 0, args.cap - 1)
    return int(redis.call('INCRBY', count, #ARGV - 2))`),

  recent: `${HEAD}
    local next = tonumber(redis.call('GET', base .. 'n:' .. args.log) or 0)
    local start = math.max(0, next - (some(args.cursor) or next))
    local found = redis.call('LRANGE', base .. 'b:' .. args.log, start, start + args.limit)
    return { next - start, found }`,
}
