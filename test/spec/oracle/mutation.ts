/** Faults put into the sources on purpose: an oracle that does not find them is worth nothing. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Mutation {
  readonly name: string
  /** Source file, from the root of the repository. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Tags of the cases that should find it, if not just any. */
  readonly classes?: readonly string[]
}

/** Fails loudly when the source has moved on. */
export function applyMutation(source: string, { name, file, find, replace }: Mutation): string {
  const times = source.split(find).length - 1
  if (times !== 1) throw new Error(`the mutation ${name} fits ${times} places of ${file} instead of one`)
  return source.replace(find, () => replace)
}

export interface Verdict {
  /** The oracle found a fault. */
  found: boolean
  /** The child did what it was to do: 0 no fault, 1 a fault. Others are failures of the harness. */
  code: number
  output: string
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const HOOK = fileURLToPath(new URL('mutation-hook.ts', import.meta.url))
const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

/** Runs the oracle over a gateway with this mutation, up to so many cases, in a process of its own. */
export function runMutation(mutation: Mutation, cases: number, seed: number): Promise<Verdict> {
  const file = `${ROOT}${mutation.file}`
  const classes = (mutation.classes ?? []).flatMap((tag) => ['--class', tag])
  const args = ['--conditions=governed-gateway-source', '--import', HOOK, RUN]
  const options = ['--cases', String(cases), '--seed', String(seed), '--first', ...classes]
  const env = { ...process.env, ORACLE_MUTATION: JSON.stringify({ ...mutation, file }) }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args, ...options],
      { cwd: ROOT, env, maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0
        resolve({ found: code === 1 && stdout.includes('\nFAILED '), code, output: `${stdout}\n${stderr}` })
      },
    )
  })
}
