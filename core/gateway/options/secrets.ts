/** Which values of a plugin's options are secrets, and how options look without them. */
import { environmentValuesOf } from '../../engine/config/validate.ts'
import type { Json } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { carriesSecret } from '../../engine/host/secret-url.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { MASK } from '../../services/settings/mask.ts'

export type Path = readonly (string | number)[]

type Schema = Readonly<Record<string, unknown>>

/** Plugins of others may not mark their secrets. Better hide too much: a hidden value is kept when options are saved. */
const NAMES =
  /(?:^|[_-])(?:token|secret|password|passphrase|credentials?|(?:api|private|access)[_-]?key)$|authorization|cookie/i
const HEADERS = /headers$/i

/**
 * Paths of secrets: values from the environment, members with `writeOnly` in their schema, headers, texts whose name says
 * secret, and urls that carry one.
 */
export function secretsIn(schema: object, options: object): Path[] {
  const fromEnv = environmentValuesOf(options)
  const found: Path[] = []
  const walk = (value: unknown, schemas: readonly Schema[], path: Path, pointer: string): void => {
    const isWriteOnly = schemas.some(({ writeOnly }) => writeOnly === true)
    if (isWriteOnly || fromEnv.has(pointer) || isSecretText(value, path)) found.push(path)
    else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) walk(item, itemsOf(schemas, i), [...path, i], `${pointer}/${i}`)
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const segment = name.replaceAll('~', '~0').replaceAll('/', '~1')
        walk(member, memberOf(schemas, name), [...path, name], `${pointer}/${segment}`)
      }
    }
  }
  walk(options, expanded([schema as Schema], schema as Schema), [], '')
  return found

  function memberOf(schemas: readonly Schema[], name: string): readonly Schema[] {
    const inner = schemas.flatMap(({ properties, additionalProperties: others, patternProperties: patterns }) => {
      const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : []
      const more = isObject(patterns) ? Object.values(patterns) : []
      return [...own, ...more, ...(own.length > 0 ? [] : [others])]
    })
    return expanded(inner.filter(isObject), schema as Schema)
  }
  function itemsOf(schemas: readonly Schema[], i: number): readonly Schema[] {
    const inner = schemas.flatMap(({ items }) => (Array.isArray(items) ? [items[i]] : [items]))
    return expanded(inner.filter(isObject), schema as Schema)
  }
}

function isSecretText(value: unknown, path: Path): boolean {
  if (typeof value !== 'string') return false
  const name = String(path.findLast((step) => typeof step === 'string') ?? '')
  const parent = path.at(-2)
  if (NAMES.test(name) || (typeof parent === 'string' && HEADERS.test(parent))) return true
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && carriesSecret(value)
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

/** Options with a mask in the place of each secret, and beside it `<name>_set`. */
export function masked(options: object, secrets: readonly Path[]): Fields {
  const shown = structuredClone(options) as Fields
  for (const path of secrets) {
    const parent = valueAt(shown, path.slice(0, -1))
    const key = path.at(-1) as string
    if (typeof parent !== 'object' || parent === null || (parent as Fields)[key] === undefined) continue
    ;(parent as Fields)[key] = MASK
    if (!Array.isArray(parent)) (parent as Fields)[`${key}_set`] = true
  }
  return shown
}

export function valueAt(root: unknown, path: Path): Json | undefined {
  let node = root
  for (const step of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined
    node = (node as Record<string | number, unknown>)[step]
  }
  return node as Json | undefined
}
