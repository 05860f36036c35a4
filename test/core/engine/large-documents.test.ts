/** Documents of very many values are inspected one after the other; their memory does not grow with their number. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TextView } from '../../../core/engine/contract/plugin.ts'
import { json } from '../../../core/testing/provider.ts'
import { type Plugin, running } from '../../helpers/core.ts'
import { asking, post } from '../../helpers/gateway.ts'
import type { Reply } from '../../helpers/http.ts'

/** More than half of what is inspected at once. */
const MANY = Array.from({ length: 250_000 }, () => 1)
const dense = (text: string): object => asking(text, { x: MANY })

const HELD = ['one', 'other']

/** Tells which requests or replies it sees, and keeps each until it may go. */
class Gate {
  readonly seen: string[] = []
  readonly #open: (() => void)[] = []
  readonly #come: (() => void)[] = []

  readonly stop = (views: readonly TextView[]): Promise<void> => {
    const [text = ''] = views.filter(({ channel }) => channel === 'content').map((one) => one.text)
    if (!HELD.includes(text)) return Promise.resolve()
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

  /** Sends two large documents, and small ones while the first is kept. */
  async passes(
    large: (text: string) => Promise<{ reply: Promise<Reply> }>,
    small: () => Promise<Reply>,
  ): Promise<void> {
    const one = await large('one')
    await this.until(1)
    const other = await large('other')
    for (let i = 0; i < 3; i++) assert.equal((await small()).status, 200)
    assert.deepEqual(this.seen, ['one'])
    this.next()
    assert.equal((await one.reply).status, 200)
    await this.until(2)
    this.next()
    assert.equal((await other.reply).status, 200)
    assert.deepEqual(this.seen, ['one', 'other'])
  }
}

describe('documents of very many values', () => {
  it('wait for each other as requests, and nobody else does', async (t) => {
    const gate = new Gate()
    const keeps: Plugin = {
      entry: { timeout_ms: 60_000 },
      apply: (hooks) => hooks.classify.tapPromise('keeps', (x) => gate.stop(x.request.views)),
    }
    const { gateway } = await running(t, [keeps])
    await gate.passes(
      async (text) => ({ reply: post(gateway, dense(text)) }),
      () => post(gateway, asking('small')),
    )
  })

  it('wait for each other as replies, and nobody else does', async (t) => {
    const gate = new Gate()
    const keeps: Plugin = {
      entry: { timeout_ms: 60_000 },
      apply: (hooks) => hooks.onChunk.tapPromise('keeps', (views) => gate.stop(views)),
    }
    const { gateway, provider } = await running(t, [keeps])
    const large = async (content: string) => {
      const before = provider.requests.length
      provider.reply(
        json({ choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], x: MANY }),
      )
      const reply = post(gateway)
      while (provider.requests.length === before) await provider.next()
      return { reply }
    }
    await gate.passes(large, () => post(gateway))
  })
})
