/** The judge of growth finds a quadratic step, and no other, whatever else the machine does. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { costOf } from '../../helpers/thread-time.ts'
import { judge, type Row, shortPause } from './judge.ts'
import { measure, startBench } from './shapes.ts'

const LIMITS = { factor: 2, rounds: 3, mostRounds: 12, pause: shortPause }

/** Costs that a machine shows in turn, over and over: the first ones are dear. */
const noisy = (cost: (size: number) => number, noise: readonly number[]) => {
  let runs = 0
  return (bytes: number): Row => {
    const cpu = cost(bytes) * (noise[runs++ % noise.length] as number)
    return { bytes, cpu, pause: 1 }
  }
}
const NOISE = [4, 9, 2, 6, 1, 7, 3, 1.5, 8, 1.2, 1.1]

describe('the judge of growth', () => {
  it('passes linear costs, however dear single runs are', async () => {
    for (let shift = 0; shift < NOISE.length; shift++) {
      const noise = [...NOISE.slice(shift), ...NOISE.slice(0, shift)]
      assert.equal(
        await judge(
          noisy((n) => n / 1000, noise),
          [50_000, 150_000],
          LIMITS,
        ),
        undefined,
      )
    }
  })

  it('finds quadratic ones among as much noise', async () => {
    for (let shift = 0; shift < NOISE.length; shift++) {
      const noise = [...NOISE.slice(shift), ...NOISE.slice(0, shift)].map((one) => 1 + one / 40)
      const quadratic = noisy((n) => (n / 10_000) ** 2, noise)
      assert.match((await judge(quadratic, [50_000, 150_000], LIMITS)) ?? '', /150000 bytes .* more than/)
    }
  })

  it('measures no more once the costs do', async () => {
    let runs = 0
    const row = (bytes: number): Row => {
      runs++
      return { bytes, cpu: bytes / 1000, pause: 1 }
    }
    assert.equal(await judge(row, [1000, 3000], LIMITS), undefined)
    assert.equal(runs, LIMITS.rounds + 1)
  })

  it('names a pause', async () => {
    const row = (bytes: number): Row => ({ bytes, cpu: bytes / 1000, pause: 80 })
    assert.match((await judge(row, [1000, 3000], LIMITS)) ?? '', /others waited 80\.0 ms/)
  })

  it('finds a loop that is quadratic by its processor time', async () => {
    const compare = (size: number): Row => {
      const items = Array.from({ length: size }, (_, i) => i)
      let sum = 0
      const cpu = costOf(() => {
        for (const one of items) for (const other of items) sum += one ^ other
      })
      assert.ok(sum > 0)
      return { bytes: size, cpu, pause: 0 }
    }
    assert.match((await judge(compare, [1000, 3000], LIMITS)) ?? '', /bytes took .* more than/)
  })

  it('finds a plugin that is quadratic in a gateway', async () => {
    const use = fileURLToPath(new URL('quadratic.ts', import.meta.url))
    const bench = await startBench([{ use }])
    try {
      // Ten times the size, for of three times the gateway's own work would hide most; and pauses are not what is judged here.
      const wrong = await judge((size) => measure(bench, 'request', 'plain', size), [5_000, 50_000], {
        ...LIMITS,
        rounds: 3,
        mostRounds: 3,
        pause: () => Number.POSITIVE_INFINITY,
      })
      assert.match(wrong ?? '', /bytes took .* more than/)
    } finally {
      await bench.close()
    }
  })
})
