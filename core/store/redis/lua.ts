/**
 * The Redis side of the store. Each operation is one script, so it is atomic and one round trip. The sums are those of
 * `engine/`; the conformance suite and a comparison with random operations hold the two together.
 *
 * KEYS[1] is the prefix of all keys, one hash tag for each deployment; ARGV[1] the time for tests, or empty for the
 * server's; ARGV[2] the arguments as JSON; further values are texts that Lua need not look into. Numbers are exact up
 * to 2^53 as arguments of commands, in answers and in cmsgpack; where they become part of a text, \`int\` spells them,
 * since Lua itself and cjson write 14 digits at most.
 *
 * Keys below the prefix: `k:` values, `o:` answers to repeated calls, `l:` locks, `m:` meters, `h:` holds, `leases`
 * and `lapsed` their deadlines, `c:` heads of chains, `s:` records, `p:` the instances of a stream, `g:` its groups,
 * `q:` their claims, `b:` bounded logs.
 */
import { ID_MEMORY_MS, LATE_MS, type OpName, SLICES } from '../ops.ts'

/** An empty chain that nobody appends to leaves the list of instances. */
const FORGET_MS = 7 * 86_400_000
/** The head of a chain is kept for this long after its last record, so that the chain can go on. */
const CHAIN_MS = 400 * 86_400_000

const HEAD = `
local base = KEYS[1]
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local args = cjson.decode(ARGV[2])
local function int(n) return string.format('%.0f', n) end
local function some(v) if v ~= cjson.null then return v end end
local function usage(text) return redis.error_reply('GWUSAGE ' .. text) end
`

/** Runs the rest once for each `args.op`: a call that is repeated because its answer was lost gets that answer. */
const once = (body: string): string => `
local memo = base .. 'o:' .. args.op
local answered = redis.call('GET', memo)
if answered then return answered end
local function run()
${body}
end
local answer = run()
if type(answer) ~= 'table' then redis.call('SET', memo, answer, 'PX', ${ID_MEMORY_MS}) end
return answer
`

const VALUES = `
local k = base .. 'k:' .. args.key
local text, version, expires = unpack(redis.call('HMGET', k, 't', 'n', 'x'))
if not text or (expires ~= '' and tonumber(expires) <= now) then text, version, expires = nil, '0', nil end
local function put(value, at)
  redis.call('HSET', k, 't', value, 'n', redis.call('INCR', base .. 'version'), 'x', at)
  if at == '' then redis.call('PERSIST', k) else redis.call('PEXPIREAT', k, at) end
end
local function expiry()
  local ttl = some(args.ttlMs)
  return ttl and int(now + ttl) or ''
end
local function outdated()
  local wanted = some(args.ifVersion)
  return wanted and tonumber(version) ~= wanted
end
local function changed()
  if args.notify then redis.call('PUBLISH', base .. 'changed', args.key) end
end
`

const METERS = `
local DAY = 86400000
local UNITS = { i = 60000, h = 3600000, d = DAY }
local LENGTHS = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }

-- Start of the month that a time is in, and of the next (after H. Hinnant, "chrono-compatible low-level date algorithms").
local function month(ms)
  local days = math.floor(ms / DAY)
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local start = days - (doy - math.floor((153 * mp + 2) / 5))
  local m = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (m <= 2 and 1 or 0)
  local leap = m == 2 and (year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)) and 1 or 0
  return start * DAY, (start + LENGTHS[m] + leap) * DAY
end

-- The current slice of a meter's window, the oldest that counts, whether it is a calendar window, when a slice leaves.
local function frame(name)
  local tag = string.sub(name, 1, string.find(name, '/', 1, true) - 1)
  local kind = string.sub(tag, 1, 1)
  if kind == 't' then return 0, 0, false, function() return nil end end
  if kind == 'r' then
    local length = math.ceil(tonumber(string.sub(tag, 2)) / ${SLICES})
    local current = math.floor(now / length)
    return current, current - ${SLICES}, false, function(slice) return (slice + ${SLICES} + 1) * length end
  end
  if kind == 'm' then
    local start = month(now)
    return start, start, true, function(slice) local _, ends = month(slice) return ends end
  end
  local length, offset = UNITS[kind], 0
  if kind == 'w' then length, offset = 7 * DAY, 4 * DAY end
  local start = math.floor((now - offset) / length) * length + offset
  return start, start, true, function(slice) return slice + length end
end

local readings = {}
local function reading(name)
  local r = readings[name]
  if r then return r end
  local raw = redis.call('GET', base .. 'm:' .. name)
  local kept = raw and cmsgpack.unpack(raw) or {}
  local current, first, calendar, leaves = frame(name)
  local ahead = 0
  if #kept > 0 and kept[#kept][1] > current then ahead = kept[#kept][1] - current end
  local slices, spent, reserved = {}, 0, 0
  first = first + ahead
  for i = 1, #kept do
    local s = kept[i]
    if s[1] >= first then
      slices[#slices + 1] = s
      spent = spent + s[2]
      reserved = reserved + s[3]
    end
  end
  r = { name = name, current = current + ahead, first = first, leaves = leaves, slices = slices, calendar = calendar }
  r.spent, r.reserved = spent, reserved
  readings[name] = r
  return r
end

local function slice(r, number)
  local i = #r.slices
  while i > 0 and r.slices[i][1] > number do i = i - 1 end
  if i > 0 and r.slices[i][1] == number then return r.slices[i] end
  local added = { number, 0, 0 }
  table.insert(r.slices, i + 1, added)
  return added
end

-- Adds to a slice, if it still counts.
local function adjust(r, number, spent, reserved)
  if number < r.first then return end
  local s = slice(r, number)
  s[2], s[3] = s[2] + spent, s[3] + reserved
  r.spent, r.reserved = r.spent + spent, r.reserved + reserved
end

local function keep(r)
  local used, all = {}, r.slices
  for i = 1, #all do if all[i][2] ~= 0 or all[i][3] ~= 0 then used[#used + 1] = all[i] end end
  r.slices = used
  local key = base .. 'm:' .. r.name
  if #used == 0 then return redis.call('DEL', key) end
  local ends = r.leaves(used[#used][1])
  if ends then redis.call('SET', key, cmsgpack.pack(used), 'PXAT', ends) else redis.call('SET', key, cmsgpack.pack(used)) end
end

local function resets(r)
  local at
  if r.slices[1] then at = r.leaves(r.slices[1][1]) elseif r.calendar then at = r.leaves(r.current) end
  return at or false
end

local function state(out, key, name)
  local r, n = reading(name), #out
  out[n + 1], out[n + 2], out[n + 3], out[n + 4] = key, r.spent, r.reserved, resets(r)
end

-- Reserves what every scope can give, or nothing. Returns the answer and, if granted, what was taken of each scope.
local function take(scopes)
  local share = 1
  for i = 1, #scopes do
    local scope = scopes[i]
    local r = reading(scope.meter)
    local left = scope.limit - r.spent - r.reserved
    if left < scope.least then
      local used, at = r.spent + r.reserved, false
      for _, s in ipairs(r.slices) do
        used = used - s[2] - s[3]
        if used + scope.least <= scope.limit then at = r.leaves(s[1]) or false break end
      end
      return { 0, scope.key, scope.limit, r.spent, r.reserved, math.max(0, left), at }
    end
    if left < scope.amount then share = math.min(share, (left - scope.least) / (scope.amount - scope.least)) end
  end
  local answer, taken = { 1 }, {}
  for i = 1, #scopes do
    local scope, n = scopes[i], #answer
    local r = reading(scope.meter)
    local before = scope.limit - r.spent - r.reserved
    local granted = math.min(scope.least + math.ceil(share * (scope.amount - scope.least)), before)
    adjust(r, r.current, 0, granted)
    keep(r)
    taken[i] = { r.current, granted, 0 }
    answer[n + 1], answer[n + 2], answer[n + 3], answer[n + 4] = scope.key, r.spent, r.reserved, resets(r)
    answer[n + 5], answer[n + 6] = granted, before - granted
  end
  return answer, taken
end
`

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

const CHAIN = `
-- A batch names the head it continues; the chain belongs to one connection at a time, so a batch that arrives over an
-- older one, or after a gap, is refused. Answers start with A appended, S skipped, G gap, F fenced.
local chain = some(args.chain)
local function fenced()
  if not chain or chain.done then return nil end
  local owner, seq = unpack(redis.call('HMGET', base .. 'c:' .. chain.at, 'o', 's'))
  if owner ~= chain.owner then return 'F' end
  if tonumber(seq) ~= chain.prev then return 'G' end
end
local function append()
  if not chain then return 'A' end
  if chain.done then return 'A' end
  local head, stream = base .. 'c:' .. chain.at, base .. 's:' .. chain.at
  local last = tonumber(redis.call('HGET', head, 't') or 0)
  local time = int(math.max(now, last))
  local bytes = 0
  for i = 3, #ARGV do
    redis.call('XADD', stream, time .. '-' .. int(chain.prev + i - 2), 'r', ARGV[i])
    bytes = bytes + #ARGV[i]
  end
  redis.call('HSET', head, 's', chain.prev + #ARGV - 2, 'h', chain.hash, 't', time)
  redis.call('HINCRBY', head, 'b', bytes)
  redis.call('PEXPIREAT', head, now + ${CHAIN_MS})
  redis.call('SADD', base .. 'p:' .. chain.stream, chain.instance)
  return 'A'
end
`

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

export const SCRIPTS: Readonly<Record<Exclude<OpName, 'watch'> | 'claim', string>> = {
  get: `${HEAD}${VALUES}
    if not text then return {} end
    return { text, version, expires }`,

  set:
    HEAD +
    once(`${VALUES}
    if outdated() then return '0' end
    put(ARGV[3], expiry())
    changed()
    return '1'`),

  delete:
    HEAD +
    once(`${VALUES}
    if not text or outdated() then return '0' end
    redis.call('DEL', k)
    changed()
    return '1'`),

  increment:
    HEAD +
    once(`${VALUES}
    if text and not string.match(text, '^%-?%d+$') then return usage('NAN') end
    if text and #text > 17 then return usage('NAN') end
    local sum = tonumber(text or '0') + args.by
    if sum > 9007199254740991 or sum < -9007199254740991 then return usage('RANGE') end
    if args.by == 0 then return int(sum) end
    put(int(sum), text and expires or expiry())
    return int(sum)`),

  acquire: `${HEAD}
    local key = base .. 'l:' .. args.name
    local holder, ends = unpack(redis.call('HMGET', key, 'h', 'x'))
    if holder and holder ~= args.holder and tonumber(ends) > now then return 0 end
    redis.call('HSET', key, 'h', args.holder, 'x', now + args.leaseMs)
    redis.call('PEXPIREAT', key, now + args.leaseMs)
    return 1`,

  release: `${HEAD}
    local key = base .. 'l:' .. args.name
    local holder, ends = unpack(redis.call('HMGET', key, 'h', 'x'))
    if holder ~= args.holder or tonumber(ends) <= now then return 0 end
    return redis.call('DEL', key)`,

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

  claim: `${HEAD}
    local head = base .. 'c:' .. args.at
    local seq, hash = unpack(redis.call('HMGET', head, 's', 'h'))
    if tonumber(seq or 0) < args.seq then seq, hash = args.seq, args.hash end
    redis.call('HSET', head, 'o', args.owner, 's', seq or '0', 'h', hash or args.hash)
    return { seq or '0', hash or args.hash }`,

  append: `${HEAD}${CHAIN}
    local refusal = fenced()
    if refusal then return { refusal } end
    return { append() }`,

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
