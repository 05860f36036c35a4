/** Appending to chains; see `head.ts` and `lane.ts`. */
import { HEAD } from './head.ts'

/** How long the head of a chain is kept after its last record, so that the chain can continue. */
const CHAIN_MS = 400 * 86_400_000

export const CHAIN: string = `
-- A batch names the head it continues; the chain belongs to one connection at a time, so a batch that arrives over an
-- older one, or after a gap, is refused. Answers start with A appended, S skipped, G gap, F fenced, L the chain is lost.
local chain = some(args.chain)
local function fenced()
  if not chain or chain.done then return nil end
  local owner, seq = unpack(redis.call('HMGET', base .. 'c:' .. chain.at, 'o', 's'))
  if not owner then return 'L' end
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

export const CHAIN_SCRIPTS = {
  claim: `${HEAD}
    local head = base .. 'c:' .. args.at
    local seq, hash = unpack(redis.call('HMGET', head, 's', 'h'))
    local found = tonumber(seq or 0)
    if tonumber(seq or 0) < args.seq then seq, hash = args.seq, args.hash end
    redis.call('HSET', head, 'o', args.owner, 's', seq or '0', 'h', hash or args.hash)
    return { seq or 0, hash or args.hash, found }`,

  append: `${HEAD}${CHAIN}
    local refusal = fenced()
    if refusal then return { refusal } end
    return { append() }`,
} as const
