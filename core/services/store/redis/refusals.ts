import { StoreError, unavailable, usage } from '../../../engine/contract/store-errors.ts'

/** The engine's messages for errors of the scripts. */
const USAGE: Readonly<Record<string, string>> = {
  CLOSED: 'The reservation was settled, released or has lapsed. Use a new id.',
  NOTOPEN: 'There is no open reservation to top up: it was settled or has lapsed.',
  NAN: 'The value cannot be incremented: it is not a whole number. Use another key for the counter.',
  RANGE: 'The counter would leave the range of whole numbers (2^53 - 1).',
}

/** Temporary errors before any change: another connection, or a retry, may succeed. */
const PASSING = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|UNKILLABLE|NOREPLICAS)\b/

/** Redis 7's NOPERM message for a command inside a script. */
const IN_SCRIPT = /user executing the script can't/

/** An error reply as a `StoreError`; undefined if the call should be retried on a new connection. */
export function refusal(message: string, where: string): StoreError | undefined {
  const reason = /GWUSAGE (\w+)/.exec(message)?.[1]
  if (reason !== undefined) return usage(USAGE[reason] ?? reason)
  if (PASSING.test(message)) return undefined
  if (/\bOOM\b/.test(message)) {
    const remedy = 'Raise maxmemory, or shorten the retention; writing goes on by itself once there is room.'
    return new StoreError('full', `Redis at ${where} is out of memory. ${remedy}`)
  }
  if (/\bMISCONF\b/.test(message)) {
    const remedy = 'Free space on its disk; writing goes on by itself once it can.'
    return new StoreError('full', `Redis at ${where} cannot save to its disk and refuses writes. ${remedy}`)
  }
  if (/^(NOAUTH|WRONGPASS|NOPERM|ERR AUTH)/.test(message) || IN_SCRIPT.test(message)) {
    const remedy =
      'Check user and password of `store`; the user needs +eval +evalsha +script|load +info +ping +subscribe +publish ' +
      '+time +@read +@write on ~{governed-gateway}:* and &{governed-gateway}:*.'
    const word = IN_SCRIPT.test(message) ? 'NOPERM' : message.split(' ')[0]
    return unavailable(`Redis at ${where} refuses access (${word}). ${remedy}`)
  }
  return unavailable(`Redis at ${where} failed: ${message.slice(0, 200)}`)
}
