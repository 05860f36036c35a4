import type { OptionProblem } from '../engine/contract/plugin.ts'
import { didYouMean } from '../engine/util/suggest.ts'

/**
 * For a plugin's `check`: warns if a name matches nothing in the config, and suggests the nearest; otherwise returns an
 * empty list. `what` is the kind of thing, such as `key`; `known` is undefined if the names are unknown. `fits` decides
 * matches, so a name may be a pattern such as a glob.
 */
export function unknownName(
  option: string,
  what: string,
  name: string,
  known: ReadonlySet<string> | undefined,
  fits: (name: string, candidate: string) => boolean = (name, candidate) => name === candidate,
): OptionProblem[] {
  if (known === undefined || [...known].some((candidate) => fits(name, candidate))) return []
  const message = `the config has no ${what} '${name}', so this fits nothing.${didYouMean(name, known)}`
  return [{ option, message, severity: 'warning' }]
}
