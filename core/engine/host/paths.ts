/** Where secrets and targets stand in settings: `auth_token`, `destination_options.api_key`, `destinations[].url`. */
import type { Json } from '../contract/plugin.ts'
import { isObject } from '../util/is-object.ts'

export type Fields = { [name: string]: Json }

export interface SettingPath {
  readonly text: string
  /** The field it starts in. */
  readonly field: string
  readonly steps: readonly Step[]
  /** The list whose items are records of their own, or undefined when it belongs to the record as a whole. */
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

/** One place that a path names, in two versions of the same settings. */
export interface Place {
  readonly parent: Fields
  readonly key: string
  readonly at: readonly (string | number)[]
  readonly value: Json | undefined
  /** What stood there before; items of lists are the same when their `name` is. */
  readonly before: Json | undefined
  /** Name of the record it belongs to: the item's place in `list`, or empty. */
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
