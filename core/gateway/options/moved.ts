/** Where secrets go: what decides it must be as it was, or a kept secret would be sent to another receiver. */
import { formatPath } from '../../engine/config/paths.ts'
import { isOfSchema, type Path, visitOptions } from './schema-walk.ts'
import { isSecretName } from './secret-names.ts'

const TARGETS =
  /account|addr|base|broker|bucket|cluster|dest|domain|endpoint|hook|host|ip$|issuer|org|path|port|project|proxy|receiver|region|resource|server|service|sink|socket|target|tenant|^to$|topic|upstream|ur[il]/i

export interface Place {
  readonly options: object
  /** Of the secret. */
  readonly at: Path
}

/**
 * What differs around a secret that was at `before` and is at `after`: urls and names of targets anywhere but in other
 * items of the same list, added and removed ones too. `isStrict`: also every text beside it or beside what contains it,
 * except choices and other secrets, since names of targets are only known from experience.
 */
export function moved(schema: object, before: Place, after: Place, isStrict: boolean): string | undefined {
  const was = surroundings(schema, before, isStrict)
  const is = surroundings(schema, after, isStrict)
  const changed = [...new Set([...is.keys(), ...was.keys()])].find((key) => is.get(key)?.value !== was.get(key)?.value)
  return changed === undefined ? undefined : formatPath((is.get(changed) ?? was.get(changed))?.path ?? [])
}

function surroundings(
  schema: object,
  { options, at }: Place,
  isStrict: boolean,
): Map<string, { value: unknown; path: Path }> {
  const found = new Map<string, { value: unknown; path: Path }>()
  visitOptions(schema, options, ({ value, path, schemas }) => {
    const shared = at.findIndex((step, i) => path[i] !== step)
    if (shared < 0) return true
    const isOtherItem = typeof path[shared] === 'number' && typeof at[shared] === 'number'
    if (isOtherItem) return true
    if (typeof value !== 'string' && typeof value !== 'number') return false
    const isBeside = isStrict && typeof value === 'string' && path.length === shared + 1
    const isText = isBeside && !isSecretName(String(path.at(-1)))
    // Places in a list may change, and the item is the same.
    if (isTarget(value, path) || (isText && !isOfSchema(value, schemas)))
      found.set(JSON.stringify([path.slice(0, shared).map(anyPlace), path.slice(shared)]), { value, path })
    return false
  })
  return found
}

const anyPlace = (step: string | number): string => (typeof step === 'number' ? '[]' : step)

const isTarget = (value: string | number, path: Path): boolean =>
  path.some((step) => typeof step === 'string' && TARGETS.test(step)) ||
  (typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\//i.test(value))
