/** Receivers that answer anything, settings that change, restarts: what must hold in every case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../helpers/rounds.ts'
import { type Answer, event, idsOf, type Rig, startRig } from './rig.ts'

const answers: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(200) },
  { weight: 2, arbitrary: fc.constant('down' as const) },
  { weight: 1, arbitrary: fc.constantFrom(400, 401, 408, 413, 422, 429, 500, 503, 302) },
  {
    weight: 1,
    arbitrary: fc.nat(600).map((wait) => ({ status: 429, headers: { 'retry-after': String(wait) } })),
  },
)

const runs = fc.record({
  answers: fc.array(answers, { maxLength: 40 }),
  batches: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
  buffer_size: fc.integer({ min: 1, max: 30 }),
  max_retries: fc.integer({ min: 0, max: 4 }),
  /** After which calls the settings change, and after which one the process restarts. */
  changes: fc.array(fc.nat(30), { maxLength: 3 }),
  restart: fc.option(fc.nat(20), { nil: undefined }),
})

async function everything(rigs: readonly Rig[]): Promise<string[]> {
  const { entries } = await (rigs.at(-1) as Rig).deadLetter.page(100_000)
  return [...rigs.flatMap((rig) => rig.received()), ...entries.map((entry) => entry.event.id)]
}

test('every event is delivered or dead-lettered once, and deliveries are in order', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ answers, batches, buffer_size, max_retries, changes, restart }) => {
      const settings = { buffer_size, max_retries, retry_backoff_seconds: 1 }
      let calls = 0
      let rig = await startRig({ settings })
      const rigs = [rig]
      const script = () => {
        const answer = answers[calls++] ?? 200
        if (changes.includes(calls)) rig.set({ source_name: `name-${calls}` })
        return answer
      }
      rig.answer = script
      rig.start()
      const all: string[] = []
      for (const count of batches) {
        const some = Array.from({ length: count }, () => event())
        all.push(...idsOf(some))
        await rig.append(...some)
        if (restart !== undefined && calls >= restart && rigs.length === 1) {
          await rig.stop()
          rig = await startRig({ settings, store: rig.store })
          rig.answer = script
          rig.start()
          rigs.push(rig)
        }
      }
      await rig.until(async () => new Set(await everything(rigs)).size === all.length)
      await rig.stop()
      assert.deepEqual((await everything(rigs)).toSorted(), all)
      const delivered = rigs.flatMap((one) => one.received())
      assert.deepEqual(delivered, delivered.toSorted())
      const backlog = await rig.consumer().backlog()
      assert.equal(backlog.events, 0)
      await rig.store.close()
    }),
    { numRuns: rounds(40), interruptAfterTimeLimit: 15_000 },
  )
})

const filtered = fc.record({
  answers: fc.array(answers, { maxLength: 20 }),
  /** How many that are not exported stand in front of each that is. */
  gaps: fc.array(fc.oneof(fc.nat(3), fc.nat(900)), { minLength: 1, maxLength: 12 }),
  behind: fc.nat(1500),
  buffer_size: fc.integer({ min: 1, max: 5 }),
  change: fc.nat(20),
})

test('what is not exported is acknowledged and counted, and nothing that is exported with it', async () => {
  await fc.assert(
    fc.asyncProperty(filtered, async ({ answers, gaps, behind, buffer_size, change }) => {
      const settings = { buffer_size, severity_filter: 'block', retry_backoff_seconds: 1 } as const
      const rig = await startRig({ settings })
      let calls = 0
      rig.answer = () => {
        if (calls === change) rig.set({ source_name: 'renamed' })
        return answers[calls++] ?? 200
      }
      rig.start()
      const exported: string[] = []
      for (const gap of gaps) {
        const one = event('request.blocked', 'block')
        exported.push(one.id)
        await rig.append(...Array.from({ length: gap }, () => event()), one)
      }
      await rig.append(...Array.from({ length: behind }, () => event()))
      await rig.until(async () => (await rig.consumer().backlog()).events === 0)
      await rig.stop()
      assert.deepEqual((await everything([rig])).toSorted(), exported)
      assert.deepEqual(rig.received(), rig.received().toSorted())
      assert.equal((await rig.status()).filtered, behind + gaps.reduce((sum, gap) => sum + gap, 0))
      await rig.store.close()
    }),
    { numRuns: rounds(30), interruptAfterTimeLimit: 15_000 },
  )
})
