/** What would make the figures wrong, or dangerous to open. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { apiError, frame, type Provider } from '../../../core/testing/index.ts'
import { Book } from '../../../plugins/usage/book.ts'
import type { Used } from '../../../plugins/usage/figures.ts'
import { csvCell } from '../../../plugins/usage/routes.ts'
import { startUsage } from './rig.ts'

type Row = Record<string, unknown>
type Script = Parameters<Provider['otherwise']>[0]

const chunk = (content: string) =>
  JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })

describe('usage and budgets', () => {
  it('agree after completed, streamed, aborted, blocked, refused and failed requests at once', async (t) => {
    const prices = [{ model: '*', input: 1.1, output: 3.3 }]
    const limits = ['requests', 'tokens', 'usd'].map((unit) => ({ scope: 'key', unit, limit: 1e6, window: 'day' }))
    const budget = { use: 'budget', options: { limits, prices } }
    const pii = { use: 'pii', options: { action: 'redact' } }
    const { rig, rows } = await startUsage(t, { with: ['flags', pii, budget], key: { flags_allow: ['pii=*'] } })
    const done = (await rig.send('Hello')).status
    assert.equal(done, 200)
    const kinds = [
      () => rig.send('Hello'),
      () => rig.send('Tell me more', { stream: true }),
      () => rig.send('I am kim@example.org', { headers: { 'x-service-flags': 'pii=block' } }),
      () => rig.send('I am kim@example.org'),
      () => rig.send('Hello', { headers: { 'x-service-flags': 'nonsense' } }),
      () => rig.send('Hello', { headers: { 'x-service-flags': 'dry_run=true' } }),
    ]
    await Promise.all(Array.from({ length: 30 }, (_, i) => kinds[i % kinds.length]?.()))
    await rig.send('Hello', { reply: apiError(500) })
    const begun = Promise.withResolvers<void>()
    const endless: Script = async (x) => {
      x.response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let i = 0; i < 20; i++) await x.write(frame(chunk('One word after another. '), {}))
      begun.resolve()
      await x.wait(new Promise(() => {}))
    }
    await rig.send('Hello', { stream: true, reply: endless, leaveAfter: begun.promise })

    const budgets = (await rig.admin('GET', '/api/budgets')).body.budgets as Row[]
    const spent = (unit: string) => budgets.find((one) => one.unit === unit && one.subject === 'tester')?.spent
    const [row] = await rows('?by=key')
    assert.equal(row?.served, spent('requests'))
    assert.equal((row?.prompt_tokens as number) + (row?.completion_tokens as number), spent('tokens'))
    assert.equal(row?.usd, spent('usd'))
    assert.deepEqual([row?.requests, row?.blocked, row?.failed], [33, 5, 2])
    assert.ok((spent('tokens') as number) > 0)
  })
})

describe('the book of usage', () => {
  const used: Used = {
    ...{ key: 'app', team: '', model: 'm', served: true, prompt: 1, completion: 2, micros: 3 },
    ...{ blocked: false, redacted: false, failed: false, copied: false, latency: 100 },
  }

  it('lets a client that invents models hide its own only', async (t) => {
    const store = new StoreClient(new MemoryDriver())
    t.after(() => store.close())
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const book = new Book({ store, log, localFolder: undefined }, 10)
    t.after(() => book.close())
    const now = Date.now()
    for (let i = 0; i < 6000; i++) book.add(now, { ...used, key: 'mallory', model: `m${i}` })
    for (const model of ['a', 'b']) book.add(now, { ...used, key: 'kim', team: 'blue', model })
    await book.flush()
    const { rows } = await book.day(now - (now % 86_400_000))
    const requests = (key: string) =>
      [...rows].filter(([name]) => name.startsWith(`${key}\n`)).map(([name, { sums }]) => [name, sums[0]])
    assert.deepEqual(requests('kim'), [
      ['kim\nblue\na', 1],
      ['kim\nblue\nb', 1],
    ])
    const mallory = requests('mallory')
    assert.equal(mallory.length, 101)
    assert.equal(
      mallory.reduce((sum, [, count]) => sum + (count as number), 0),
      6000,
    )
  })
})

describe('usage as CSV', () => {
  it('has no cell that a spreadsheet would run', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '＝1+1', ' =1', '|calc'])
      assert.equal(csvCell(text), `'${text}`)
    assert.equal(csvCell('=1,"a"'), `"'=1,""a"""`)
    assert.equal(csvCell('\r=1'), `"'\r=1"`)
    assert.equal(csvCell('a+b'), 'a+b')
    assert.equal(csvCell(-1), '-1')
  })
})
