import type { Path } from '../../json/strict.ts'
import type { Word } from '../repeat-list.ts'
import type { Gathered } from './gathered.ts'
import type { StreamedText } from './streamed-text.ts'

/** Where the words of a value stand. */
export interface Output {
  /** Index of the item; undefined: besides the output. */
  readonly output: number | undefined
  /** In the item. */
  readonly place?: Path
  /** Steps of a path in the event that are not below the place. */
  readonly skips: number
  readonly isCall?: boolean
}

/** A word, in whose place another text may have stood. */
export function readWord(
  found: Gathered,
  streamed: ReadonlyMap<string, StreamedText>,
  { path, text, over }: Word,
  { output, place = [], skips, isCall = false }: Output,
): void {
  const steps = [...place, ...path.slice(skips)]
  if (output === undefined) return void found.replaces(steps.join('.'), path, text, true, over)
  const key = `${output}/${steps.join('/')}`
  const before = streamed.get(key)
  if (before?.raw === text && (isCall || !found.knows(`item:${key}`))) return
  if (before === undefined) found.replaces(`item:${key}`, path, text, true, over)
  else if (isCall)
    found.call({ choice: 0, call: String(output), part: steps.join('.'), path, text, behind: before.raw })
  else found.again(`item:${key}`, path, text, before.raw)
}
