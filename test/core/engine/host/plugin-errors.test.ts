import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type ErrorSpec, type PluginSpec } from 'governed-gateway'
import { startPlugin, testPlugin } from 'governed-gateway/testing'
import { assertPluginSpec } from '../../../../core/engine/host/loader-contract.ts'
import { entryProblems } from '../../../../core/engine/host/plugin-rules.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'

const schema = { type: 'object', properties: {}, additionalProperties: false } as const
const FROZEN: ErrorSpec = {
  status: 423,
  type: 'frozen_error',
  remedy: 'Wait for the thaw.',
  retryable: true,
  refusal: true,
}

const rejecting = (error: string, errors: Readonly<Record<string, ErrorSpec>> = { account_frozen: FROZEN }) =>
  definePlugin({
    name: 'frost',
    schema,
    errors,
    create: () => ({
      apply(hooks) {
        hooks.block.tap('frost', () => ({ error, message: 'The account is frozen.', param: 'model', retryAfter: 7 }))
      },
    }),
  })

describe('an error that a plugin declares', () => {
  it('has its own status, type, code and retry on the wire, buffered and streamed', async (t) => {
    const specs = new Map<string, PluginSpec>([['frost', rejecting('account_frozen')]])
    const { gateway } = await setup(t, { specs, plugins: [{ use: 'frost' }] })
    for (const stream of [false, true]) {
      const reply = await post(gateway, { ...asking('Hello'), stream })
      const { error } = (await reply.json()) as { error: Record<string, unknown> }
      assert.equal(reply.status, 423)
      const { request_id: id, ...rest } = error
      assert.deepEqual(rest, {
        message: 'The account is frozen.',
        type: 'frozen_error',
        code: 'account_frozen',
        param: 'model',
      })
      assert.equal(id, reply.headers['x-request-id'])
      assert.deepEqual([reply.headers['x-should-retry'], reply.headers['retry-after']], ['true', '7'])
    }
  })

  it('is a refused attempt in the trail when it says so', async (t) => {
    for (const refusal of [true, false]) {
      const gateway = await startPlugin(rejecting('account_frozen', { account_frozen: { ...FROZEN, refusal } }))
      t.after(() => gateway.close())
      const { events } = await gateway.send({ messages: [{ role: 'user', content: 'Hello' }] })
      const last = events.find(({ type }) => type === 'request.rejected')
      assert.deepEqual([last?.severity, last?.code], [refusal ? 'action' : 'info', 'account_frozen'])
    }
  })

  it('has the type of its status, and the retry of its status, by default', async () => {
    await testPlugin(rejecting('too_cold', { too_cold: { status: 400, remedy: 'Heat.' } }), {
      expect: { status: 400, error: { type: 'invalid_request_error' }, headers: { 'x-should-retry': 'false' } },
    })
    await testPlugin(rejecting('too_cold', { too_cold: { status: 503, remedy: 'Heat.' } }), {
      expect: { status: 503, error: { type: 'server_error' }, headers: { 'x-should-retry': 'true' } },
    })
  })

  it('is a mistake when nobody declares it: the guard fails closed', async () => {
    await testPlugin(rejecting('acount_frozen'), {
      expect: { status: 503, error: { code: 'guardrail_unavailable' }, sent: null },
    })
  })

  it('says for verdicts, too, whether a retry is of use', async () => {
    const blocking = definePlugin({
      name: 'frost',
      schema,
      errors: { spent: { status: 429, remedy: 'Ask for more.', retryable: false } },
      create: () => ({
        apply(hooks) {
          hooks.block.tap('frost', () => ({ reason: 'All is spent.', code: 'spent', status: 429 }))
        },
      }),
    })
    await testPlugin(blocking, { expect: { status: 429, headers: { 'x-should-retry': 'false' } } })
  })
})

describe('at load', () => {
  const declaring = (errors: unknown) => ({ name: 'frost', schema, errors, create: () => ({}) })
  const cases: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'a code of the gateway': [{ invalid_json: FROZEN }, /`errors\.invalid_json` is a code of the gateway/],
    'a name in another case': [{ GW_FROZEN: FROZEN }, /`errors\.GW_FROZEN` must be named in snake_case/],
    'a success': [{ frozen: { ...FROZEN, status: 200 } }, /`errors\.frozen\.status` must be a status from 400 to 599/],
    'no remedy': [{ frozen: { status: 423 } }, /`errors\.frozen\.remedy` must be a string; it is missing/],
    'a misspelt member': [{ frozen: { ...FROZEN, retriable: true } }, /`errors\.frozen\.retriable` .*retryable/],
  }
  for (const [what, [errors, message]] of Object.entries(cases)) {
    it(`${what} is refused`, () => assert.throws(() => assertPluginSpec(declaring(errors)), { message }))
  }

  it('two plugins with one code are refused', () => {
    const loaded = ['frost', 'ice'].map((name, i) => ({
      path: `plugins[${i}]`,
      entry: { use: name, enabled: true, options: {} },
      spec: { ...declaring({ frozen: FROZEN }), name } as unknown as PluginSpec,
      options: {},
    }))
    assert.deepEqual(entryProblems(loaded as never), [
      {
        path: 'plugins[1].use',
        message: "its error 'frozen' is already declared by 'frost'. Enable one of them only.",
      },
    ])
  })
})
