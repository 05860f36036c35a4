/** A large buffered reply is made ready in turns, and nobody can tell from the reply. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { json } from '../../../../core/testing/provider.ts'
import { type Plugin, running, word } from '../../../helpers/core.ts'
import { asking, post } from '../../../helpers/gateway.ts'

const MANY = 6_000

const replyOf = (content: (i: number) => string, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-test',
  choices: Array.from({ length: MANY }, (_, index) => ({
    index,
    message: { role: 'assistant', content: content(index), ...more },
    finish_reason: 'stop',
  })),
})

interface Reply {
  choices: { message: { content: string } }[]
  service?: unknown
  error?: { type: string }
}

describe('a large buffered reply', () => {
  it('is inspected as a whole, while others go on', async (t) => {
    let [turns, offered, counting] = [0, 0, false]
    const count = () => {
      turns++
      if (counting) setImmediate(count)
    }
    const counts: Plugin = {
      apply: (hooks) => {
        hooks.onChunk.tap('counts', (views) => {
          offered += views.length
          counting = true
          count()
        })
        hooks.postResponse.tap('counts', () => {
          counting = false
        })
      },
    }
    const { gateway, provider } = await running(t, [word('secret'), counts])
    provider.reply(json(replyOf((i) => `a secret of ${i}`)))
    const reply = (await (await post(gateway, asking())).json()) as unknown as Reply
    assert.deepEqual(
      reply.choices.map(({ message }) => message.content),
      Array.from({ length: MANY }, (_, i) => `a [WORD] of ${i}`),
    )
    assert.equal(offered, MANY)
    assert.ok(turns > 4, `${turns} turns`)
  })

  const strings = (count: number) => Array.from({ length: count }, () => 'a')
  for (const [what, calls] of Object.entries({
    'more members in its arguments than can be looked at in a turn': [
      Object.fromEntries(Array.from({ length: 65_537 }, (_, i) => [`m${i}`, 1])),
    ],
    'more texts in the arguments of all its calls than there is memory for': [strings(250_000), strings(250_001)],
  })) {
    it(`is no answer with ${what}`, async (t) => {
      const { gateway, provider } = await running(t, [word('secret')])
      const tool_calls = calls.map((value, i) => ({
        id: `call_${i}`,
        type: 'function',
        function: { name: 'f', arguments: JSON.stringify(value) },
      }))
      const message = { role: 'assistant', content: null, tool_calls }
      provider.reply(json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }))
      const response = await post(gateway, asking())
      assert.equal(response.status, 502)
      assert.equal(
        ((await response.json()) as unknown as { error: { code: string } }).error.code,
        'upstream_invalid_response',
      )
    })
  }

  it('leaves as it came when nothing is found in it', async (t) => {
    const { gateway, provider } = await running(t, [word('secret')])
    const said = replyOf((i) => `choice ${i}`)
    provider.reply(json(said))
    const reply = (await (await post(gateway, asking())).json()) as unknown as Reply
    const { service, ...rest } = reply
    assert.ok(service !== undefined)
    assert.deepEqual(rest, said)
  })

  it('is blocked, or refused where it cannot be rewritten', async (t) => {
    const { gateway, provider } = await running(t, [word('secret', 'block'), word('hidden')])
    provider.reply(json(replyOf((i) => (i === MANY - 1 ? 'secret' : 'plain text of a choice'))))
    assert.equal((await post(gateway, asking())).status, 403)
    const broken = { tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '"hidden' } }] }
    provider.reply(json(replyOf(() => 'plain text of a choice', broken)))
    const answer = await post(gateway, asking())
    assert.equal(answer.status, 200)
    assert.doesNotMatch(await answer.text(), /hidden/)
  })

  it('that fails in a later turn is an error', async (t) => {
    const fails: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tap('fails', (views) => {
          views.at(-1)?.report({ type: 'x', start: 0, end: 1, action: 'redact', replace: 7 as never })
        }),
    }
    const { gateway, provider } = await running(t, [fails])
    provider.reply(json(replyOf((i) => `choice ${i}`)))
    assert.equal((await post(gateway, asking())).status, 503)
  })

  it('is settled once when the client leaves meanwhile', async (t) => {
    const abort = new AbortController()
    const leaves: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tapPromise('leaves', async (_, x) => {
          abort.abort()
          if (!x.signal.aborted) await once(x.signal, 'abort')
        }),
    }
    const { gateway, provider, next, events } = await running(t, [leaves])
    provider.reply(json(replyOf((i) => `choice ${i}`)))
    await assert.rejects(post(gateway, asking(), { signal: abort.signal }))
    await next('stream.aborted')
    assert.equal(events().filter(({ type }) => type === 'stream.aborted' || type === 'request.completed').length, 1)
  })
})
