/** A provider that sends more than the gateway has read keeps no other exchange waiting. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { delta, frame } from '../../../../core/testing/provider.ts'
import { type Plugin, running } from '../../../helpers/core.ts'
import { asking, post } from '../../../helpers/gateway.ts'

const EVENTS = 4000
const events = [
  ...Array.from({ length: EVENTS }, (_, i) => delta({ content: `word ${i} ` })),
  delta({}, 0, 'stop'),
  '[DONE]',
].map((event) => frame(event, {}))

/** Counts what plugins see in each turn of the event loop, while the reply comes. */
function counting(): { plugin: Plugin; turns: number[] } {
  const turns: number[] = []
  let over = false
  const next = () => {
    turns.push(0)
    if (!over) setImmediate(next)
  }
  const plugin: Plugin = {
    apply: (hooks) => {
      hooks.onChunk.tap('counts', (views) => {
        if (turns.length === 0) next()
        turns[turns.length - 1] =
          (turns.at(-1) as number) + views.reduce((sum, { text, fresh }) => sum + text.length - fresh, 0)
      })
      hooks.postResponse.tap('counts', () => {
        over = true
      })
    },
  }
  return { plugin, turns }
}

describe('a stream that comes faster than it is inspected', () => {
  for (const [name, parts] of [
    ['with each event in a chunk of its own', events],
    ['at once', [events.join('')]],
  ] as const) {
    it(`rests between its reads: ${name}`, async (t) => {
      const { plugin, turns } = counting()
      const { gateway, provider } = await running(t, [plugin])
      provider.reply(({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (const part of parts) response.write(part)
        response.end()
      })
      const reply = await post(gateway, asking('Hello', { stream: true }))
      const told = (await reply.text()).match(/word \d+ /g)
      assert.equal(told?.length, EVENTS)
      const seen = turns.reduce((sum, n) => sum + n, 0)
      assert.ok(Math.max(...turns) < seen / 5, `${Math.max(...turns)} of ${seen} characters in one turn`)
    })
  }
})

it('what a rest puts back to the socket is little, however long the reply is', async (t) => {
  let back = 0
  const { unshift } = Socket.prototype
  t.mock.method(Socket.prototype, 'unshift', function (this: Socket, chunk: Buffer) {
    back += chunk.length
    return unshift.call(this, chunk)
  })
  const { gateway, provider } = await running(t, [])
  const part = Buffer.from(frame(delta({ content: 'hello ' }), {}).repeat(20))
  let sent = 0
  provider.reply(async ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (; sent < 16_000_000; sent += part.length) if (!response.write(part)) await once(response, 'drain')
    response.write(frame(delta({}, 0, 'stop'), {}))
    response.end(frame('[DONE]', {}))
  })
  const reply = await post(gateway, asking('Hello', { stream: true }))
  assert.match((await reply.text()).slice(-20), /\[DONE\]/)
  assert.ok(back < 2 * sent, `${back} of ${sent} bytes`)
})

describe('chunks that come together', () => {
  /** How often plugins were asked, and with which new text. */
  const askedFor = async (t: TestContext, apart: boolean): Promise<string[]> => {
    const asked: string[] = []
    const look: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tap('looks', (views) => {
          for (const { text, fresh } of views) if (text.length > fresh) asked.push(text.slice(fresh))
        }),
    }
    const { gateway, provider } = await running(t, [look])
    provider.reply(async ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      for (let i = 0; i < 50; i++) {
        response.write(frame(delta({ content: `${i} ` }), {}))
        if (apart) await new Promise((resolve) => setImmediate(resolve))
      }
      response.write(frame(delta({}, 0, 'stop'), {}))
      response.end(frame('[DONE]', {}))
    })
    const reply = await post(gateway, asking('Hello', { stream: true }))
    assert.equal((await reply.text()).match(/"\d+ "/g)?.length, 50)
    assert.equal(asked.join(''), Array.from({ length: 50 }, (_, i) => `${i} `).join(''))
    return asked
  }

  it('are inspected together', async (t) => {
    const asked = await askedFor(t, false)
    assert.ok(asked.length < 5, `asked ${asked.length} times`)
  })

  it('do not wait for others', async (t) => {
    const asked = await askedFor(t, true)
    assert.ok(asked.length > 10, `asked ${asked.length} times`)
  })
})
