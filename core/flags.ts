import type { KeyConfig } from './config/types.ts'
import { flagsFact } from './facts.ts'
import type { LoadedPlugin } from './loader.ts'
import type { Problem } from './options.ts'
import type { FlagSpec } from './plugin.ts'

const MAX_INTEGER = 1_000_000_000_000

/** The value a text stands for, aliases resolved; undefined when the flag does not take it. */
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
 * True when `a` asks for less than `b`. Listed values come loosest first; a number is tighter than all of them, and a
 * smaller one tighter than a larger one.
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

/** What is wrong with the flags that keys set: a flag nobody reads would be a promise that nobody keeps. */
export function keyFlagProblems(keys: readonly KeyConfig[], plugins: readonly LoadedPlugin[]): Problem[] {
  const declared = new Map(plugins.flatMap(({ spec }) => Object.entries(spec.flags ?? {})))
  const known = [...declared.keys()].join(', ')
  const applied = plugins.some(({ spec }) => spec.provides?.some(({ key }) => key === flagsFact.key))
  const problems: Problem[] = []
  for (const [i, { flags }] of keys.entries()) {
    for (const [name, value] of Object.entries(flags)) {
      const path = `keys[${i}].flags.${name}`
      const flag = declared.get(name)
      if (!applied) problems.push({ path, message: "needs the plugin 'flags', which is not enabled" })
      else if (flag === undefined) {
        const which = known === '' ? 'No plugin that is enabled declares one.' : `Declared: ${known}.`
        problems.push({ path, message: `is a flag that no enabled plugin declares. ${which}` })
      } else if (parseFlag(flag, String(value)) === undefined) {
        problems.push({ path, message: `must be ${allowedValues(flag)}` })
      }
    }
  }
  return problems
}
