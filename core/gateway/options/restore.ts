/** Options as an admin sent them, with kept secrets in the place of masks. */
import { isDeepStrictEqual } from 'node:util'
import { formatPath } from '../../engine/config/paths.ts'
import type { Json, SettingsProblem } from '../../engine/contract/plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { MASK } from '../../services/settings/mask.ts'
import { moved } from './moved.ts'
import { type Path, valueAt } from './schema-walk.ts'
import { masked } from './secrets.ts'

export interface Restored {
  readonly options: Fields
  /** Where kept secrets are, and where they were. */
  readonly kept: readonly { readonly at: Path; readonly from: Path }[]
  /** Secrets that were sent anew in the place of others. */
  readonly fresh: readonly Path[]
  readonly problems: readonly SettingsProblem[]
}

const ONLY_MASK = 'is only the mask, and there is no value to keep: send the value'
const REFERENCE = 'is a reference to the environment, which only the config file may have: write it there'

/** @param before the options in force; @param secrets their paths in it */
export function restored(sent: Fields, before: Fields, schema: object, secrets: readonly Path[]): Restored {
  const shown = masked(before, secrets)
  const kept: { at: Path; from: Path }[] = []
  const fresh: Path[] = []
  const problems: SettingsProblem[] = []
  const complain = (at: Path, message: string): void => void problems.push({ field: formatPath(at), message })
  const walk = (value: Json, old: Json | undefined, at: Path, from: Path): Json => {
    if (value === MASK) {
      if (old === MASK) kept.push({ at, from })
      else complain(at, ONLY_MASK)
      return old === MASK ? (valueAt(before, from) as Json) : value
    }
    if (old === MASK) fresh.push(at)
    if (typeof value === 'string' && /^\$\{[A-Za-z_]\w*(?::-.*)?\}$/s.test(value) && value !== old)
      complain(at, REFERENCE)
    if (Array.isArray(value)) {
      const list = Array.isArray(old) ? old : []
      const places = placesBefore(value, list)
      return value.map((item, i) => {
        const j = places[i] ?? -1
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
  for (const { at, from } of kept) {
    const place = moved(schema, { options: before, at: from }, { options, at }, true)
    if (place !== undefined)
      complain(at, `must be sent again: ${place} is another now, and may lead to another receiver`)
  }
  return { options, kept, fresh, problems }
}

/** A member that only answers have. */
const isMark = (name: string, shown: Fields): boolean =>
  name.endsWith('_set') && shown[name] === true && shown[name.slice(0, -4)] === MASK

/** Where the items of a list were; -1 for new ones, and for those that could be several. */
function placesBefore(items: readonly Json[], list: readonly Json[]): number[] {
  const texts = list.map((one) => JSON.stringify(one))
  const places = new Map<string, number[]>()
  for (const [j, text] of texts.entries()) places.set(text, [...(places.get(text) ?? []), j])
  const sent = items.map((one) => JSON.stringify(one))
  const counts = new Map<string, number>()
  for (const text of sent) counts.set(text, (counts.get(text) ?? 0) + 1)
  const taken = new Map<string, number>()
  return items.map((item, i) => {
    const text = sent[i] as string
    const same = places.get(text)
    if (same === undefined) return changedItem(list, item, i, items.length)
    const nth = taken.get(text) ?? 0
    taken.set(text, nth + 1)
    if (same.length === 1) return same[0] as number
    // Items that look alike have different secrets: so removed and duplicated ones cannot be distinguished.
    return counts.get(text) === same.length ? (same[nth] as number) : -1
  })
}

/** By its name; without one, by its place. */
function changedItem(list: readonly Json[], item: Json, i: number, length: number): number {
  if (!isObject<Json>(item)) return -1
  const known = (['name', 'id'] as const).filter((member) => item[member] !== undefined && item[member] !== MASK)
  const isSame = (one: Json | undefined): boolean =>
    isObject<Json>(one) && known.every((member) => isDeepStrictEqual(one[member], item[member]))
  if (known.length === 0) return list.length === length ? i : -1
  const named = list.flatMap((one, j) => (isSame(one) ? [j] : []))
  if (named.length <= 1) return named[0] ?? -1
  return list.length === length && named.includes(i) ? i : -1
}
