import type { TextView } from 'governed-gateway'
import { Keywords } from './engine/keywords.ts'
import { OTHER_NUMBER_WORDS } from './engine/other-number.ts'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result'])
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
  let names = ''
  for (const name of [beside ?? member, ...(within ?? [])]) {
    if (name === undefined || names.length + name.length > MAX_LENGTH) break
    names = names === '' ? `"${name}":"` : `"${name}":{${names}`
  }
  return names === '' || namesOfOthers().isIn(names) ? '' : names
}
