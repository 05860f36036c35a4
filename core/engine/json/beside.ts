import type { Json } from '../contract/plugin.ts'
import type { JsonObject } from './strict.ts'

/** Longest name to show. */
const MAX_NAME = 64

const each = (list: string): string[] =>
  list.split(' ').flatMap((name) => {
    const capital = name[0]!.toUpperCase() + name.slice(1)
    const joined = (text: string) => text.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    return [name, name.toUpperCase(), capital, joined(name), joined(capital)]
  })

/** Members whose value another member of the same object names. */
const VALUES: ReadonlySet<string> = new Set(
  each(
    'value values val v content contents data default text secret string raw plaintext plain_text string_value ' +
      'default_value parameter_value option_value header_value field_value env_value variable_value attribute_value ' +
      'current current_value new_value secret_string literal',
  ),
)

/** Members that name the value of another one; the first of them that an object has counts. */
const NAMES: ReadonlyMap<string, number> = new Map(
  each(
    'name key variable var header field parameter param option attribute property label env k n parameter_key ' +
      'parameter_name header_name field_name option_name env_name variable_name attribute_name key_name secret_name ' +
      'setting config_key identifier slug path title id selector element locator placeholder',
  ).map((name, rank) => [name, rank]),
)

/** What names the values of one object or list. */
export class Names {
  readonly #container: JsonObject | readonly Json[]
  #known: { readonly name: string | undefined } | undefined = undefined

  constructor(container: JsonObject | readonly Json[]) {
    this.#container = container
  }

  /** Another member of the object, in any order, or the element before it. */
  of(step: string | number): string | undefined {
    if (typeof step === 'number') {
      const before = step > 0 ? (this.#container as readonly Json[])[step - 1] : undefined
      return isName(before) ? before : undefined
    }
    if (!VALUES.has(step)) return undefined
    this.#known ??= { name: nameIn(this.#container as JsonObject) }
    return this.#known.name
  }
}

function nameIn(object: JsonObject): string | undefined {
  let best = Number.POSITIVE_INFINITY
  let name: string | undefined
  for (const member in object) {
    const rank = NAMES.get(member)
    if (rank === undefined || rank >= best) continue
    const value = object[member] as Json
    if (!isName(value)) continue
    best = rank
    name = value
  }
  return name
}

const isName = (value: Json | undefined): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME
