import type { TextView } from 'governed-gateway'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result'])
const MAX_LENGTH = 80

/**
 * In arguments of tools every value is a text of its own. The names around it are its context, as they would stand in
 * JSON: `"passport":{"number":"`. Empty for other texts.
 */
export function memberContext({ offset, before, channel, member, beside, within }: TextView): string {
  if (offset !== 0 || before !== '' || !CHANNELS.has(channel)) return ''
  let names = ''
  for (const name of [beside ?? member, ...(within ?? [])]) {
    if (name === undefined || names.length + name.length > MAX_LENGTH) break
    names = names === '' ? `"${name}":"` : `"${name}":{${names}`
  }
  return names
}
