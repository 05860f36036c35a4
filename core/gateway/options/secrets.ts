/** Which values of a plugin's options are secrets, and how options look without them. */
import { environmentValuesOf } from '../../engine/config/validate.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import { bundledPlugins } from '../../engine/host/loader.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { carriesSecret } from '../../engine/host/secret-url.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { isShownName } from '../../engine/util/outside.ts'
import { MASK } from '../../services/settings/mask.ts'
import { isOfSchema, marksSecrets, type Path, pointerOf, type Schema, valueAt, visitOptions } from './schema-walk.ts'
import { isCountName, isSecretName } from './secret-names.ts'

/** What is known about the options of a plugin. */
export interface Shape {
  readonly schema: object
  /** Its schema marks all secrets, which tests check; the schemas of others may not. */
  readonly isBundled: boolean
}

export const shapeOf = ({ spec, entry }: Pick<LoadedPlugin, 'spec' | 'entry'>): Shape => ({
  schema: spec.schema as object,
  isBundled: bundledPlugins().includes(entry.use),
})

const hiddenPaths = new WeakMap<object, readonly Path[]>()

/** Marks what was a secret when it was copied, whatever its name is. */
export const hide = (options: object, paths: readonly Path[]): void => void hiddenPaths.set(options, paths)

/**
 * Paths of secrets: values from the environment, members with `writeOnly` in their schema, what `hide` marked, and what
 * looks like one. Better hide too much: a hidden value is kept when options are saved. A schema of others that marks no
 * secret at all was not written with readers in mind: then every text is hidden that is not of the schema.
 */
export function secretsIn({ schema, isBundled }: Shape, options: object): Path[] {
  const known = new Set([...environmentValuesOf(options), ...(hiddenPaths.get(options) ?? []).map(pointerOf)])
  const isUnmarked = !isBundled && !marksSecrets(schema)
  const found: Path[] = []
  visitOptions(schema, options, ({ value, path, schemas }) => {
    const isSecret =
      schemas.some(({ writeOnly }) => writeOnly === true) ||
      known.has(pointerOf(path)) ||
      (isUnmarked && isUnknown(value, path, schemas)) ||
      (!isOfSchema(value, schemas) && looksSecret(value, path, options, isBundled))
    if (isSecret) found.push(path)
    return isSecret
  })
  return found
}

/** A text of the deployment, or an object with a name that may be a secret itself. */
function isUnknown(value: unknown, path: Path, schemas: readonly Schema[]): boolean {
  if (typeof value === 'string') return !isOfSchema(value, schemas)
  return path.length > 0 && isObject(value) && !Object.keys(value).every(isShownName)
}

function looksSecret(value: unknown, path: Path, options: object, isBundled: boolean): boolean {
  const names = path.filter((step) => typeof step === 'string')
  const isNamed = names.some((name) => isSecretName(name) || /headers$/i.test(name))
  if (typeof value === 'number') return isNamed && !isCountName(names.at(-1) ?? '')
  if (typeof value !== 'string') return false
  if (isNamed || isNamedBeside(path, options)) return true
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return carriesSecret(value)
  return !isBundled && TEXT.test(value)
}

/** `Authorization: …`, `Bearer …`, `Server=x;Password=…` */
const TEXT = /^(?:bearer|basic|token)\s|(?:authorization|cookie|password|passwd|pwd|secret|token|key)\s*[:=]/i

/** `{ name: Authorization, value: … }` */
function isNamedBeside(path: Path, options: object): boolean {
  const own = path.findLastIndex((step) => typeof step === 'string')
  if (!/^(?:val|values?|content|data)$/i.test(String(path[own]))) return false
  const parent = valueAt(options, path.slice(0, own))
  if (!isObject(parent)) return false
  return ['name', 'key', 'header', 'id'].some((member) => {
    const named = parent[member]
    return typeof named === 'string' && isSecretName(named)
  })
}

/** Options with a mask in the place of each secret, and beside it `<name>_set`. */
export function masked(options: object, secrets: readonly Path[]): Fields {
  const shown = structuredClone(options) as Fields
  for (const path of secrets) {
    const parent = valueAt(shown, path.slice(0, -1))
    const key = path.at(-1) as string
    if (typeof parent !== 'object' || parent === null || (parent as Fields)[key] === undefined) continue
    ;(parent as Fields)[key] = MASK
    const mark = `${key}_set`
    if (!Array.isArray(parent) && !Object.hasOwn(parent, mark)) (parent as Fields)[mark] = true
  }
  return shown
}
