/**
 * The whole run: `npm run test:chaos`, with a number of requests and `true` or `false` for
 * `may_charge_twice` if wanted.
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
for (const mayChargeTwice of [false, true]) {
  if (only !== undefined && only !== String(mayChargeTwice)) continue
  const result = await chaos(owner, { requests, concurrency: 8, fastMs: 5, slowMs: 100, mayChargeTwice })
  show(mayChargeTwice ? 'may_charge_twice: true' : 'may_charge_twice: false', result)
}
for (const close of closers) await close()
