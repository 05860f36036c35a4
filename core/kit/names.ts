import type { OptionProblem } from '../engine/contract/plugin.ts'
import { didYouMean } from '../engine/util/suggest.ts'

/**
 * For `check` of a plugin: a warning when a name fits nothing of the config, with the nearest that would, else an empty
 * list. `what` is the kind of thing, `key`; `known` undefined says that nobody can tell. A name may also be a pattern, such
 * as a glob: `fits` decides.
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
