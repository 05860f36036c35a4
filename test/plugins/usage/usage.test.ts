import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { apiError, chat, type PluginSetup, startPlugin } from '../../../core/testing/index.ts'
import { Book } from '../../../plugins/usage/book.ts'
import { Figures, type Used } from '../../../plugins/usage/figures.ts'
import usage from '../../../plugins/usage/index.ts'

const HOUR = 3_600_000
type Row = Record<string, unknown>

async function start(t: TestContext, setup: PluginSetup = {}) {
  const rig = await startPlugin(usage, { with: ['flags', 'pii', 'budget'], ...setup })
  t.after(() => rig.close())
  const rows = async (query = '') => (await rig.admin('GET', `/api/usage${query}`)).body.usage as Row[]
  return { rig, rows }
}

describe('usage', () => {
  it('agrees with the budgets, buffered and streamed, and counts what has no limit', async (t) => {
    const prices = [{ model: '*', input: 1.1, output: 3.3 }]
    const limits = ['requests', 'tokens', 'usd'].map((unit) => ({ scope: 'key', unit, limit: 1000, window: 'day' }))
    const options = { limits, prices }
    const { rig, rows } = await start(t, { with: ['flags', { use: 'budget', options }], key: { team: 'blue' } })
    for (const stream of [false, true, true]) await rig.send('Hello', { stream })
    await rig.send('Hello', { reply: apiError(500) })
    await rig.send('Hello', { headers: { 'x-service-flags': 'dry_run=true' } })
    await rig.send({ model: 'gpt-other' }, { reply: chat('Fine') })
    await rig.send('Hello', { headers: { authorization: `Bearer ${rig.adminKey}` } })
    const budgets = (await rig.admin('GET', '/api/budgets')).body.budgets as Row[]
    const spent = (unit: string) => budgets.find((one) => one.unit === unit && one.subject === 'tester')?.spent
    const [admin, tester] = await rows('?by=key,team')
    assert.deepEqual([admin?.key, admin?.team, admin?.requests], ['admin', null, 1])
    assert.deepEqual([tester?.key, tester?.team, tester?.requests, tester?.failed], ['tester', 'blue', 6, 1])
    assert.equal(tester?.served, spent('requests'))
    assert.equal((tester?.prompt_tokens as number) + (tester?.completion_tokens as number), spent('tokens'))
    assert.equal(tester?.usd, spent('usd'))
    assert.ok((tester?.p95_ms as number) >= (tester?.p50_ms as number))
    const models = await rows('?by=model&key=tester')
    assert.deepEqual(
      models.map(({ model, requests }) => [model, requests]),
      [
        ['gpt-other', 1],
        ['gpt-test', 5],
      ],
    )
    const [total] = await rows('?by=hour')
    assert.equal(total?.requests, 7)
  })

  it('counts blocks and redactions, and shows no name that may be a value', async (t) => {
    const { rig, rows } = await start(t, { with: ['flags', { use: 'pii', options: { action: 'redact' } }] })
    await rig.send('I am kim@example.org')
    await rig.send('I am kim@example.org', { headers: { 'x-service-flags': 'pii=block' } })
    await rig.send({ model: 'sk-abcdefghijklmnopqrstuvwxyz0123456789' })
    const [row] = await rows('?by=day')
    assert.deepEqual([row?.requests, row?.served, row?.blocked, row?.redacted], [3, 2, 1, 1])
    const models = (await rows('?by=model')).map(({ model }) => model)
    assert.deepEqual(models, ['(others)', 'gpt-test'])
  })

  it('answers as CSV, safe for spreadsheets, and refuses what it does not know', async (t) => {
    const { rig } = await start(t, { key: { team: '=1+1,"x"' } })
    await rig.send('Hello')
    const get = (query: string) =>
      fetch(`${rig.url}/api/usage?${query}`, { headers: { authorization: `Bearer ${rig.adminKey}` } })
    const csv = await get('by=key,team&format=csv')
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
    const [head, line, end] = (await csv.text()).split('\r\n')
    assert.match(String(head), /^key,team,requests,served,prompt_tokens,completion_tokens,usd,/)
    assert.match(String(line), /^tester,"'=1\+1,""x""",1,1,/)
    assert.equal(end, '')
    for (const query of [
      'by=week',
      'by=hour,key',
      'since=2027-02-30',
      'since=1d&until=2d',
      'what=1',
      'format=xml',
      'since=999d',
    ]) {
      const refused = await get(query)
      assert.deepEqual([query, refused.status], [query, 400])
      await refused.body?.cancel()
    }
  })
})

describe('the book of usage', () => {
  const used: Used = {
    ...{ key: 'app', team: '', model: 'm', copied: false, served: true, prompt: 1, completion: 2, micros: 3 },
    ...{ blocked: false, redacted: false, failed: false, latency: 100 },
  }
  const requests = async (book: Book, at: number) => {
    const { rows, hours } = await book.day(at)
    const sum = (all: Iterable<Figures>) => [...all].reduce((total, { sums }) => total + (sums[0] as number), 0)
    assert.equal(sum(rows.values()), sum(hours.values()), 'hours add up to the day')
    return sum(rows.values())
  }

  it('counts each exchange once: with several processes, lost answers, late ends and the next hour', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T10:00:00Z') })
    const day = Date.parse('2027-01-01T00:00:00Z')
    const store = new StoreClient(new MemoryDriver())
    t.after(() => store.close())
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    let lost = 0
    const lossy = {
      entry: store.entry.bind(store),
      get: store.get.bind(store),
      delete: store.delete.bind(store),
      async set(...args: Parameters<typeof store.set>) {
        const done = await store.set(...args)
        if (lost-- > 0) throw new Error('unavailable')
        return done
      },
    } as unknown as typeof store
    const books = [new Book({ store: lossy, log }, 10), new Book({ store, log }, 10)]
    t.after(() => books.map((book) => book.close()))
    const [first, second] = books as [Book, Book]
    for (const book of books) book.add(Date.now(), used)
    lost = 2
    for (let i = 0; i < 4; i++) await first.flush()
    await second.flush()
    assert.equal(await requests(second, day), 2)
    t.mock.timers.setTime(Date.now() + 2 * HOUR)
    second.add(Date.now(), used)
    for (const book of [...books, ...books]) await book.flush()
    assert.equal(await requests(first, day), 3)
    // An exchange that began in the hour that was moved.
    first.add(day + 10 * HOUR, used)
    await first.flush()
    assert.equal(await requests(second, day), 4)
    await first.flush()
    assert.equal(await requests(second, day), 4)
  })

  it('knows percentiles within a twentieth', () => {
    const figures = new Figures()
    for (let ms = 1; ms <= 1000; ms++) figures.add({ ...used, latency: ms })
    const { p50_ms, p95_ms } = figures.shown()
    assert.ok(Math.abs((p50_ms ?? 0) - 500) <= 25, String(p50_ms))
    assert.ok(Math.abs((p95_ms ?? 0) - 950) <= 48, String(p95_ms))
    assert.deepEqual(Figures.of(structuredClone(figures.toJson())).shown(), figures.shown())
  })
})
