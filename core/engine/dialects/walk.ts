import type { Channel, Json } from '../contract/plugin.ts'
import { type Field, type FieldList, isObject } from '../json/fields.ts'
import { isMedia } from '../json/media.ts'
import type { JsonObject, Path } from '../json/strict.ts'
import type { Over } from './replaced.ts'
import { isCount, isId, isKind, isMediaPiece, isModel, isNumeric, isRole, isTime, type Shape } from './shapes.ts'
import { isUsageName } from './usage-names.ts'

/** Adds the texts of one value to the list. */
export interface Walk {
  (list: FieldList, path: Path, value: Json): void
  /** Values that the walk skips. */
  readonly exempts?: Shape
  /** Such values over events. `spells`: pieces of another text. `media`: pieces of what is no text. `apart`: never joined. */
  readonly over?: Over
}

/** A member that needs no inspection while it has its shape, and is text otherwise. */
export const shaped = (isExempt: Shape, over?: Walk['over']): Walk => {
  const exempts: Shape = (value) => value === null || isExempt(value)
  const walk: Walk = (list, path, value) => {
    if (!exempts(value)) list.addAll('other', path, value)
    else if (typeof value === 'string') list.pass(path, value, over)
  }
  return Object.assign(walk, { exempts, ...(over && { over }) })
}

export const id: Walk = shaped(isId)
export const kind: Walk = shaped(isKind)
export const model: Walk = shaped(isModel, 'spells')
export const roleName: Walk = shaped(isRole)
export const numeric: Walk = shaped(isNumeric)
export const count: Walk = shaped(isCount)
export const time: Walk = shaped(isTime)
export const media: Walk = shaped(isMedia, 'media')
export const mediaPiece: Walk = shaped(isMediaPiece, 'media')

/** Walks values of which nothing is counted: the walk around them has done so, or they only name the content of a text. */
export const uncounted = (list: FieldList, walk: () => void): void => list.around(walk, (isOver) => list.cover(!isOver))

/** Counts content that cannot be inspected once, whatever its members hold. */
export function unseen(list: FieldList, kind: string, walk: () => void): void {
  list.skip(kind)
  uncounted(list, walk)
}

/** A member that names what the provider stores or reaches by itself: it cannot be inspected. */
export const remote =
  (kind: string, channel: Channel): Walk =>
  (list, path, value) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return
    unseen(list, kind, () => list.addAll(channel, path, value))
  }

/** A member of which nothing is counted. */
export const quiet = (walk: Walk): Walk =>
  Object.assign(
    (list: FieldList, path: Path, value: Json) => uncounted(list, () => walk(list, path, value)),
    walk.exempts && { exempts: walk.exempts },
    walk.over && { over: walk.over },
  )

export const all =
  (channel: Channel, role?: string): Walk =>
  (list, path, value) =>
    list.addAll(channel, path, value, role)

/** The walks of an object's members, by their names. */
export type Known = Readonly<Record<string, Walk>>

/** An object with these members, or any value in its place. */
export const objectOf =
  (known: Known, channel: Channel = 'other'): Walk =>
  (list, path, value) => {
    if (isObject(value)) members(list, path, value, known)
    else list.addAll(channel, path, value)
  }

/** Usage counts and details are exempt: numbers under known names. */
export const usageOf = (isExempt: Shape): Walk => {
  const walk: Walk = (list, path, value) => {
    if (isExempt(value)) return
    if (!isObject(value)) return list.addAll('other', path, value)
    eachMember(list, path, value, (key, below, inner) => {
      if (!isUsageName(key)) list.add('other', below, key, undefined, 'key')
      walk(list, below, inner)
    })
  }
  return walk
}

export function each(list: FieldList, path: Path, value: Json, walk: Walk): void {
  if (!Array.isArray(value)) return list.addAll('other', path, value)
  if (path.length === 1 && list.elements !== undefined) return list.elements.each(list, path[0] as string, value, walk)
  if (list.isInSteps) return list.repeat(value.length, (i) => walk(list, [...path, i], value[i] as Json))
  for (let i = 0; i < value.length; i++) walk(list, [...path, i], value[i] as Json)
}

/** Walks an answer by its index. */
export const inChoice =
  (walk: Walk): Walk =>
  (list, path, value) => {
    list.afterwards(() => {
      list.choice = isObject(value) && typeof value.index === 'number' ? value.index : (path.at(-1) as number)
    })
    list.afterwards(() => walk(list, path, value))
    list.afterwards(() => {
      list.choice = 0
    })
  }

/** Looks at each member, with its path. */
export function eachMember(
  list: FieldList,
  path: Path,
  object: JsonObject,
  look: (key: string, below: Path, value: Json) => void,
): void {
  const keys = Object.keys(object)
  list.repeat(keys.length, (i) => {
    const key = keys[i] as string
    look(key, [...path, key], object[key] as Json)
  })
}

/** Walks known members by their walk, unknown ones as `other` with their key. */
export function members(list: FieldList, path: Path, object: JsonObject, known: Known, role?: string): void {
  if (list.isInSteps) {
    return eachMember(list, path, object, (key, below, value) => member(list, below, key, value, known, role))
  }
  // The common case.
  for (const key in object) member(list, [...path, key], key, object[key] as Json, known, role)
}

function member(list: FieldList, below: Path, key: string, value: Json, known: Known, role: string | undefined): void {
  const walk = Object.hasOwn(known, key) ? known[key] : undefined
  if (walk !== undefined) return walk(list, below, value)
  list.add('other', below, key, role, 'key')
  const add = () => list.addAll('other', below, value, role)
  if (list.isRequest || typeof value !== 'object') add()
  else joinSpoken(list, below, add)
}

/** Members that clients show, of whatever a server adds to a message. */
const SPOKEN = new Set<Path[number] | undefined>(['text', 'thinking', 'reasoning', 'summary', 'content'])

/** Walks values in unknown members: the texts of a list in them are one text to a reader, as they are in a stream. */
export function joinSpoken(list: FieldList, path: Path, walk: () => void): void {
  const texts = new Map<string, number[]>()
  list.found(walk, (field, at) => {
    if (field.channel !== 'other' || field.place !== 'value' || !SPOKEN.has(field.path.at(-1))) return
    const name = field.path.map((step) => (typeof step === 'number' ? '' : step)).join('\0')
    const others = texts.get(name)
    if (others === undefined) texts.set(name, [at])
    else others.push(at)
  })
  list.afterwards(() => {
    for (const fields of texts.values()) if (fields.length > 1) list.joined.push({ path, fields })
  })
}

/** `{name, arguments}` of a function, `{name, input}` of a custom tool. */
export function calledFunction(list: FieldList, path: Path, value: Json, role: string | undefined): void {
  if (!isObject(value)) return list.addAll('tool_arguments', path, value, role)
  eachMember(list, path, value, (key, below, inner) => {
    if (key === 'name') return list.addAll('tool_name', below, inner, role)
    if (key === 'arguments' && typeof inner === 'string') return list.addJsonText('tool_arguments', below, inner, role)
    if (key !== 'arguments' && key !== 'input') list.add('other', below, key, role, 'key')
    list.addAll('tool_arguments', below, inner, role)
  })
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
  joinParts(
    list,
    path,
    value,
    (i) => part(list, [...path, i], value[i] as Json, channel, role),
    (field) => field.channel === channel,
  )
}

/** Walks parts whose texts are one text to a reader. */
export function joinParts(
  list: FieldList,
  path: Path,
  parts: readonly Json[],
  walk: (index: number) => void,
  isOfText: (field: Field, part: Json) => boolean,
): void {
  const texts: number[] = []
  list.repeat(parts.length, (i) =>
    list.found(
      () => walk(i),
      (field, at) => {
        if (isOfText(field, parts[i] as Json)) texts.push(at)
      },
    ),
  )
  list.afterwards(() => {
    if (texts.length > 1) list.joined.push({ path, fields: texts })
  })
}

/** Walks texts that a model reads after those before them. */
export const inSequence = (list: FieldList, walk: () => void, isOfText: (field: Field) => boolean): void =>
  list.found(walk, (field, at) => {
    if (isOfText(field)) list.sequence.push(at)
  })

const READ: ReadonlySet<Channel> = new Set(['content', 'tool_result', 'reasoning', 'refusal'])

/** A text of a message or of a tool's result that a model reads in sequence. */
export const isContent = ({ place, channel }: Field): boolean => place === 'value' && READ.has(channel)
