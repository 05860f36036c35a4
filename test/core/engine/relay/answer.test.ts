import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type Exchange, Stage } from '../../../../core/engine/contract/plugin.ts'
import { chunks, completion } from '../../../../core/testing/provider.ts'
import { type Plugin, running, word } from '../../../helpers/core.ts'
import { asking, barrier, post } from '../../../helpers/gateway.ts'

type Given = Answer['answer']

const answers = (answer: (x: Exchange) => Given, outcomes: string[] = []): Plugin => ({
  name: 'cache',
  apply(hooks) {
    hooks.block.tap({ name: 'cache', stage: Stage.Final }, (x) => ({ answer: answer(x) }))
    hooks.postResponse.tap('cache', (x) => void outcomes.push(x.reply.outcome))
  },
})
const json = (reply: object): Given => ({ contentType: 'application/json', body: Buffer.from(JSON.stringify(reply)) })
const sse = (events: readonly object[]): string =>
  `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
const streaming = asking('Hello', { stream: true })

describe('an answer of a plugin', () => {
  it('goes through inspection like any reply, and no provider is asked', async (t) => {
    const outcomes: string[] = []
    const { gateway, provider } = await running(t, [
      answers(
        (x) =>
          x.request.stream
            ? { contentType: 'text/event-stream', body: Buffer.from(sse(chunks('a secret'))) }
            : json(completion('a secret')),
        outcomes,
      ),
      word('secret'),
    ])
    const reply = await (await post(gateway)).json()
    assert.equal((reply.choices as { message: { content: string } }[])[0]?.message.content, 'a [WORD]')
    assert.match(await (await post(gateway, streaming)).text(), /\[WORD\].*\[DONE\]/s)
    assert.equal(provider.requests.length, 0)
    assert.deepEqual(outcomes, ['answered', 'answered'])
  })

  it('that is blocked is a blocked response', async (t) => {
    const { gateway, events } = await running(t, [answers(() => json(completion('a secret'))), word('secret', 'block')])
    assert.equal((await post(gateway)).status, 403)
    assert.equal(events().at(-1)?.type, 'response.blocked')
  })

  it('keeps its own headers, but none that belongs to the gateway or the connection', async (t) => {
    const headers = {
      'X-Cache': 'hit',
      'Content-Length': '3',
      'content-type': 'text/html',
      'transfer-encoding': 'chunked',
      'x-request-id': 'mine',
      connection: 'close',
    }
    const { gateway } = await running(t, [answers(() => ({ ...json(completion('hi')), headers }))])
    const reply = await post(gateway)
    assert.equal(reply.headers['x-cache'], 'hit')
    assert.match(String(reply.headers['content-type']), /^application\/json/)
    assert.notEqual(reply.headers['x-request-id'], 'mine')
    assert.ok((await reply.json()).choices)
  })

  it('of a form the client did not ask for is a failure of the plugin', async (t) => {
    const { gateway } = await running(t, [answers(() => json(completion('hi')))])
    assert.equal((await post(gateway, streaming)).status, 503)
    const other = await running(t, [answers(() => ({ contentType: 'text/event-stream', body: Buffer.from(sse([])) }))])
    assert.equal((await post(other.gateway)).status, 503)
    const html = await running(t, [answers(() => ({ contentType: 'text/html', body: Buffer.from('hi') }))])
    assert.equal((await post(html.gateway)).status, 503)
  })

  it('may come in pieces, and ends with the client', async (t) => {
    const ended = Promise.withResolvers<void>()
    const events = chunks('one two three')
    async function* endless() {
      try {
        for (;;) for (const event of events.slice(0, 3)) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
      } finally {
        ended.resolve()
      }
    }
    const outcomes: string[] = []
    const { gateway, next } = await running(t, [
      answers(() => ({ contentType: 'text/event-stream', body: endless() }), outcomes),
    ])
    const reply = await post(gateway, streaming)
    await reply.event()
    reply.destroy()
    await ended.promise
    await next('stream.aborted')
    assert.deepEqual(outcomes, ['aborted'])
  })

  it('waits for a client that does not read', async (t) => {
    let given = 0
    const big = `data: ${JSON.stringify({ ...chunks('x')[1], pad: 'x'.repeat(60_000) })}\n\n`
    async function* endless() {
      for (;;) {
        given++
        yield Buffer.from(big)
      }
    }
    const { gateway } = await running(t, [answers(() => ({ contentType: 'text/event-stream', body: endless() }))])
    const reply = await post(gateway, streaming)
    // Others are served meanwhile, and the plugin is not asked again.
    for (let quiet = 0, before = 0; quiet < 5 && given < 500; before = given) {
      await barrier(gateway)
      quiet = given === before && given > 0 ? quiet + 1 : 0
    }
    assert.ok(given < 500, `${given} pieces of 60 kB were taken for a client that reads none`)
    reply.destroy()
  })

  it('that breaks off is never a success', async (t) => {
    async function* broken(events: readonly object[]) {
      for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
      throw new Error('a secret cause')
    }
    const outcomes: string[] = []
    const given = (x: Exchange): Given => ({
      contentType: 'text/event-stream',
      body: broken(x.request.model === 'gpt-late' ? chunks('one two').slice(0, 2) : []),
    })
    const { gateway } = await running(t, [answers(given, outcomes)])
    const early = await post(gateway, streaming)
    assert.equal(early.status, 503)
    assert.ok(!(await early.text()).includes('secret'))
    const events = await (await post(gateway, { ...streaming, model: 'gpt-late' })).events()
    assert.equal((JSON.parse(events.at(-1) ?? '') as { error: { code: string } }).error.code, 'guardrail_unavailable')
    assert.ok(!outcomes.includes('answered'))
  })
})
