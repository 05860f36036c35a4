/**
 * The Redis side of the store. Each operation is one script, so it is atomic and one round trip. The sums are those of
 * `engine/`; the conformance suite and a comparison with random operations hold the two together.
 *
 * KEYS[1] is the prefix of all keys, one hash tag for each deployment; ARGV[1] the time for tests, or empty for the
 * server's; ARGV[2] the arguments as JSON; further values are texts that Lua need not look into. Numbers are exact up
 * to 2^53 as arguments of commands, in answers and in cmsgpack; where they become part of a text, `int` spells them,
 * since Lua itself and cjson write 14 digits at most.
 *
 * Keys below the prefix: `k:` values, `o:` answers to repeated calls, `l:` locks, `i:` instances that run, `m:` meters, `h:` holds, `leases`
 * and `lapsed` their deadlines, `c:` heads of chains, `s:` records, `p:` the instances of a stream, `g:` its groups,
 * `q:` their claims, `b:` bounded logs and `n:` how many entries they ever had.
 */
import { ID_MEMORY_MS } from '../../ops.ts'

export const HEAD = `
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
