import type { FieldList } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import type { DeltaKind } from './delta-kinds.ts'
import { item } from './items.ts'

const ROLE = 'assistant'

/** The texts of an event that repeats a whole text. */
export const wholeText =
  (kind: DeltaKind, tree: JsonObject) =>
  (fields: FieldList): void => {
    const value = tree[kind.whole] ?? null
    if (value === tree.output && Array.isArray(value)) item(fields, [], { type: 'shell_call_output', output: value })
    else fields.addAll(kind.channel, [kind.whole], value, ROLE)
    // `function_call_arguments.done` may have the name too.
    if (tree.name !== undefined) fields.addAll('tool_name', ['name'], tree.name, ROLE)
  }
