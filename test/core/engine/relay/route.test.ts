import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Level } from '../../../../core/engine/contract/labels.ts'
import { type Exchange, Stage } from '../../../../core/engine/contract/plugin.ts'
import {
  apiError,
  chat,
  delta,
  hang,
  hangUp,
  html,
  type Provider,
  startProvider,
  stream,
} from '../../../../core/testing/provider.ts'
import { type Plugin, type Running, running, word } from '../../../helpers/core.ts'
import { asking, type Owner, post } from '../../../helpers/gateway.ts'
import { freePort } from '../../../helpers/ports.ts'

const streaming = asking('Hello', { stream: true })

/** Two providers behind one route; `second` is asked when the first fails. */
async function two(
  t: Owner,
  options: { first?: object; second?: object; route?: object; plugins?: Plugin[] } = {},
): Promise<Running & { second: Provider }> {
  const second = await startProvider()
  t.after(() => second.close())
  const config = {
    upstreams: { second: { url: second.url, key: 'second-key', ...options.second } },
    routes: [{ model: '*', to: ['scripted', 'second'], ...options.route }],
  }
  const parts = await running(t, options.plugins ?? [], {
    config,
    ...(options.first && { upstream: options.first as Record<string, unknown> }),
  })
  return { ...parts, second }
}

for (const body of [asking(), streaming]) {
  const form = body.stream ? 'streamed' : 'buffered'
  describe(`the next provider is asked, ${form}`, () => {
    it('when the first cannot be reached', async (t) => {
      const parts = await two(t, { first: { url: `http://127.0.0.1:${await freePort()}/v1` } })
      const reply = await post(parts.gateway, body)
      assert.equal(reply.status, 200)
      assert.match(await reply.text(), /provider/)
      assert.equal((await parts.next('request.completed')).upstream, 'second')
    })

    for (const status of [408, 429, 500, 502, 503, 529]) {
      it(`when the first answers ${status}`, async (t) => {
        const parts = await two(t)
        parts.provider.reply(apiError(status))
        assert.equal((await post(parts.gateway, body)).status, 200)
        const asked = await parts.second.next()
        assert.equal(asked.headers.authorization, 'Bearer second-key')
        assert.equal(await (await parts.provider.next()).closed.then((how) => how !== 'cut'), true)
      })
    }

    it('with all of a large body that was rewritten', async (t) => {
      const parts = await two(t, { plugins: [word('secret')] })
      parts.provider.reply(apiError(500))
      const large = { ...body, messages: [{ role: 'user', content: 'a secret '.repeat(30_000) }] }
      assert.equal((await post(parts.gateway, large)).status, 200)
      const [first, second] = [await parts.provider.next(), await parts.second.next()]
      const { messages } = second.json as { messages: unknown }
      assert.deepEqual(messages, [{ role: 'user', content: 'a [WORD] '.repeat(30_000) }])
      assert.equal(first.text, second.text)
    })

    it('when the first sends no byte in time, if the operator says so', async (t) => {
      const parts = await two(t, { first: { first_byte_timeout_seconds: 0.05 }, route: { may_charge_twice: true } })
      parts.provider.reply(hang())
      assert.equal((await post(parts.gateway, body)).status, 200)
      assert.equal(await (await parts.provider.next()).closed, 'aborted')
    })
  })

  describe(`the next provider is not asked, ${form}`, () => {
    for (const [name, script, status] of [
      ['400', apiError(400), 400],
      ['401', apiError(401), 403],
      ['404', apiError(404), 404],
      ['504', apiError(504), 504],
      ['524', apiError(524), 524],
      ['a page with 200', html(200), 502],
      ['a closed connection', hangUp(), 502],
      ['a reset connection', hangUp('reset'), 502],
    ] as const) {
      it(`after ${name}`, async (t) => {
        const parts = await two(t)
        parts.provider.reply(script)
        assert.equal((await post(parts.gateway, body)).status, status)
        assert.equal(parts.second.requests.length, 0)
      })
    }
  })
}

for (const body of [asking(), streaming]) {
  it(`a provider that may have charged is asked last, ${body.stream ? 'streamed' : 'buffered'}`, async (t) => {
    const parts = await two(t, { first: { first_byte_timeout_seconds: 0.05 } })
    parts.provider.reply(hang())
    const reply = await post(parts.gateway, body)
    assert.equal(reply.status, 504)
    assert.equal(reply.headers['x-service-attempts'], undefined)
    assert.equal(parts.second.requests.length, 0)
  })
}

describe('after the first byte', () => {
  it('a stream that breaks is not begun again elsewhere', async (t) => {
    const parts = await two(t)
    parts.provider.reply(stream([delta({ content: 'one' })], { done: false, end: 'reset' }))
    const events = await (await post(parts.gateway, streaming)).events()
    assert.match(events.at(-1) ?? '', /upstream_disconnected/)
    assert.equal(parts.second.requests.length, 0)
  })

  it('nor one that has only sent its head', async (t) => {
    const parts = await two(t)
    parts.provider.reply(stream([], { done: false, end: 'close' }))
    assert.equal((await post(parts.gateway, streaming)).status, 502)
    assert.equal(parts.second.requests.length, 0)
  })
})

describe('a fallback', () => {
  it('answers with its own failure when it fails too', async (t) => {
    const parts = await two(t)
    parts.provider.reply(apiError(500, { message: 'first' }))
    parts.second.reply(apiError(503, { message: 'second' }))
    const reply = await post(parts.gateway)
    assert.equal(reply.status, 503)
    assert.match(await reply.text(), /second/)
  })

  it('is stopped when the client leaves', async (t) => {
    const parts = await two(t)
    parts.provider.reply(apiError(500))
    parts.second.reply(hang())
    const client = new AbortController()
    const reply = post(parts.gateway, asking(), { signal: client.signal }).catch(() => undefined)
    const asked = await parts.second.next()
    client.abort()
    assert.equal(await asked.closed, 'aborted')
    await reply
    assert.equal((await parts.next('stream.aborted')).upstream, 'second')
  })

  it('gets the same request, under the name of the route', async (t) => {
    const parts = await two(t, { route: { rename: 'real-model' } })
    parts.provider.reply(apiError(500))
    const sent = '{"model":"gpt-test", "messages":[{"role":"user","content":"Hello"}], "seed":12345678901234567890}'
    await (await post(parts.gateway, sent, { headers: { 'content-type': 'application/json' } })).text()
    const texts = [(await parts.provider.next()).text, (await parts.second.next()).text]
    const expected = sent.replace('gpt-test', 'real-model')
    assert.deepEqual(texts, [expected, expected])
  })

  it('follows a plugin that sets a header which HTTP does not allow with an error, not with silence', async (t) => {
    const bad: Plugin = {
      apply(hooks) {
        hooks.block.tap('b', (x) => x.request.setUpstreamHeader('x-note', 'a\r\nb'))
      },
    }
    const parts = await two(t, { plugins: [bad] })
    assert.equal((await post(parts.gateway)).status, 503)
    assert.equal(parts.provider.requests.length, 0)
  })
})

describe('label ceilings', () => {
  const labels = (level: Level, when: 'classify' | 'late' = 'classify'): Plugin => ({
    apply(hooks) {
      const raise = (x: Exchange) => x.raise(level, 'test')
      if (when === 'classify') hooks.classify.tap('l', raise)
      else hooks.block.tap({ name: 'l', stage: Stage.Final }, raise as never)
    },
  })
  const ceiling = (max_classification: Level, more: object = {}) => ({ max_classification, ...more })

  it('leave a provider out that may not see the label', async (t) => {
    const parts = await two(t, { first: ceiling('INTERNAL'), plugins: [labels('CONFIDENTIAL')] })
    assert.equal((await post(parts.gateway)).status, 200)
    assert.equal(parts.provider.requests.length, 0)
    assert.equal(parts.second.requests.length, 1)
  })

  it('let a provider take what equals its ceiling', async (t) => {
    const parts = await two(t, { first: ceiling('CONFIDENTIAL'), plugins: [labels('CONFIDENTIAL')] })
    await (await post(parts.gateway)).text()
    assert.equal(parts.provider.requests.length, 1)
  })

  it('hold for a fallback as well', async (t) => {
    const parts = await two(t, { second: ceiling('INTERNAL'), plugins: [labels('RESTRICTED')] })
    parts.provider.reply(apiError(500))
    assert.equal((await post(parts.gateway)).status, 500)
    assert.equal(parts.second.requests.length, 0)
  })

  it('of route and provider bind together: the lowest', async (t) => {
    const parts = await two(t, {
      first: ceiling('RESTRICTED'),
      route: ceiling('INTERNAL'),
      plugins: [labels('CONFIDENTIAL')],
    })
    const reply = await post(parts.gateway)
    assert.equal(reply.status, 403)
    const { error } = (await reply.json()) as { error: Record<string, string> }
    assert.equal(error.type, 'policy_block')
    assert.match(String(error.reason), /CONFIDENTIAL.*scripted: INTERNAL.*second: INTERNAL/)
    assert.equal(parts.provider.requests.length + parts.second.requests.length, 0)
    assert.equal((await parts.next('request.blocked')).policy, 'max_classification')
  })

  it('count a label that rose at the last moment', async (t) => {
    const max = ceiling('INTERNAL')
    const parts = await two(t, { first: max, second: max, plugins: [labels('RESTRICTED', 'late')] })
    assert.equal((await post(parts.gateway)).status, 403)
    assert.equal(parts.provider.requests.length, 0)
  })

  it('of a key bind', async (t) => {
    const keys = [{ id: 'user', key: 'sk-test-user-key-0123456789', max_classification: 'INTERNAL' }]
    const parts = await running(t, [labels('CONFIDENTIAL')], { config: { keys } })
    assert.equal((await post(parts.gateway)).status, 403)
  })

  it('are compared with the label as received, or after redaction where the provider says so', async (t) => {
    const personal: Plugin = {
      detect(view) {
        const start = view.text.indexOf('secret')
        if (start >= 0) view.report({ type: 'word', start, end: start + 6, level: 'RESTRICTED', action: 'redact' })
      },
    }
    const strict = await running(t, [personal], { upstream: ceiling('INTERNAL') })
    assert.equal((await post(strict.gateway, asking('a secret'))).status, 403)
    const after = await running(t, [personal], { upstream: ceiling('INTERNAL', { ceiling: 'after_redaction' }) })
    assert.equal((await post(after.gateway, asking('a secret'))).status, 200)
    assert.match((await after.provider.next()).text, /a \[WORD\]/)
    const kept = await running(t, [{ ...personal, entry: { mode: 'monitor' } }], {
      upstream: ceiling('INTERNAL', { ceiling: 'after_redaction' }),
    })
    assert.equal((await post(kept.gateway, asking('a secret'))).status, 403, 'nothing was redacted')
  })

  it('are touched by no mode', async (t) => {
    const parts = await running(t, [{ ...labels('RESTRICTED'), governs: 'usage' }, word('x')], {
      upstream: ceiling('INTERNAL'),
    })
    assert.equal((await post(parts.gateway)).status, 403)
  })
})

describe('a crash of the gateway while it reads a reply', () => {
  it('ends the exchange with an error, and the process goes on', async (t) => {
    for (const body of [asking(), streaming]) {
      let outcome = ''
      const breaks: Plugin = {
        apply(hooks) {
          hooks.block.tap('b', (x) => {
            Object.assign(x.reply, {
              keep: () => {
                throw new TypeError('a bug')
              },
            })
          })
          hooks.postResponse.tap('b', (x) => {
            outcome = x.reply.outcome
          })
        },
      }
      const parts = await running(t, [breaks])
      parts.provider.reply(chat('Hello'))
      const reply = await post(parts.gateway, body)
      assert.equal(reply.status, 500)
      assert.match(await reply.text(), /internal_error/)
      assert.notEqual(outcome, 'completed')
      assert.equal((await parts.provider.next()) !== undefined, true)
    }
  })
})

describe('a caller that leaves while a large body is put together', () => {
  it('costs no call of a provider, and one last event', async (t) => {
    const left = new AbortController()
    const leaves: Plugin = {
      apply(hooks) {
        // The body is put together from here on, in turns.
        hooks.block.tap({ name: 'b', stage: Stage.Final }, () => {
          setImmediate(() => left.abort())
        })
      },
    }
    const parts = await running(t, [word('secret'), leaves])
    const large = asking('a secret '.repeat(9_000) + 'plain '.repeat(800_000))
    await assert.rejects(async () => post(parts.gateway, large, { signal: left.signal }))
    assert.equal((await parts.next('stream.aborted')).reason, 'client_disconnected')
    assert.equal(parts.provider.requests.length, 0)
  })
})
