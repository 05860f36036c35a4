/** Documents of very many values are inspected one after the other; their memory does not grow with their number. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json } from '../../../core/testing/provider.ts'
import { type Plugin, running } from '../../helpers/core.ts'
import { asking, post } from '../../helpers/gateway.ts'

/** More than half of what is inspected at once. */
const MANY = Array.from({ length: 250_000 }, () => 1)
const dense = (text: string): object => asking(text, { x: MANY })

const HELD = ['one', 'other']

/** Tells which requests or replies it sees, and keeps each until it may go. */
class Gate {
  readonly seen: string[] = []
  readonly #open: (() => void)[] = []
  readonly #come: (() => void)[] = []

  readonly stop = (text: string): Promise<void> => {
    this.seen.push(text)
    for (const tell of this.#come.splice(0)) tell()
    return new Promise((go) => this.#open.push(go))
  }

  async until(count: number): Promise<void> {
    while (this.seen.length < count) await new Promise<void>((tell) => this.#come.push(tell))
  }

  next(): void {
    this.#open.shift()?.()
  }
}

describe('documents of very many values', () => {
  it('wait for each other as requests, and nobody else does', async (t) => {
    const gate = new Gate()
    const keeps: Plugin = {
      entry: { timeout_ms: 60_000 },
      apply: (hooks) =>
        hooks.classify.tapPromise('keeps', (x) => {
          const [text = ''] = x.request.views.filter(({ channel }) => channel === 'content').map((one) => one.text)
          return HELD.includes(text) ? gate.stop(text) : Promise.resolve()
        }),
    }
    const { gateway } = await running(t, [keeps])
    const one = post(gateway, dense('one'))
    await gate.until(1)
    const other = post(gateway, dense('other'))
    for (let i = 0; i < 3; i++) assert.equal((await post(gateway, asking('small'))).status, 200)
    assert.deepEqual(gate.seen, ['one'])
    gate.next()
    assert.equal((await one).status, 200)
    await gate.until(2)
    gate.next()
    assert.equal((await other).status, 200)
    assert.deepEqual(gate.seen, ['one', 'other'])
  })

  it('wait for each other as replies, and nobody else does', async (t) => {
    const gate = new Gate()
    const keeps: Plugin = {
      entry: { timeout_ms: 60_000 },
      apply: (hooks) =>
        hooks.onChunk.tapPromise('keeps', (views) => {
          const [text = ''] = views.filter(({ channel }) => channel === 'content').map((one) => one.text)
          return HELD.includes(text) ? gate.stop(text) : Promise.resolve()
        }),
    }
    const { gateway, provider } = await running(t, [keeps])
    const replyOf = (content: string, x: number[]) =>
      json({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], x })
    provider.reply(replyOf('one', MANY))
    const one = post(gateway)
    await gate.until(1)
    provider.reply(replyOf('other', MANY))
    const other = post(gateway)
    while (provider.requests.length < 2) await provider.next()
    for (let i = 0; i < 3; i++) assert.equal((await post(gateway)).status, 200)
    assert.deepEqual(gate.seen, ['one'])
    gate.next()
    assert.equal((await one).status, 200)
    await gate.until(2)
    gate.next()
    assert.equal((await other).status, 200)
  })
})
