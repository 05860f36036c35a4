/** Faults put into the sources on purpose: an oracle that does not find them is worth nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { ROOM } from '../../helpers/room.ts'
import type { Case } from './case.ts'

/** A change of one source file. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  /** The same with the fault, which shows only while `$ON` is true. */
  readonly replace: string
}

export interface Mutation {
  readonly name: string
  readonly edits: readonly Edit[]
  /** What the cases that should find it have in common; all else of them is left to chance. */
  readonly only?: Partial<Case>
  /** Shows in no exchange by itself, but in what any few of them leave behind: the trail, exports. */
  readonly kept?: true
}

/** True while the fault is to show. All mutations are in the sources of one process; each is switched on by itself. */
const switchOf = (name: string): string => `(globalThis.oracleMutation === ${JSON.stringify(name)})`

/** Fails loudly when the source has moved on. */
export function applyEdit(source: string, name: string, { file, find, replace }: Edit): string {
  const times = source.split(find).length - 1
  if (times !== 1) throw new Error(`the mutation ${name} fits ${times} places of ${file} instead of one`)
  if (!replace.includes('$ON')) throw new Error(`the mutation ${name} of ${file} has no switch`)
  return source.replace(find, () => replace.replaceAll('$ON', () => switchOf(name)))
}

/** What came of one mutation. */
export interface Verdict {
  readonly name: string
  /** Cases until the fault was found, or all that were tried. */
  readonly done: number
  readonly found: boolean
  /** What was found, for the report. */
  readonly told: string
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const HOOK = fileURLToPath(new URL('mutation-hook.ts', import.meta.url))
const RUN = fileURLToPath(new URL('run-mutations.ts', import.meta.url))

/** Runs the oracle over a gateway with these mutations, one after the other, in a process of its own: verdicts as they come. */
export async function* runMutations(
  mutations: readonly Mutation[],
  cases: number,
  seed: number,
  script = RUN,
): AsyncGenerator<Verdict, undefined> {
  const args = [...ROOM, '--conditions=governed-gateway-source', HOOK, script, String(cases), String(seed)]
  const env = { ...process.env, ORACLE_MUTATIONS: JSON.stringify(mutations), ORACLE_ROOT: ROOT }
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const ended = once(child, 'close')
    const errors = text(child.stderr)
    for await (const line of createInterface(child.stdout)) yield JSON.parse(line) as Verdict
    const [code] = await ended
    if (code !== 0) throw new Error(`it ended with ${code}: ${await errors}`)
  } finally {
    child.kill()
  }
}
