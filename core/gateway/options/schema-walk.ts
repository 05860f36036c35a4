/** Walks options together with what the plugin's schema says about each value. */
import type { Json } from '../../engine/contract/plugin.ts'
import { isObject } from '../../engine/util/is-object.ts'

export type Path = readonly (string | number)[]
export type Schema = Readonly<Record<string, unknown>>

interface Visited {
  readonly value: unknown
  readonly path: Path
  /** All that describe the value. */
  readonly schemas: readonly Schema[]
}

/** @param visit true: what is within the value is not visited */
export function visitOptions(schema: object, options: unknown, visit: (one: Visited) => boolean): void {
  const root = schema as Schema
  const walk = (value: unknown, schemas: readonly Schema[], path: Path): void => {
    if (visit({ value, path, schemas })) return
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) walk(item, itemsOf(schemas, i, root), [...path, i])
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) walk(member, memberOf(schemas, name, root), [...path, name])
    }
  }
  walk(options, expanded([root], root), [])
}

function memberOf(schemas: readonly Schema[], name: string, root: Schema): readonly Schema[] {
  const inner = schemas.flatMap(({ properties, additionalProperties: others, patternProperties: patterns }) => {
    const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
    const more = isObject(patterns) ? Object.values(patterns) : []
    return [...own, ...more, ...(own.length > 0 ? [] : [others])]
  })
  return expanded(inner.filter(isObject), root)
}

function itemsOf(schemas: readonly Schema[], i: number, root: Schema): readonly Schema[] {
  const inner = schemas.flatMap(({ items, additionalItems }) =>
    Array.isArray(items) ? [items[i] ?? additionalItems] : [items],
  )
  return expanded(inner.filter(isObject), root)
}

const NESTED = ['anyOf', 'oneOf', 'allOf'] as const

/** The schemas with those that they consist of. */
function expanded(schemas: readonly Schema[], root: Schema): Schema[] {
  const all = new Set<Schema>()
  const add = (one: unknown): void => {
    if (!isObject(one) || all.has(one)) return
    all.add(one)
    for (const list of NESTED) if (Array.isArray(one[list])) one[list].forEach(add)
    for (const branch of ['then', 'else']) add(one[branch])
    if (typeof one.$ref === 'string') add(referenced(root, one.$ref))
  }
  schemas.forEach(add)
  return [...all]
}

function referenced(root: Schema, ref: string): unknown {
  let node: unknown = root
  for (const step of ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    node = isObject(node) ? node[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  }
  return node
}

/** As a JSON Pointer. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Whether the schema itself has the value, so that it says nothing about this deployment. */
export const isOfSchema = (value: unknown, schemas: readonly Schema[]): boolean =>
  schemas.some(
    ({ enum: listed, const: only, default: usual }) =>
      (Array.isArray(listed) && listed.includes(value)) || only === value || usual === value,
  )

/** Whether the schema marks any secret. */
export function marksSecrets(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(marksSecrets)
  return isObject(schema) && (schema.writeOnly === true || Object.values(schema).some(marksSecrets))
}

export function valueAt(root: unknown, path: Path): Json | undefined {
  let node = root
  for (const step of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined
    node = (node as Record<string | number, unknown>)[step]
  }
  return node as Json | undefined
}
