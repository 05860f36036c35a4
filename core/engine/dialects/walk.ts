import type { Channel, Json } from '../contract/plugin.ts'
import { type FieldList, isObject } from '../json/fields.ts'
import type { JsonObject, Path } from '../json/strict.ts'
import {
  isCount,
  isId,
  isKind,
  isMedia,
  isMediaPiece,
  isModel,
  isNumeric,
  isRole,
  isTime,
  type Shape,
} from './shapes.ts'

/** Adds the texts of one value to the list. */
export interface Walk {
  (list: FieldList, path: Path, value: Json): void
  /** Values that the walk skips. */
  readonly exempts?: Shape
}

/** A member that needs no inspection while it has its shape, and is text otherwise. */
export const shaped = (isExempt: Shape): Walk => {
  const exempts: Shape = (value) => value === null || isExempt(value)
  const walk: Walk = (list, path, value) => {
    if (!exempts(value)) list.addAll('other', path, value)
  }
  return Object.assign(walk, { exempts })
}

export const id: Walk = shaped(isId)
export const kind: Walk = shaped(isKind)
export const model: Walk = shaped(isModel)
export const roleName: Walk = shaped(isRole)
export const numeric: Walk = shaped(isNumeric)
export const count: Walk = shaped(isCount)
export const time: Walk = shaped(isTime)
export const media: Walk = shaped(isMedia)
export const mediaPiece: Walk = shaped(isMediaPiece)

export const all =
  (channel: Channel, role?: string): Walk =>
  (list, path, value) =>
    list.addAll(channel, path, value, role)

export function each(list: FieldList, path: Path, value: Json, walk: Walk): void {
  if (!Array.isArray(value)) return list.addAll('other', path, value)
  for (let i = 0; i < value.length; i++) walk(list, [...path, i], value[i] as Json)
}

/** Walks known members by their walk, unknown ones as `other` with their key. */
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
      list.add('other', below, key, role, 'key')
      list.addAll('other', below, value, role)
    }
  }
}

/** `{name, arguments}` of a function, `{name, input}` of a custom tool. */
export function calledFunction(list: FieldList, path: Path, value: Json, role: string | undefined): void {
  if (!isObject(value)) return list.addAll('tool_arguments', path, value, role)
  for (const key in value) {
    const below = [...path, key]
    if (key === 'name') list.addAll('tool_name', below, value[key], role)
    else if (key === 'arguments' && typeof value[key] === 'string') {
      list.addJsonText('tool_arguments', below, value[key], role)
    } else {
      if (key !== 'arguments' && key !== 'input') list.add('other', below, key, role, 'key')
      list.addAll('tool_arguments', below, value[key], role)
    }
  }
}

/**
 * The content of a message: a text, or parts. Several text parts are also noted as joined, since a value may span two
 * of them.
 */
export function contentOf(
  list: FieldList,
  path: Path,
  value: Json,
  channel: Channel,
  role: string | undefined,
  part: (list: FieldList, path: Path, value: Json, channel: Channel, role: string | undefined) => void,
): void {
  if (!Array.isArray(value)) return list.addAll(channel, path, value, role)
  const texts: number[] = []
  for (let i = 0; i < value.length; i++) {
    const before = list.fields.length
    part(list, [...path, i], value[i] as Json, channel, role)
    for (let at = before; at < list.fields.length; at++) if (list.fields[at]?.channel === channel) texts.push(at)
  }
  if (texts.length > 1) list.joined.push({ path, fields: texts })
}
