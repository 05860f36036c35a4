import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { chunks, errorBody, json, stream } from 'governed-gateway/testing'
import { CORE_CATALOGUE } from '../../core/engine/events/catalogue/core-events.ts'
import { EXCHANGE, MEASURED } from '../../core/engine/events/catalogue/index.ts'
import { framesOf } from '../../core/engine/util/outside.ts'
import { ADMIN_KEY, asking, bearer, post, type Setup, setup, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

const CANARIES = [
  '4111111111111111',
  '4111-1111-1111-1111',
  'C2-A44111111111111111',
  'jane.roe@example.org',
  'jane-roe-example-org',
  'jane.roe:example.de',
  'password-hunter23',
  'AKIAQ3EGRIXTNO5ZKLPV',
  'sk-proj-Q3EGRIXTNO5ZKLPVw9',
  'q3egrixtno5zklpvq3egrixtno5zklpv',
  USER_KEY,
]
const TRACE = '00-41111111111111114111111111111111-4111111111111111-01'

/** String fields that the outside may choose, each attacked below, and those that nobody outside can. */
const ATTACKED = 'client_request_id trace_id session_id model code reason error flag value'.split(' ')
const OURS =
  'request_id operation key_id source_ip upstream attempts routing mode classification action output_classification rules policy direction flags plugin hook plugins detections mirror mirror_model supersedes'.split(
    ' ',
  )

/** Throws what the request says, in every manner that an error has. */
const thrower = definePlugin({
  name: 'thrower',
  onError: 'allow',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: (_, { log }) => ({
    apply(hooks) {
      hooks.block.tap('thrower', async (x) => {
        const value = String(x.request.json.user)
        const fake = `${value}\n    at ${value} (file:///${value}.ts:1:1)`
        const inner = Object.assign(new AggregateError([new Error(fake)], fake, { cause: new Error(fake) }), {
          code: value,
        })
        const error = Object.assign(new Error(fake, { cause: inner }), { name: value, code: value, request: value })
        error.toString = () => value
        log.error({ err: error }, 'told by the plugin')
        log.error({ anything: inner }, 'told by the plugin')
        throw error
      })
    },
  }),
})

describe('what the outside chose', () => {
  const closers: (() => Promise<void>)[] = []
  let parts: Setup
  before(async () => {
    parts = await setup(
      { after: (fn) => void closers.push(fn) },
      {
        plugins: [
          { use: 'flags' },
          { use: 'sessions' },
          { use: 'thrower' },
          { use: 'audit-file', options: { path: '/dev/null' } },
        ],
        specs: new Map([['thrower', thrower as never]]),
      },
    )
  })
  after(async () => {
    for (const close of closers) await close()
  })

  for (const value of CANARIES) {
    it(`is in no event, no log line and not in the trail: ${value.slice(0, 12)}…`, async () => {
      const { gateway, provider } = parts
      const ask = async (body: object, headers: Record<string, string> = {}) =>
        await (await post(gateway, body, { headers })).text()
      const from = gateway.log.length
      for (const streamed of [false, true]) {
        const more = { stream: streamed, user: value }
        await ask(asking('Hello', { ...more, metadata: { session_id: value } }), {
          'x-client-request-id': value,
          traceparent: TRACE,
        })
        await ask(asking('Hello', more), { 'x-service-session-id': value })
        await ask(asking('Hello', { ...more, model: value }))
        await ask(asking('Hello', more), { 'x-service-flags': `mode=${value}` })
        await ask(asking('Hello', more), { 'x-service-flags': `${value}=1` })
        for (const [type, code, param] of [
          [value, null, null],
          ['invalid_request_error', value, null],
          ['invalid_request_error', 'bad', value],
        ]) {
          const body = errorBody(value, type as string, code as string) as { error: Record<string, unknown> }
          body.error.param = param
          provider.reply(json(body, { status: 400 }))
          await ask(asking('Hello', more))
          provider.reply(stream([...chunks('Hi').slice(0, 2), body] as never))
          await ask(asking('Hello', more))
        }
      }
      const lines = JSON.stringify(gateway.log.slice(from))
      assert.ok(lines.includes('plugin.failed'))
      assert.ok(!lines.includes(value), around(lines, value))
      assert.ok(!lines.includes('4111111111111111'), around(lines, '4111111111111111'))
      const trail = await (await send(`${gateway.url}/api/audit?limit=100`, { headers: bearer(ADMIN_KEY) })).text()
      assert.ok(!trail.includes(value), around(trail, value))
    })
  }

  it('is in no field beyond those tested here', () => {
    const fields = [EXCHANGE, MEASURED, ...Object.entries(CORE_CATALOGUE).map(([, { fields }]) => fields)]
    const exchange = new Set(
      fields
        .flatMap((some) => ('request_id' in some || some === MEASURED ? Object.entries(some) : []))
        .flatMap(([name, schema]) => {
          const { type, items } = schema as { type?: string | string[]; items?: unknown }
          return [type].flat().includes('string') || items !== undefined ? [name] : []
        }),
    )
    for (const name of exchange) assert.ok([...ATTACKED, ...OURS].includes(name), name)
  })

  it('reports where an error was thrown, whatever its message', () => {
    const error = new Error('4111\n    at secret (file:///4111.ts:1:1)')
    assert.match(framesOf(error)[0] as string, /outside-in-events/)
    assert.ok(!framesOf(error).join().includes('4111'))
    for (const odd of [null, 'text', Object.assign(new Error('x'), { stack: 'at 4111' }), new Error('')]) {
      assert.ok(!framesOf(odd).join().includes('4111'))
    }
  })

  it('keeps names that are plain', async () => {
    const from = parts.gateway.log.length
    const id = crypto.randomUUID()
    await (
      await post(parts.gateway, asking('Hello', { model: 'gpt-4o-2024-08-06' }), {
        headers: {
          'x-client-request-id': id,
          'x-service-session-id': 'chat-12',
          traceparent: `00-${'0af7651916cd43dd8448eb211c80319c'}-b7ad6b7169203331-01`,
        },
      })
    ).text()
    const lines = JSON.stringify(parts.gateway.log.slice(from))
    for (const name of [id, 'chat-12', 'gpt-4o-2024-08-06', '0af7651916cd43dd8448eb211c80319c'])
      assert.ok(lines.includes(name), name)
  })
})

const around = (text: string, value: string): string => text.slice(Math.max(0, text.indexOf(value) - 200)).slice(0, 300)
