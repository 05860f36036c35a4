import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import { type Edit, valueAt } from '../../json/splice.ts'
import type { JsonObject, Path } from '../../json/strict.ts'

/**
 * Adds notes where they change nothing that the provider knows already: signed thinking and cached prompts stand for
 * all that came before them. A note explains rewritten text, so it stands after the first message with some, where it
 * stays in every later turn; without any, or with rewritten text before all messages, after the system prompt. Some
 * clients need the first block of that prompt to stay first.
 */
export function noteEdits(tree: JsonObject, notes: readonly string[], edits: Edit[]): void {
  const texts = [...notes].reverse()
  const at = messageOf(tree, edits)
  const path: Path = at === undefined ? ['system'] : ['messages', at, 'content']
  const value = valueAt(tree, path)
  if (Array.isArray(value)) {
    for (const text of texts) edits.push({ kind: 'append', path, json: JSON.stringify({ type: 'text', text }) })
    return
  }
  const note = texts.join('\n\n')
  if (value === undefined) {
    edits.push({ kind: 'insert', path: [], name: 'system', json: JSON.stringify(note) })
    return
  }
  const text = typeof value === 'string' ? takeText(path, value, edits) : ''
  edits.push({ kind: 'replace', path, json: JSON.stringify(text === '' ? note : `${text}\n\n${note}`) })
}

/** The message of the user at or after the first rewritten text; undefined if it is not in a message. */
function messageOf({ messages }: JsonObject, edits: readonly Edit[]): number | undefined {
  let first = Number.POSITIVE_INFINITY
  for (const { path } of edits) {
    if (path[0] === 'system' || path[0] === 'tools') return undefined
    if (path[0] === 'messages') first = Math.min(first, path[1] as number)
  }
  const at = (messages as Json[]).findIndex((one, i) => i >= first && isObject(one) && one.role === 'user')
  return at === -1 ? undefined : at
}

/** The text at a path; takes its rewrite out of the edits. */
function takeText(path: Path, text: string, edits: Edit[]): string {
  const at = edits.findIndex((edit) => edit.kind === 'replace' && edit.path.join() === path.join())
  if (at === -1) return text
  const [rewritten] = edits.splice(at, 1)
  return rewritten?.kind === 'replace' ? (JSON.parse(rewritten.json) as string) : text
}
