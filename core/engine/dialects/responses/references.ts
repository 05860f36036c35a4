import type { Json } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { Reference } from '../dialect.ts'
import { typeOf } from './items.ts'

const NO_CONVERSATIONS =
  'Conversations cannot be made through this gateway. Name an earlier response with previous_response_id, or send its turns.'

/** Ids of content that the provider has, and that the model will read. */
export function referencesOf(tree: JsonObject): Reference[] {
  const references: Reference[] = []
  const add = (value: Json | undefined, param: string, why?: string) => {
    if (value === undefined || value === null) return
    // Not a string, so not an id of any key.
    references.push({ id: typeof value === 'string' ? value : '', param, ...(why !== undefined && { why }) })
  }
  add(tree.previous_response_id, 'previous_response_id')
  const { conversation, input, prompt_cache_options: options } = tree
  // No key has one, whatever its id.
  if (conversation !== undefined && conversation !== null) add('', 'conversation', NO_CONVERSATIONS)
  if (isObject(options)) add(options.comparison_response_id, 'prompt_cache_options.comparison_response_id')
  if (Array.isArray(input)) {
    input.forEach((item, i) => {
      if (isObject(item) && typeOf(item) === 'item_reference') add(item.id ?? '', `input[${i}].id`)
    })
  }
  return references
}

/** Encrypted reasoning and compactions of items. */
export const sealsOf = (items: Json | undefined): string[] =>
  Array.isArray(items)
    ? items.flatMap((item) =>
        isObject(item) && SEALED.has(typeOf(item)) && typeof item.encrypted_content === 'string'
          ? [item.encrypted_content]
          : [],
      )
    : []

const SEALED: ReadonlySet<string | undefined> = new Set(['reasoning', 'compaction'])
