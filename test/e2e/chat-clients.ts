/** What holds for every client of the chat API, whatever it makes of a reply. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat, chunks, every, stream } from '../../core/testing/provider.ts'
import { LIMITED_KEY, type TestGateway, UPSTREAM_KEY } from '../helpers/gateway.ts'
import {
  assertReadable,
  BLOCKED_LATE,
  CLEAN,
  CUT_STREAMS,
  FORBIDDEN,
  PROVIDER_ERRORS,
  REASON,
  start,
  TOOL_CALLS,
  WEATHER_ARGUMENTS,
} from './setup.ts'

export interface Asking {
  readonly streamed: boolean
  readonly prompt?: string
  readonly key?: string
  readonly model?: string
  readonly retries?: number
  /** Whether the usage of a stream is asked for. */
  readonly usage?: boolean
  /** Whether tools are offered. */
  readonly tools?: boolean
  readonly signal?: AbortSignal
  /** Called when a stream has more text. */
  readonly onText?: () => void
}

export interface Failure {
  /** Undefined within a stream. */
  readonly status: number | undefined
  readonly code: unknown
  readonly type: unknown
  readonly message: string
  readonly retryAfter: string | null | undefined
}

export interface Answer {
  readonly text: string
  /** Id, name and arguments of each call. */
  readonly calls: readonly unknown[]
  readonly tokens: number | undefined
  /** Of one of the client's own classes; undefined if all went well. */
  readonly error: Failure | undefined
}

export interface ChatClient {
  readonly name: string
  ask(gateway: TestGateway, asking: Asking): Promise<Answer>
}

const FORMS = [
  { form: 'buffered', streamed: false },
  { form: 'streamed', streamed: true },
]

export function holdsFor({ name, ask }: ChatClient): void {
  async function failing(gateway: TestGateway, asking: Asking): Promise<Failure> {
    const { error, text } = await ask(gateway, asking)
    assert.ok(error, 'a request that must fail was answered')
    assert.equal(text, '')
    assertReadable(error.message)
    return error
  }

  describe(`${name}: answers`, () => {
    for (const { form, streamed } of FORMS) {
      it(form, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(chat(CLEAN, { split: { seed: 1 } }))
        const { text, tokens, error } = await ask(gateway, { streamed, usage: true })
        assert.deepEqual([text, tokens, error], [CLEAN, 12, undefined])
        const request = await provider.next()
        assert.equal(request.headers.authorization, `Bearer ${UPSTREAM_KEY}`)
        assert.deepEqual((request.json as { messages: unknown }).messages, [{ role: 'user', content: 'Hello' }])
      })

      it(`tool calls, ${form}`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(chat(TOOL_CALLS, { pieces: every(2) }))
        assert.deepEqual((await ask(gateway, { streamed, tools: true })).calls, [
          ['call_a', 'get_weather', JSON.parse(WEATHER_ARGUMENTS)],
          ['call_b', 'get_time', {}],
        ])
      })
    }

    it('no usage of a stream unless it was asked for', async (t) => {
      const { gateway } = await start(t)
      assert.equal((await ask(gateway, { streamed: true, usage: false })).tokens, undefined)
    })

    it('an abort in the middle of a stream reaches the provider', async (t) => {
      const { provider, gateway } = await start(t)
      provider.reply(stream(chunks(CLEAN).slice(0, -1), { done: false, end: 'hang' }))
      const leave = new AbortController()
      await ask(gateway, { streamed: true, signal: leave.signal, onText: () => leave.abort() })
      assert.equal(await (await provider.next()).closed, 'aborted')
      await provider.idle()
    })
  })

  describe(`${name}: errors`, () => {
    for (const [status, code, asking] of [
      [401, 'invalid_api_key', { key: 'sk-wrong' }],
      [403, 'model_not_allowed', { key: LIMITED_KEY, model: 'other' }],
      [413, 'request_too_large', { prompt: 'x'.repeat(2_000_000) }],
    ] as const) {
      it(`${status} ${code} of the gateway`, async (t) => {
        const { provider, gateway } = await start(t)
        const error = await failing(gateway, { streamed: false, ...asking })
        assert.deepEqual([error.status, error.code, provider.requests.length], [status, code, 0])
      })
    }

    for (const { name: what, script, status, message } of PROVIDER_ERRORS) {
      for (const { form, streamed } of FORMS) {
        it(`${what} of the provider, ${form}`, async (t) => {
          const { provider, gateway } = await start(t)
          provider.reply(script())
          const error = await failing(gateway, { streamed })
          assert.equal(error.status, status)
          assert.match(error.message, message)
          if (status === 429) assert.equal(error.retryAfter, '7')
        })
      }
    }
  })

  describe(`${name}: policy`, () => {
    const assertBlock = ({ code, type, message }: Failure): void => {
      assert.deepEqual([code, type], ['permission_denied', 'policy_block'])
      assert.match(message, REASON)
    }

    for (const { form, streamed } of FORMS) {
      it(`blocks a prompt with 403 and no retry, ${form}`, async (t) => {
        const { provider, gateway } = await start(t)
        const error = await failing(gateway, { streamed, prompt: `This is ${FORBIDDEN}.`, retries: 2 })
        assertBlock(error)
        assert.deepEqual([error.status, provider.requests.length], [403, 0])
      })

      it(`blocks the start of a reply with 403 and no retry, ${form}`, async (t) => {
        const { provider, gateway } = await start(t)
        provider.otherwise(chat(`${FORBIDDEN} from the first word on`))
        const error = await failing(gateway, { streamed, retries: 2 })
        assertBlock(error)
        assert.deepEqual([error.status, provider.requests.length], [403, 1])
      })
    }

    it('ends a stream with an error when the reply breaks a rule on the way', async (t) => {
      const { provider, gateway } = await start(t)
      provider.otherwise(chat(BLOCKED_LATE))
      const { text, error } = await ask(gateway, { streamed: true, retries: 2 })
      assert.ok(error)
      assertBlock(error)
      assert.ok(text.length > 0 && BLOCKED_LATE.startsWith(text) && !text.includes(FORBIDDEN))
      assert.equal(provider.requests.length, 1)
    })
  })

  describe(`${name}: a stream that is cut is never a success`, () => {
    for (const [what, script] of Object.entries(CUT_STREAMS)) {
      it(what, async (t) => {
        const { provider, gateway } = await start(t)
        provider.reply(script)
        const { text, error } = await ask(gateway, { streamed: true })
        assert.ok(text.length > 0 && CLEAN.startsWith(text))
        assert.deepEqual([error?.code, error?.type], ['upstream_disconnected', 'upstream_error'])
        assertReadable(error?.message ?? '')
      })
    }
  })
}
