/**
 * The whole run: `npm run test:chaos`, with a number of requests, and `never`, `idempotent` or `always` for what happens to
 * requests that may have been charged.
 */
import { type ChaosResult, chaos } from './chaos.ts'

const requests = Number(process.argv[2] ?? 10_000)
const closers: (() => Promise<void>)[] = []
const owner = { after: (fn: () => Promise<void>) => void closers.push(fn) }

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)

function show(name: string, { before, beforeFirst, ...rest }: ChaosResult): void {
  const added = Object.fromEntries(
    [0.5, 0.9, 0.99].map((share) => [`p${share * 100}`, at(before, share) - at(beforeFirst, share)]),
  )
  process.stdout.write(`${name}: ${JSON.stringify({ success: rest.ok / requests, ...rest, ms_added: added })}\n`)
}

const [, , , only] = process.argv
for (const again of ['never', 'idempotent', 'always'] as const) {
  if (only !== undefined && only !== again) continue
  show(again, await chaos(owner, { requests, concurrency: 8, fastMs: 5, slowMs: 100, again }))
}
for (const close of closers) await close()
