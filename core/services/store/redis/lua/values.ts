/** Values, counters and locks; see `head.ts`. */
import { HEAD, once } from './head.ts'

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

export const VALUE_SCRIPTS = {
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
    put(int(sum), text and not args.prolong and expires or expiry())
    return int(sum)`),

  acquire: `${HEAD}
    local key = base .. 'l:' .. args.name
    local holder, ends = unpack(redis.call('HMGET', key, 'h', 'x'))
    -- One of more than an hour beyond a new one was given by a clock that has been set back since.
    local last = now + args.leaseMs + 3600000
    if holder and holder ~= args.holder and tonumber(ends) > now and tonumber(ends) <= last then return 0 end
    redis.call('HSET', key, 'h', args.holder, 'x', now + args.leaseMs)
    redis.call('PEXPIREAT', key, now + args.leaseMs)
    return 1`,

  // A lease that ends later than one that begins now was given by a clock that has been set back since.
  present: `${HEAD}
    local key = base .. 'i:' .. args.name
    local holder, ends = unpack(redis.call('HMGET', key, 'h', 'x'))
    local lasts = holder and tonumber(ends) > now and tonumber(ends) <= now + args.leaseMs
    if lasts and holder ~= args.holder then return { 0, ends } end
    redis.call('HSET', key, 'h', args.holder, 'x', int(now + args.leaseMs))
    redis.call('PEXPIREAT', key, now + args.leaseMs)
    return { 1, '' }`,

  absent: `${HEAD}
    local key = base .. 'i:' .. args.name
    if redis.call('HGET', key, 'h') == args.holder then redis.call('DEL', key) end
    return 1`,

  release:
    HEAD +
    once(`
    local key = base .. 'l:' .. args.name
    local holder, ends = unpack(redis.call('HMGET', key, 'h', 'x'))
    if holder ~= args.holder or tonumber(ends) <= now then return 0 end
    return redis.call('DEL', key)`),
} as const
