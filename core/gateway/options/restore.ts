/** Options as an admin sent them, with kept secrets in the place of masks. */
import { isDeepStrictEqual } from 'node:util'
import { formatPath } from '../../engine/config/paths.ts'
import type { Json, SettingsProblem } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { MASK } from '../../services/settings/mask.ts'
import { masked, type Path, valueAt } from './secrets.ts'

export interface Restored {
  readonly options: Fields
  /** Where kept secrets are, and where they were. */
  readonly kept: readonly { readonly at: Path; readonly from: Path }[]
  readonly problems: readonly SettingsProblem[]
}

const ONLY_MASK = 'is only the mask, and there is no value to keep: send the value'
const REFERENCE = 'is a reference to the environment, which only the config file may have: write it there'

/** @param secrets paths of the secrets in `before`, the options in force */
export function restored(sent: Fields, before: object, secrets: readonly Path[]): Restored {
  const shown = masked(before, secrets)
  const kept: { at: Path; from: Path }[] = []
  const problems: SettingsProblem[] = []
  const complain = (at: Path, message: string): void => void problems.push({ field: formatPath(at), message })
  const walk = (value: Json, old: Json | undefined, at: Path, from: Path): Json => {
    if (value === MASK) {
      if (old === MASK) kept.push({ at, from })
      else complain(at, ONLY_MASK)
      return old === MASK ? (valueAt(before, from) as Json) : value
    }
    if (typeof value === 'string' && /^\$\{[A-Za-z_]\w*(?::-.*)?\}$/s.test(value) && value !== old)
      complain(at, REFERENCE)
    if (Array.isArray(value)) {
      const list = Array.isArray(old) ? old : []
      return value.map((item, i) => {
        const j = sameItem(list, item, i)
        return walk(item, list[j], [...at, i], [...from, j])
      })
    }
    if (!isObject<Json>(value)) return value
    const past: Fields = isObject<Json>(old) ? old : {}
    const members = Object.entries(value).filter(([name]) => !isMark(name, past))
    return Object.fromEntries(
      members.map(([name, member]) => [name, walk(member, past[name], [...at, name], [...from, name])]),
    )
  }
  const options = walk(sent, shown, [], []) as Fields
  problems.push(
    ...movedSecrets(
      options,
      before,
      kept.map(({ at }) => at),
    ),
  )
  return { options, kept, problems }
}

/** A member that only answers have. */
const isMark = (name: string, shown: Fields): boolean => name.endsWith('_set') && shown[name.slice(0, -4)] === MASK

/** The item that was changed or moved; by its name, or as it was. */
function sameItem(list: readonly Json[], item: Json, i: number): number {
  if (isDeepStrictEqual(list[i], item)) return i
  const same = list.findIndex((one) => isDeepStrictEqual(one, item))
  if (same >= 0 || !isObject<Json>(item)) return same
  const { name, id } = item
  return list.findIndex(
    (one) => isObject<Json>(one) && (name ?? id) !== undefined && one.name === name && one.id === id,
  )
}

const TARGETS = /url|host|endpoint|address|server|domain|issuer|socket|target/i

/** A kept secret must not go elsewhere: if a target is new, secrets must be sent again. */
function movedSecrets(options: object, before: object, kept: readonly Path[]): SettingsProblem[] {
  if (kept.length === 0) return []
  const own = new Set(kept.map(formatPath))
  const known = new Set(targetsIn(before).map(({ target }) => target))
  const moved = targetsIn(options).find(({ target, at }) => !known.has(target) && !own.has(at))
  if (moved === undefined) return []
  const message = `must be sent again: ${moved.at} leads to another receiver now`
  return kept.map((path) => ({ field: formatPath(path), message }))
}

function targetsIn(value: unknown, path: Path = []): { target: string; at: string }[] {
  if (typeof value === 'string') {
    const name = String(path.findLast((step) => typeof step === 'string') ?? '')
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined
    if (url === undefined && !TARGETS.test(name)) return []
    const place = url === undefined ? value : `${url.protocol}//${url.host}`
    return [{ target: `${name} ${place}`, at: formatPath(path) }]
  }
  if (Array.isArray(value)) return value.flatMap((item, i) => targetsIn(item, [...path, i]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => targetsIn(member, [...path, name]))
}
