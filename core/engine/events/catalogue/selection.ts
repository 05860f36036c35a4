/** Validates selected event types: an unknown one would silently select nothing. */
import type { PluginSpec } from '../../contract/plugin.ts'
import { quotedWord } from '../../util/outside.ts'
import { didYouMean } from '../../util/suggest.ts'
import { CORE_CATALOGUE } from './core-events.ts'

/** Every event type of the core or these plugins. */
export function eventTypesOf(specs: readonly Pick<PluginSpec, 'events'>[]): ReadonlySet<string> {
  return new Set([...Object.keys(CORE_CATALOGUE), ...specs.flatMap(({ events = {} }) => Object.keys(events))])
}

/** Why a type or `prefix*` pattern selects nothing; undefined if it selects something. */
export function eventTypeProblem(pattern: string, types: ReadonlySet<string>): string | undefined {
  if (types.has(pattern)) return undefined
  const families = pattern.endsWith('*')
  const beginning = pattern.slice(0, -1)
  if (families && [...types].some((type) => type.startsWith(beginning))) return undefined
  const candidates = families ? familiesOf(types) : types
  const remedy = didYouMean(pattern, candidates) || ' docs/events.md lists them.'
  return `${quotedWord(pattern)} is not an event of the gateway or of an enabled plugin.${remedy}`
}

const familiesOf = (types: ReadonlySet<string>): Set<string> =>
  new Set([...types].map((type) => type.replace(/\.[^.]*$/, '.*')))
