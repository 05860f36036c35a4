import type { FlagSpec, Rejection } from 'governed-gateway'
import { allowedValues, parseFlag } from 'governed-gateway/kit'

export const HEADER = 'X-Service-Flags'
/** Bytes of the header; one character each, since Node reads headers as Latin-1. */
const MAX_LENGTH = 1024
const MAX_PAIRS = 16
const PAIR = /^([a-z][a-z0-9_]{0,31})=([A-Za-z0-9_-]{1,64})$/

export type FlagValues = ReadonlyMap<string, string | number>

/**
 * Reads a comma-separated list of `key=value` pairs. Empty elements are skipped, as RFC 9110 §5.6.1 asks of every
 * list; a repeated pair must say the same.
 */
export function parseFlags(header: string, flags: ReadonlyMap<string, FlagSpec>): FlagValues | Rejection {
  if (header.length > MAX_LENGTH) return invalid(`is longer than ${MAX_LENGTH} bytes`)
  const pairs = header.split(',').flatMap((pair) => pair.replace(/^[ \t]+|[ \t]+$/g, '') || [])
  if (pairs.length > MAX_PAIRS) return invalid(`has more than ${MAX_PAIRS} pairs`)
  const values = new Map<string, string | number>()
  for (const [i, pair] of pairs.entries()) {
    const [, name, text] = PAIR.exec(pair) ?? []
    if (name === undefined || text === undefined) {
      return invalid(`is a list of key=value pairs, such as \`mode=strict, pii=redact\`; pair ${i + 1} is not one`)
    }
    const flag = flags.get(name)
    if (flag === undefined) return invalid(`has no flag '${name}' here. Known: ${[...flags.keys()].sort().join(', ')}`)
    const value = parseFlag(flag, text)
    if (value === undefined) return invalid(`takes for '${name}': ${allowedValues(flag)}${aliasesOf(flag)}`)
    const earlier = values.get(name)
    if (earlier !== undefined && earlier !== value) return invalid(`says two different things for '${name}'`)
    values.set(name, value)
  }
  return values
}

export const isRejection = (result: FlagValues | Rejection): result is Rejection => !(result instanceof Map)

function aliasesOf({ aliases = {} }: FlagSpec): string {
  const lists = [...Map.groupBy(Object.keys(aliases), (alias) => aliases[alias])].map(
    ([value, names]) => `${names.join(', ')} for ${value}`,
  )
  return lists.length === 0 ? '' : ` (also ${lists.join('; ')})`
}

const invalid = (what: string): Rejection => ({
  error: 'invalid_flag',
  message: `The header ${HEADER} ${what}.`,
  param: HEADER,
})
