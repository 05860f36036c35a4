/** Reservations and exchanges, as in `engine/holds.ts`; see `head.ts`. */
import { ID_MEMORY_MS, LATE_MS } from '../../ops.ts'
import { CHAIN } from './chain.ts'
import { HEAD } from './head.ts'
import { METERS } from './meters.ts'

const HOLDS = `
-- Hash of a hold: s state (o open, l lapsed, t late, c closed), p scopes, m marker, x end of lease or of memory, e when
-- the lease ran out, a first answer, o and r operation and answer of the last top-up, c claimed until, k and y call
-- that closed it and its answer. A scope is {key, meter, due or -1, parts}, a part {slice, held, charged}.
local function holdKey(id) return base .. 'h:' .. id end

local function load(id)
  local v = redis.call('HMGET', holdKey(id), 's', 'p', 'm', 'x', 'e')
  if not v[1] then return nil end
  if v[1] ~= 'o' and v[1] ~= 'l' and tonumber(v[4]) <= now then
    redis.call('DEL', holdKey(id))
    return nil
  end
  return { id = id, state = v[1], scopes = v[2] and cmsgpack.unpack(v[2]) or {}, marker = v[3], x = tonumber(v[4]), since = v[5] }
end

local function charge(hold, used)
  for _, scope in ipairs(hold.scopes) do
    local held = 0
    for _, part in ipairs(scope[4]) do held = held + part[2] end
    local rest
    if used then rest = used[scope[1]] or 0 elseif scope[3] >= 0 then rest = scope[3] else rest = held end
    for i, part in ipairs(scope[4]) do
      local amount = i == #scope[4] and rest or math.min(rest, part[2])
      rest = rest - amount
      local r = reading(scope[2])
      adjust(r, part[1], amount - part[3], hold.state == 'o' and -part[2] or 0)
      keep(r)
      part[3] = amount
    end
  end
end

local function states(hold, out)
  for _, scope in ipairs(hold.scopes) do state(out, scope[1], scope[2]) end
  return out
end

local function close(hold)
  local key = holdKey(hold.id)
  redis.call('DEL', key)
  redis.call('HSET', key, 's', 'c', 'x', now + ${ID_MEMORY_MS})
  redis.call('PEXPIREAT', key, now + ${ID_MEMORY_MS})
  redis.call('ZREM', base .. 'leases', hold.id)
  redis.call('ZREM', base .. 'lapsed', hold.id)
end

local function late(hold, since)
  local key, ends = holdKey(hold.id), since + ${LATE_MS}
  redis.call('HDEL', key, 'm', 'a', 'o', 'r', 'c')
  redis.call('HSET', key, 's', 't', 'p', cmsgpack.pack(hold.scopes), 'x', ends)
  redis.call('PEXPIREAT', key, ends)
  redis.call('ZREM', base .. 'lapsed', hold.id)
end

local function sweep()
  local leases = base .. 'leases'
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now, 'LIMIT', 0, 1000)) do
    redis.call('ZREM', leases, id)
    local hold = load(id)
    if hold and hold.state == 'o' then
      charge(hold, nil)
      if hold.marker then
        redis.call('HSET', holdKey(id), 's', 'l', 'p', cmsgpack.pack(hold.scopes), 'e', hold.x, 'c', '0')
        redis.call('ZADD', base .. 'lapsed', hold.x, id)
      else
        late(hold, hold.x)
      end
    end
  end
end
sweep()
`

export const HOLD_SCRIPTS = {
  begin: `${HEAD}${METERS}${HOLDS}${CHAIN}
    local refusal = fenced()
    if refusal then return { refusal } end
    local key = holdKey(args.id)
    local known = load(args.id)
    if known then
      if known.state ~= 'o' then return usage('CLOSED') end
      return { chain and chain.done and 'A' or 'S', unpack(cmsgpack.unpack(redis.call('HGET', key, 'a'))) }
    end
    local answer, taken = take(args.scopes)
    local marker = some(args.marker)
    if (taken and #taken > 0) or marker then
      local scopes = {}
      for i, part in ipairs(taken or {}) do
        local scope = args.scopes[i]
        scopes[i] = { scope.key, scope.meter, some(scope.due) or -1, { part } }
      end
      redis.call('HSET', key, 's', 'o', 'p', cmsgpack.pack(scopes), 'x', now + args.leaseMs, 'a', cmsgpack.pack(answer))
      if marker then redis.call('HSET', key, 'm', marker) end
      redis.call('ZADD', base .. 'leases', now + args.leaseMs, args.id)
    end
    return { append(), unpack(answer) }`,

  topUp: `${HEAD}${METERS}${HOLDS}
    local key = holdKey(args.id)
    local hold = load(args.id)
    if not hold or hold.state ~= 'o' then return usage('NOTOPEN') end
    local op, before = unpack(redis.call('HMGET', key, 'o', 'r'))
    if op == args.op then return cmsgpack.unpack(before) end
    local answer, taken = take(args.scopes)
    for i, part in ipairs(taken or {}) do
      local asked, scope = args.scopes[i], nil
      for _, s in ipairs(hold.scopes) do if s[2] == asked.meter then scope = s end end
      local due = some(asked.due)
      if not scope then
        table.insert(hold.scopes, { asked.key, asked.meter, due or -1, { part } })
      else
        if due then scope[3] = due end
        local same
        for _, p in ipairs(scope[4]) do if p[1] == part[1] then same = p end end
        if same then same[2] = same[2] + part[2] else table.insert(scope[4], part) end
      end
    end
    redis.call('HSET', key, 'p', cmsgpack.pack(hold.scopes), 'o', args.op, 'r', cmsgpack.pack(answer))
    return answer`,

  end: `${HEAD}${METERS}${HOLDS}${CHAIN}
    local refusal = fenced()
    if refusal then return { refusal } end
    local hold = load(args.id)
    local key = holdKey(args.id)
    local by, before = unpack(redis.call('HMGET', key, 'k', 'y'))
    if by == args.op then return cmsgpack.unpack(before) end
    if not hold or hold.state == 'c' then return { 'S', 0 } end
    local used = some(args.used)
    local open, ended = hold.state == 'o', hold.state ~= 't'
    if open or used then charge(hold, used or {}) end
    local answer = states(hold, { ended and append() or 'S', ended and 1 or 0 })
    if open or used then close(hold) else late(hold, now) end
    redis.call('HSET', key, 'k', args.op, 'y', cmsgpack.pack(answer))
    return answer`,

  cancel: `${HEAD}${METERS}${HOLDS}
    local hold = load(args.id)
    if not hold then
      close({ id = args.id })
    elseif hold.state == 'o' then
      charge(hold, {})
      if hold.marker then
        redis.call('HSET', holdKey(args.id), 'p', cmsgpack.pack({}), 'a', cmsgpack.pack({ 1 }))
      else
        close(hold)
      end
    end
    return 1`,

  renew: `${HEAD}${METERS}${HOLDS}
    local lost = {}
    for _, renewal in ipairs(args.holds) do
      local hold = load(renewal.id)
      if not hold or hold.state ~= 'o' then
        table.insert(lost, renewal.id)
      else
        local ends = now + args.leaseMs
        redis.call('HSET', holdKey(hold.id), 'x', ends)
        redis.call('ZADD', base .. 'leases', ends, hold.id)
        local due = some(renewal.due)
        if due then
          for _, scope in ipairs(hold.scopes) do scope[3] = due[scope[1]] or scope[3] end
          redis.call('HSET', holdKey(hold.id), 'p', cmsgpack.pack(hold.scopes))
        end
      end
    end
    return lost`,

  inspect: `${HEAD}${METERS}${HOLDS}
    local out = {}
    for _, scope in ipairs(args.scopes) do state(out, scope.key, scope.meter) end
    return out`,

  lapsed: `${HEAD}${METERS}${HOLDS}
    local out, from = {}, 0
    while true do
      local ids = redis.call('ZRANGE', base .. 'lapsed', from, from + 99)
      for _, id in ipairs(ids) do
        local marker, since, claim = unpack(redis.call('HMGET', holdKey(id), 'm', 'e', 'c'))
        if #out >= 3 * args.max then return out end
        if tonumber(claim) <= now then
          redis.call('HSET', holdKey(id), 'c', now + args.claimMs)
          for _, v in ipairs({ id, marker, since }) do table.insert(out, v) end
        end
      end
      if #ids < 100 then return out end
      from = from + 100
    end`,
}
