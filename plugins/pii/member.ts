import type { TextView } from 'governed-gateway'
import { Keywords } from './engine/keywords.ts'
import { OTHER_NUMBER_WORDS } from './engine/other-number.ts'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result', 'user'])
const MAX_LENGTH = 80
let ofOthers: Keywords | undefined
/** Made when first needed: a start does not wait for them. */
const namesOfOthers = (): Keywords => (ofOthers ??= Keywords.of({ others: OTHER_NUMBER_WORDS }))

/**
 * In arguments of tools every value is a text of its own. The names around it are its context, as they would stand in
 * JSON: `"passport":{"number":"`. Empty for other texts. Whoever writes a value also chooses its name, so a name never
 * excuses a value: those that mark a number as another one, such as `order`, are left out.
 */
export function memberContext({ offset, before, channel, member, beside, within }: TextView): string {
  if (offset !== 0 || before !== '' || !CHANNELS.has(channel)) return ''
  const first = beside ?? member
  if (first === undefined || first.length > MAX_LENGTH) return ''
  let names = `"${first}":"`
  if (within !== undefined)
    for (const name of within) {
      if (names.length + name.length > MAX_LENGTH) break
      names = `"${name}":{${names}`
    }
  // Elements of a list have the same names.
  if (names !== last.names) last = { names, context: namesOfOthers().isIn(names) ? '' : names }
  return last.context
}

let last = { names: '', context: '' }
