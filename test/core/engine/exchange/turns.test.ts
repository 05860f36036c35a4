import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { definePlugin, type GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import { startPlugin } from '../../../../core/testing/index.ts'
import { chainOf, exchangeOf } from '../../../helpers/core.ts'

const schema = { type: 'object', properties: {}, additionalProperties: false } as const
const DEADLINE = 200
const STEP = 10

type Plugin = Parameters<typeof startPlugin>[0]

async function started(t: TestContext, plugin: Plugin): Promise<Awaited<ReturnType<typeof startPlugin>>> {
  const rig = await startPlugin(plugin)
  t.after(() => rig.close())
  return rig
}

/** A clock that stands still until it is told to go on. */
function handClock(t: TestContext): (ms: number) => void {
  let now = performance.now()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  t.mock.method(performance, 'now', () => now)
  return (ms) => {
    now += ms
    t.mock.timers.tick(ms)
  }
}

/** Works for three times its deadline without letting others go on, or with. */
const worker = (turns: boolean, pass: (ms: number) => void) =>
  definePlugin({
    name: 'worker',
    timeoutMs: DEADLINE,
    schema,
    create: () => ({
      async detect(view, x) {
        if (view.direction === 'output') return
        // Always in little pieces, of which the deadline hears or not.
        for (let worked = 0; worked < 3 * DEADLINE; worked += STEP) {
          pass(STEP)
          await (turns ? x.nextTurn() : new Promise(setImmediate))
        }
        view.report({ type: 'worked', start: 0, end: 1 })
      },
    }),
  })

describe('a plugin that works for long', () => {
  it('may take more than its deadline when it lets others go on', async (t) => {
    const gateway = await started(t, worker(true, handClock(t)))
    const { outcome, detections } = await gateway.send('Hello')
    assert.equal(outcome, 'completed')
    assert.deepEqual(
      detections.map(({ type }) => type),
      ['worked'],
    )
  })

  it('does not answer for what others do before its turn comes', async (t) => {
    const pass = handClock(t)
    const waiting = definePlugin({
      name: 'waiting',
      timeoutMs: DEADLINE,
      schema,
      create: () => ({
        async detect(_, x) {
          // The deadline begins when a tap has returned its promise.
          await new Promise(setImmediate)
          const turn = x.nextTurn()
          pass(3 * DEADLINE)
          await turn
        },
      }),
    })
    const gateway = await started(t, waiting)
    assert.equal((await gateway.send('Hello')).outcome, 'completed')
  })

  it('is bound to its deadline otherwise', async (t) => {
    const gateway = await started(t, worker(false, handClock(t)))
    const { status, error } = await gateway.send('Hello')
    assert.equal(status, 503)
    assert.equal(error?.code, 'guardrail_unavailable')
  })
})

describe('a promise', () => {
  for (const [blocked, waited, isSlow] of [
    [5, 145, true],
    [5, 94, false],
    [60, 0, true],
    [49, 0, false],
  ] as const) {
    const times = `${blocked} ms of all exchanges and ${waited} ms of its own, of ${DEADLINE}`
    it(`that takes ${times} is told as slow: ${isSlow}`, async (t) => {
      const pass = handClock(t)
      const told: GovernanceEvent[] = []
      const assembly = await chainOf([
        { apply: (hooks) => hooks.onEvent.tap('observer', (event) => void told.push(event)) },
        {
          name: 'waiting',
          timeoutMs: DEADLINE,
          apply: (hooks) =>
            hooks.classify.tap('waiting', async () => {
              pass(blocked)
              await undefined
              pass(waited)
            }),
        },
      ])
      await assembly.chain.hooks.classify.promise(exchangeOf(assembly))
      assert.deepEqual(
        told.map(({ type, plugin, hook, duration_ms, blocked_ms }) => [type, plugin, hook, duration_ms, blocked_ms]),
        isSlow ? [['plugin.slow', 'waiting', 'classify', blocked + waited, blocked]] : [],
      )
    })
  }
})

describe('a request of many texts', () => {
  it('shows each to a plugin once, in order, and lets others go on in between', async (t) => {
    const seen: string[] = []
    let turns = 0
    const reader = definePlugin({
      name: 'reader',
      schema,
      create: () => ({
        detect(view) {
          if (view.direction === 'output' || view.reading === 'border') return
          if (seen.length === 0) {
            const count = () => {
              turns++
              if (seen.length < 2000) setImmediate(count).unref()
            }
            setImmediate(count)
          }
          seen.push(view.text)
          if (view.text === '1999') view.report({ type: 'last', start: 0, end: 4, action: 'redact' })
        },
      }),
    })
    const gateway = await started(t, reader)
    const messages = Array.from({ length: 2000 }, (_, i) => ({ role: 'user', content: String(i) }))
    const { sent } = await gateway.send({ messages })
    assert.deepEqual(
      seen,
      messages.map(({ content }) => content),
    )
    assert.ok(turns > 3, String(turns))
    const last = (sent?.body.messages as { content: string }[] | undefined)?.at(-1)
    assert.equal(last?.content, '[LAST]')
  })

  it('makes and merges tiny texts in turns, and rewrites each of them', async (t) => {
    const passed: number[] = []
    let turns = 0
    let counting = true
    const count = () => {
      turns++
      if (counting) setImmediate(count).unref()
    }
    const reader = definePlugin({
      name: 'reader',
      schema,
      create: () => ({
        apply(hooks) {
          hooks.preRequest.tap('reader', () => {
            setImmediate(count)
          })
          hooks.classify.tap('reader', ({ request }) => {
            passed.push(turns)
            for (const view of request.views) {
              if (view.text.startsWith('word')) view.report({ type: 'w', start: 0, end: 4, action: 'redact' })
            }
          })
          hooks.block.tap('reader', () => {
            passed.push(turns)
            counting = false
          })
        },
      }),
    })
    const gateway = await started(t, reader)
    const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`)
    const { sent } = await gateway.send({ messages: [{ role: 'user', content: 'hi' }], metadata: words })
    const [making, merging] = passed as [number, number]
    assert.ok(making >= 5, `views were made in ${making} turns`)
    assert.ok(merging - making >= 5, `texts were merged in ${merging - making} turns`)
    const sentWords = sent?.body.metadata as unknown as string[] | undefined
    assert.equal(sentWords?.join(), words.map((_, i) => `[W]${i}`).join())
  })
})

describe('a request of middle size', () => {
  const ENCODED = Buffer.from('a word that is encoded').toString('base64')

  /** Turns of others while the texts of a request are read, before a plugin sees the first. */
  async function turnsOfReading(t: TestContext, texts: number, characters: number): Promise<number> {
    let turns = 0
    let read: number | undefined
    const count = () => {
      turns++
      if (read === undefined) setImmediate(count).unref()
    }
    const reader = definePlugin({
      name: 'reader',
      schema,
      create: () => ({
        apply(hooks) {
          hooks.preRequest.tap('reader', () => {
            setImmediate(count)
          })
        },
        detect(view) {
          if (view.direction === 'input') read ??= turns
        },
      }),
    })
    const gateway = await started(t, reader)
    const content = `${ENCODED} `.repeat(characters / (ENCODED.length + 1))
    const messages = Array.from({ length: texts }, () => ({ role: 'user', content }))
    assert.equal((await gateway.send({ messages })).outcome, 'completed')
    return read ?? -1
  }

  it('reads one long text in turns', async (t) => {
    assert.ok((await turnsOfReading(t, 1, 50_000)) >= 3)
  })

  it('reads many texts in turns that together are long', async (t) => {
    assert.ok((await turnsOfReading(t, 10, 10_000)) >= 1)
  })

  it('reads what is short at once', async (t) => {
    assert.equal(await turnsOfReading(t, 4, 2000), 0)
  })
})
