/**
 * The Redis side of the store. Each operation is one script, so it is atomic and takes one round trip. Its arithmetic
 * matches `engine/`; the conformance suite and a comparison of random operations verify that.
 *
 * KEYS[1] is the prefix of all keys, with one hash tag per deployment. ARGV[1] is the time for tests, or empty for the
 * server's. ARGV[2] contains the arguments as JSON; further values are opaque texts. Numbers are exact up to 2^53 as
 * command arguments, in answers and in cmsgpack. In texts, `int` formats them, because Lua and cjson write at most 14
 * digits.
 *
 * Keys below the prefix: `k:` values, `o:` answers to repeated calls, `l:` locks, `i:` running instances, `m:` meters,
 * `h:` holds, `leases` and `lapsed` their deadlines, `c:` heads of chains, `s:` records, `p:` the instances of a stream,
 * `g:` its groups, `q:` their claims, `b:` bounded logs and `n:` how many entries they ever had.
 */
import { ID_MEMORY_MS } from '../../ops.ts'

export const HEAD: string = `
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

/** Runs the body once per `args.op`; a call repeated after a lost answer gets the first answer. */
export const once = (body: string): string => `
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
