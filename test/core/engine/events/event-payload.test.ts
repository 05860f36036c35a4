import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type Services } from 'governed-gateway'
import { startPlugin, testPlugin } from 'governed-gateway/testing'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'
import { PluginEvents } from '../../../../core/engine/events/payload.ts'
import { post, setup } from '../../../helpers/gateway.ts'

const CANARY = 'canary-4111111111111111'
const schema = {
  type: 'object',
  required: ['words'],
  properties: {
    words: { type: 'integer', minimum: 0 },
    kind: { type: 'string', enum: ['a', 'b'] },
    at: { type: 'object', additionalProperties: false, properties: { hour: { type: 'integer' } } },
    free: {},
  },
} as const
const NOTHING = { type: 'object', properties: {}, additionalProperties: false } as const
const counting = { name: 'counting', events: { 'words.counted': { severity: 'info', schema } } } as const
const other = { name: 'other', events: { 'other.found': { severity: 'info' } } } as const

function admission() {
  const log: object[] = []
  const faults: GatewayError[] = []
  const logger = { error: (fields: object) => void log.push(fields) }
  const events = new PluginEvents([counting, other], logger, (error) => void faults.push(error))
  return { events, log, faults, admit: (payload: object) => events.admit('counting', 'words.counted', payload) }
}

describe('the payload of an event', () => {
  it('is recorded as it is when it fits', () => {
    const { admit, log, faults } = admission()
    const payload = { words: 1, kind: 'a', at: { hour: 2 }, free: [1, null, { a: 'b' }] }
    const copy = admit(payload)
    assert.deepEqual(copy, payload)
    payload.at.hour = 3
    assert.deepEqual((copy as typeof payload).at, { hour: 2 }, 'later changes are not seen')
    assert.deepEqual(admit({ words: 1, kind: undefined }), { words: 1 })
    assert.deepEqual([log, faults], [[], []])
  })

  it('loses the members that its schema does not allow, and they are counted', () => {
    const circle: Record<string, unknown> = {}
    circle.again = [circle]
    const wrong: [object, object][] = [
      [{ words: 'many' }, { dropped_members: 1 }],
      [
        { words: 1, kind: CANARY, [CANARY]: 1 },
        { words: 1, dropped_members: 2 },
      ],
      [
        { words: 1, at: { hour: 1, text: CANARY } },
        { words: 1, dropped_members: 1 },
      ],
      [
        { words: 1, id: 'mine', seq: 1, model: CANARY, request_id: 'r', dropped_members: 0 },
        { words: 1, dropped_members: 5 },
      ],
      [{ words: Number.NaN }, { dropped_members: 1 }],
      ...[1n, () => 1, Symbol('s'), circle].map((free): [object, object] => [
        { words: 1, free },
        { words: 1, dropped_members: 1 },
      ]),
      [JSON.parse('{"words":1,"__proto__":{"type":"x"}}'), { words: 1, dropped_members: 1 }],
      [
        Object.defineProperty({ words: 1 }, 'free', { enumerable: true, get: () => assert.fail('read') }),
        { words: 1, dropped_members: 1 },
      ],
      [[1], { dropped_members: 1 }],
      [null as never, { dropped_members: 1 }],
    ]
    for (const [payload, kept] of wrong) {
      const { admit, log, faults } = admission()
      assert.deepEqual({ ...admit(payload) }, kept)
      assert.ok(faults.length === 1 && faults[0]!.code === 'GW_PLUGIN_CONTRACT')
      assert.ok(log.length === 1 && !JSON.stringify([log, faults[0]!.message]).includes(CANARY))
    }
  })

  it('without a member that is required is recorded', () => {
    const { admit, faults } = admission()
    assert.deepEqual({ ...admit({ kind: 'b' }) }, { kind: 'b' })
    assert.match(faults[0]!.message, /'words\.counted' does not fit its schema in `events`: words\./)
  })

  it('is told of in the log once for each type', () => {
    const { admit, log } = admission()
    for (let i = 0; i < 3; i++) admit({ words: 'many' })
    assert.deepEqual(log, [
      { plugin: 'counting', event_type: 'words.counted', members: ['words'], unknown: 0, dropped: 1 },
    ])
  })

  it('has no members of its own where none are declared', () => {
    const { events } = admission()
    assert.deepEqual({ ...events.admit('other', 'other.found', { a: 1 }) }, { dropped_members: 1 })
  })

  it('of a type of the core that plugins tell is held to the core’s schema', () => {
    const { events } = admission()
    const payload = { policy: 'p', reason: 'r', extra: CANARY }
    assert.deepEqual(
      { ...events.admit('other', 'policy.would_block', payload) },
      { policy: 'p', reason: 'r', dropped_members: 1 },
    )
  })
})

describe('the type of an event', () => {
  it('is the plugin’s own', () => {
    const { events } = admission()
    const refused = (plugin: string | undefined, type: string, why: RegExp) =>
      assert.throws(() => events.admit(plugin, type, { words: 1 }), why)
    refused('other', 'words.counted', /is that of 'counting'/)
    refused('counting', 'request.completed', /is the gateway's/)
    refused(undefined, 'request.completed', /is the gateway's/)
    refused('counting', 'not.declared', /is declared by no plugin/)
    events.admit(undefined, 'words.counted', { words: 1 })
  })

  it('is looked at in a tap and in services.emit', async (t) => {
    const errors: unknown[] = []
    const stranger = definePlugin({
      name: 'stranger',
      schema: NOTHING,
      create: (_options: unknown, services: Services) => ({
        apply: (hooks) =>
          hooks.block.tap('stranger', async (x) => {
            await Promise.resolve()
            for (const emit of [x.emit, services.emit]) {
              try {
                emit('words.counted' as never, { words: 1 } as never)
              } catch (error) {
                errors.push((error as GatewayError).code)
              }
            }
          }),
      }),
    })
    const gateway = await startPlugin(stranger, { with: [plugin(() => ({ words: 1 }))] })
    t.after(() => gateway.close())
    await gateway.send('Hello')
    assert.deepEqual(errors, ['GW_PLUGIN_CONTRACT', 'GW_PLUGIN_CONTRACT'])
  })
})

/** Emits what `payload` gives, of the exchange and beside it. */
const plugin = (payload: () => object) =>
  definePlugin({
    ...counting,
    schema: NOTHING,
    create: (_options: unknown, services: Services) => ({
      apply: (hooks) =>
        hooks.block.tap('counting', (x) => {
          x.emit('words.counted' as never, payload() as never)
          services.emit('words.counted' as never, payload() as never)
        }),
    }),
  })

describe('a plugin whose payload does not fit', () => {
  it('fails its test', async () => {
    await testPlugin(
      plugin(() => ({ words: 1 })),
      { expect: { events: ['words.counted'] } },
    )
    const fault = (error: unknown) =>
      error instanceof GatewayError && error.code === 'GW_PLUGIN_CONTRACT' && /'words\.counted'/.test(error.message)
    await assert.rejects(testPlugin(plugin(() => ({ words: CANARY }))), fault)
    const named = (events: object) => testPlugin({ ...plugin(() => ({ words: 1 })), events } as never)
    const filled = { type: 'object', properties: { model: { type: 'string' } } }
    await assert.rejects(named({ 'a.b': { severity: 'info', schema: filled } }), /lists model, which the gateway fills/)
    await assert.rejects(
      named({ 'a.b': { severity: 'info', schema: { properties: { a: { typ: 1 } } } } }),
      /is not valid/,
    )
  })

  it('goes on in a gateway: the event is recorded without it, and nothing of it is told', async (t) => {
    const wrong = plugin(() => ({ words: 1, kind: CANARY, model: CANARY, [CANARY]: CANARY }))
    const { gateway } = await setup(t, {
      plugins: [{ use: 'counting' }],
      specs: new Map([['counting', wrong as never]]),
    })
    const reply = await post(gateway)
    assert.equal(reply.status, 200)
    const events = gateway.log.flatMap(({ event }) => (event === undefined ? [] : [event as Record<string, unknown>]))
    const counted = events.filter(({ type }) => type === 'words.counted')
    assert.deepEqual(
      counted.map(({ words, kind, dropped_members }) => [words, kind, dropped_members]),
      [
        [1, undefined, 3],
        [1, undefined, 3],
      ],
    )
    assert.ok(!JSON.stringify(gateway.log).includes(CANARY))
  })
})
