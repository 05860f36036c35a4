/** Paths of secrets and targets in settings: `auth_token`, `destination_options.api_key`, `destinations[].url`. */
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../util/is-object.ts'

export type Fields = { [name: string]: Json }

export interface SettingPath {
  readonly text: string
  /** The top-level field. */
  readonly field: string
  readonly steps: readonly Step[]
  /** The list of records that contains it; undefined outside of lists. */
  readonly list: string | undefined
}

interface Step {
  readonly name: string
  readonly each: boolean
}

export function parseSettingPath(text: string): SettingPath {
  const steps = text.split('.').map((part) => {
    const each = part.endsWith('[]')
    return { name: each ? part.slice(0, -2) : part, each }
  })
  const last = steps.findLastIndex(({ each }) => each)
  const list =
    last === -1
      ? undefined
      : text
          .split('.')
          .slice(0, last + 1)
          .join('.')
  return { text, field: (steps[0] as Step).name, steps, list }
}

/** A place named by a path, in two versions of the same settings. */
export interface Place {
  readonly parent: Fields
  readonly key: string
  readonly at: readonly (string | number)[]
  readonly value: Json | undefined
  /** The earlier value; list items are matched by `name`. */
  readonly before: Json | undefined
  /** Path of its record in a list, such as `destinations.0`, or empty. */
  readonly record: string
}

/** Every place of a path whose parent exists in `settings`. */
export function placesOf({ steps }: SettingPath, settings: unknown, before?: unknown): Place[] {
  const places: Place[] = []
  const walk = (rest: readonly Step[], now: unknown, old: unknown, at: (string | number)[], record: string): void => {
    const [step, ...further] = rest
    if (step === undefined || !isObject<Json>(now)) return
    const { name, each } = step
    const past = isObject<Json>(old) ? old[name] : undefined
    if (each) {
      if (!Array.isArray(now[name])) return
      for (const [i, item] of now[name].entries()) {
        const own = [...at, name, i]
        walk(further, item, sameItem(past, item), own, own.join('.'))
      }
    } else if (further.length > 0) walk(further, now[name], past, [...at, name], record)
    else places.push({ parent: now, key: name, at: [...at, name], value: now[name], before: past, record })
  }
  walk(steps, settings, before, [], '')
  return places
}

function sameItem(list: Json | undefined, item: Json): Json | undefined {
  if (!Array.isArray(list) || !isObject<Json>(item) || item.name === undefined) return undefined
  return list.find((one) => isObject<Json>(one) && one.name === item.name)
}
