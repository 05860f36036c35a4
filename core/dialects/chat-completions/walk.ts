import { type FieldList, isObject } from '../../json/fields.ts'
import type { JsonObject, Path } from '../../json/strict.ts'
import type { Channel, Json } from '../../plugin.ts'
import { isBase64, isInert, isNumeric } from './shapes.ts'

/** Adds the texts of one value to the list. */
export type Walk = (list: FieldList, path: Path, value: Json) => void

export const inert: Walk = (list, path, value) => {
  if (!isInert(value) && !isNumeric(value)) list.addAll('other', path, value)
}

export const numeric: Walk = (list, path, value) => {
  if (!isNumeric(value)) list.addAll('other', path, value)
}

export const base64: Walk = (list, path, value) => {
  if (!isBase64(value)) list.addAll('other', path, value)
}

export const all =
  (channel: Channel, role?: string, choice = 0): Walk =>
  (list, path, value) =>
    list.addAll(channel, path, value, role, choice)

export function each(list: FieldList, path: Path, value: Json, walk: Walk): void {
  if (!Array.isArray(value)) return list.addAll('other', path, value)
  for (let i = 0; i < value.length; i++) walk(list, [...path, i], value[i] as Json)
}

/** Known members by their walk, unknown ones as `other` with their key. */
export function members(
  list: FieldList,
  path: Path,
  object: JsonObject,
  known: Readonly<Record<string, Walk>>,
  role?: string,
): void {
  for (const key in object) {
    const below = [...path, key]
    const value = object[key] as Json
    const walk = Object.hasOwn(known, key) ? known[key] : undefined
    if (walk !== undefined) walk(list, below, value)
    else {
      list.add('other', below, key, role, 0, 'key')
      list.addAll('other', below, value, role)
    }
  }
}

/** `{name, arguments}` of a function, `{name, input}` of a custom tool. */
export function calledFunction(list: FieldList, path: Path, value: Json, role: string | undefined, choice = 0): void {
  if (!isObject(value)) return list.addAll('tool_arguments', path, value, role, choice)
  for (const key in value) {
    const below = [...path, key]
    if (key === 'name') list.addAll('tool_name', below, value[key], role, choice)
    else if (key === 'arguments' && typeof value[key] === 'string') {
      list.addJsonText('tool_arguments', below, value[key], role, choice)
    } else {
      if (key !== 'arguments' && key !== 'input') list.add('other', below, key, role, choice, 'key')
      list.addAll('tool_arguments', below, value[key], role, choice)
    }
  }
}
