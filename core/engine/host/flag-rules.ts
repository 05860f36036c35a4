import type { KeyConfig } from '../config/types.ts'
import type { Problem } from '../config/validate.ts'
import { flagsFact } from '../contract/facts.ts'
import type { FlagSpec } from '../contract/plugin.ts'
import { isWord } from '../util/outside.ts'
import { didYouMean } from '../util/suggest.ts'
import type { LoadedPlugin } from './loaded-plugin.ts'

const MAX_INTEGER = 1_000_000_000_000

/** Parses a flag's value and resolves aliases; undefined if the flag does not accept it. */
export function parseFlag(flag: FlagSpec, text: string): string | number | undefined {
  const { values, aliases } = flag
  if (values !== 'integer') {
    const value = aliases !== undefined && Object.hasOwn(aliases, text) ? (aliases[text] as string) : text
    if (values.includes(value)) return value
    if (flag.integer !== true) return undefined
  }
  const number = /^[1-9]\d{0,12}$/.test(text) ? Number(text) : 0
  return number > 0 && number <= MAX_INTEGER ? number : undefined
}

/**
 * Whether `a` is looser than `b`. Listed values are ordered from loosest; a number is tighter than all of them, and a
 * smaller number is tighter than a larger one.
 */
export function isLooser(flag: FlagSpec, a: string | number, b: string | number): boolean {
  if (typeof a === 'number') return typeof b === 'number' && a > b
  if (typeof b === 'number') return true
  return flag.values !== 'integer' && flag.values.indexOf(a) < flag.values.indexOf(b)
}

/** `off, warn, enforce or a whole number from 1`, for messages. */
export function allowedValues({ values, integer }: FlagSpec): string {
  const number = 'a whole number from 1'
  if (values === 'integer') return number
  return integer === true ? `${values.join(', ')} or ${number}` : values.join(', ')
}

export const declaredFlags = (plugins: readonly LoadedPlugin[]): Map<string, FlagSpec> =>
  new Map(plugins.flatMap(({ spec }) => Object.entries(spec.flags ?? {})))

/** The problem of an operator's flag; undefined if it is valid. `text` is its value in the config. */
export function flagProblem(flags: ReadonlyMap<string, FlagSpec>, name: string, text: string): string | undefined {
  const flag = flags.get(name)
  if (flag === undefined) {
    const known = [...flags.keys()].sort()
    const hint = known.length === 0 ? ' No plugin that is enabled declares one.' : ` Declared: ${known.join(', ')}.`
    return `is a flag that no enabled plugin declares.${didYouMean(name, known) || hint}`
  }
  if (parseFlag(flag, text) !== undefined) return undefined
  const { values } = flag
  return `must be ${allowedValues(flag)}${values === 'integer' ? '' : didYouMean(text, values).replace(/^ /, '. ')}`
}

/** Problems of flags that keys set or allow. An unknown flag would have no effect, although the config promises one. */
export function keyFlagProblems(keys: readonly KeyConfig[], plugins: readonly LoadedPlugin[]): Problem[] {
  const declared = declaredFlags(plugins)
  const applied = plugins.some(({ spec }) => spec.provides?.some(({ key }) => key === flagsFact.key))
  const problemOf = (name: string, text: string): string | undefined =>
    applied ? flagProblem(declared, name, text) : `needs a plugin that provides '${flagsFact.key}', and none is enabled`
  const problems: Problem[] = []
  for (const [i, { flags, flags_allow }] of keys.entries()) {
    for (const [name, value] of Object.entries(flags)) {
      const message = problemOf(name, String(value))
      const path = `keys[${i}].flags${isWord(name) ? `.${name}` : ''}`
      if (message !== undefined) problems.push({ path, message })
    }
    for (const [j, entry] of flags_allow.entries()) {
      const [name = '', text = ''] = entry.split('=')
      // A star matches every value: only the name can be wrong.
      const message = text === '*' && declared.has(name) && applied ? undefined : problemOf(name, text)
      if (message !== undefined)
        problems.push({ path: `keys[${i}].flags_allow[${j}]`, message: `${isWord(name) ? name : 'it'} ${message}` })
    }
  }
  return problems
}
