import type { Json } from '../../contract/plugin.ts'
import { endOf } from '../replaced.ts'
import { placeOf } from './delta-kinds.ts'
import type { ResponsesEvent } from './event.ts'
import { COMMON } from './event-types.ts'
import type { Gathered } from './gathered.ts'
import type { StreamedText } from './streamed-text.ts'

const ROLE = 'assistant'

/**
 * An unknown event: each of its texts may continue in the next one.
 *
 * @param streamed texts by output index and place: of its item, the member of the same name goes before it
 */
export function unknownEvent(
  found: Gathered,
  event: ResponsesEvent,
  streamed: ReadonlyMap<string, StreamedText>,
): void {
  const { tree, type } = event
  event.floats = true
  found.collect((list) => list.add('other', ['type'], tree.type, ROLE))
  for (const key in tree) {
    const value = tree[key] as Json
    if (key === 'type' && typeof value === 'string') continue
    const name = `event:${type}:${key}`
    const common = Object.hasOwn(COMMON, key) && (key !== 'delta' || value === null) ? COMMON[key] : undefined
    const fits = common?.exempts?.(value) === true
    const isWord = typeof value === 'string' && common !== undefined && common.over !== 'apart'
    const growth = isWord ? found.begin(name, value, fits) : undefined
    if (fits && growth === undefined) continue
    found.collect((list) => list.add('other', [key], key, ROLE, 'key'))
    const before = streamed.get(`${tree.output_index}/${key}`)
    found.growAll(name, [key], value, placeOf(tree), growth?.behind ?? (before && endOf(before.raw)))
  }
}
