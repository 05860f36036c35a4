import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { StoreClient } from '../../../core/services/store/client.ts'
import { MemoryDriver } from '../../../core/services/store/memory.ts'
import { apiError, chat } from '../../../core/testing/index.ts'
import { Book } from '../../../plugins/usage/book.ts'
import { Figures, numbersOf, type Used } from '../../../plugins/usage/figures.ts'
import { startUsage } from './rig.ts'

const HOUR = 3_600_000
type Row = Record<string, unknown>

describe('usage', () => {
  it('agrees with the budgets, buffered and streamed, and counts what has no limit', async (t) => {
    const prices = [{ model: '*', input: 1.1, output: 3.3 }]
    const limits = ['requests', 'tokens', 'usd'].map((unit) => ({ scope: 'key', unit, limit: 1000, window: 'day' }))
    const options = { limits, prices }
    const { rig, rows } = await startUsage(t, { with: ['flags', { use: 'budget', options }], key: { team: 'blue' } })
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
    const { rig, rows } = await startUsage(t, { with: ['flags', { use: 'pii', options: { action: 'redact' } }] })
    await rig.send('I am kim@example.org')
    await rig.send('I am kim@example.org', { headers: { 'x-service-flags': 'pii=block' } })
    await rig.send({ model: 'sk-abcdefghijklmnopqrstuvwxyz0123456789' })
    const [row] = await rows('?by=day')
    assert.deepEqual([row?.requests, row?.served, row?.blocked, row?.redacted], [3, 2, 1, 1])
    const models = (await rows('?by=model')).map(({ model }) => model)
    assert.deepEqual(models, ['(others)', 'gpt-test'])
  })

  it('answers as CSV, safe for spreadsheets, and refuses what it does not know', async (t) => {
    const { rig } = await startUsage(t, { key: { team: '=1+1,"x"' } })
    await rig.send('Hello')
    const get = (query: string) =>
      fetch(`${rig.url}/api/usage?${query}`, { headers: { authorization: `Bearer ${rig.adminKey}` } })
    const csv = await get('by=key,team&format=csv')
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8')
    const [head, line, end] = (await csv.text()).split('\r\n')
    assert.match(String(head), /^key,team,requests,served,prompt_tokens,completion_tokens,usd,/)
    assert.match(String(line), /^tester,"'=1\+1,""x""",1,1,/)
    assert.equal(end, '')
    for (const query of ['by=week', 'by=hour,key', 'since=2027-02-30', 'since=1d&until=2d', 'what=1', 'format=xml']) {
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
    const books = [
      new Book({ store: lossy, log, localFolder: undefined }, 10),
      new Book({ store, log, localFolder: undefined }, 10),
    ]
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

  it('writes again what the store lost, and counts once what moved before its connection broke', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T10:00:00Z') })
    const day = Date.parse('2027-01-01T00:00:00Z')
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    let inner = new StoreClient(new MemoryDriver())
    let reconnected = (_?: string): void => {}
    let lost = false
    const store = {
      entry: (name: string) => inner.entry(name),
      get: (name: string) => inner.get(name),
      delete: (name: string) => inner.delete(name),
      async set(...args: Parameters<typeof inner.set>) {
        const done = await inner.set(...args)
        if (!lost) return done
        lost = false
        throw new Error('unavailable')
      },
      watch(_: string, listener: typeof reconnected) {
        reconnected = listener
        return () => {}
      },
    } as unknown as typeof inner
    const book = new Book({ store, log, localFolder: undefined }, 10)
    t.after(() => book.close())
    book.start()
    book.add(Date.now(), used)
    await book.flush()
    inner = new StoreClient(new MemoryDriver())
    assert.equal(await requests(book, day), 0)
    reconnected('hour/of-another')
    await book.flush()
    assert.equal(await requests(book, day), 0)
    reconnected()
    await book.flush()
    assert.equal(await requests(book, day), 1)
    t.mock.timers.setTime(Date.now() + 2 * HOUR)
    lost = true
    await book.flush()
    reconnected()
    for (let i = 0; i < 2; i++) await book.flush()
    assert.equal(await requests(book, day), 1)
  })

  it('takes over once what a killed process left, up to a torn line', async (t) => {
    const localFolder = mkdtempSync(join(tmpdir(), 'usage-'))
    const store = new StoreClient(new MemoryDriver())
    t.after(async () => {
      await store.close()
      rmSync(localFolder, { recursive: true })
    })
    const day = Date.parse('2027-01-01T00:00:00Z')
    const name = `hour/${day + HOUR}/of-a-killed-process`
    const line = (n: number) => `[${n},0,1,1,5,6,7,0,0,0,40]`
    const file = (n: number, lines: string[]) =>
      writeFileSync(join(localFolder, `${hostname()}-99999999-0a-${n}.jsonl`), lines.join('\n'))
    const head = JSON.stringify([name, 'app\n\nm'])
    // It wrote the first two before it was killed, in the way of version 0.2.0 those of another hour.
    await store.set(name, {
      at: 2,
      rows: {
        'app\n\nm': [
          [2, 2, 10, 12, 14, 0, 0, 0],
          [40, 2],
        ],
      },
    })
    await store.set('hour/1/old', { 'app\n\nm': [[1, 1, 1, 1, 1, 0, 0, 0], []] })
    await store.set(`day/${day}`, { open: ['hour/1/old'], rows: {}, hours: {} })
    file(10, [head, line(3), line(4), line(5).slice(0, 9)])
    file(9, [head, line(1), line(2), ''])
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const books = [new Book({ store, log, localFolder }, 10), new Book({ store, log, localFolder }, 10)]
    await Promise.all(books.map((book) => book.takeOver()))
    await books[0]?.takeOver()
    assert.deepEqual(readdirSync(localFolder), [])
    const { rows } = await (books[1] as Book).day(day)
    assert.deepEqual(rows.get('app\n\nm')?.sums, [5, 5, 21, 25, 29, 0, 0, 0])
    for (const book of books) book.close()
  })

  it('notes on the disk only what the store does not have', async (t) => {
    const localFolder = mkdtempSync(join(tmpdir(), 'usage-'))
    const store = new StoreClient(new MemoryDriver())
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    let late = 1
    const busy = {
      entry: store.entry.bind(store),
      set(...args: Parameters<typeof store.set>) {
        if (late-- > 0) book.add(Date.now(), used)
        return store.set(...args)
      },
    } as unknown as typeof store
    const book: Book = new Book({ store: busy, log, localFolder }, 10)
    t.after(async () => {
      book.close()
      await store.close()
      rmSync(localFolder, { recursive: true })
    })
    const size = () => readdirSync(localFolder).reduce((sum, name) => sum + statSync(join(localFolder, name)).size, 0)
    for (let i = 0; i < 3; i++) book.add(Date.now(), used)
    await setImmediate()
    assert.ok(size() > 0)
    await book.flush()
    await setImmediate()
    assert.ok(size() > 0, 'one came while the others were written')
    await book.flush()
    assert.equal(size(), 0)
  })

  it('keeps figures as long as the option says', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-01-01T10:00:00Z') })
    const { rig, rows } = await startUsage(t, { options: { retention_days: 2 } })
    const requests = async () => (await rows()).map((row) => [row.day, row.requests])
    await rig.send('Hello')
    for (const hours of [0, 3, 24]) {
      t.mock.timers.setTime(Date.now() + hours * HOUR)
      assert.deepEqual(await requests(), [['2027-01-01', 1]], `${hours} hours later`)
    }
    await rig.send('Hello')
    t.mock.timers.setTime(Date.now() + 30 * HOUR)
    assert.deepEqual(await requests(), [['2027-01-02', 1]])
    t.mock.timers.setTime(Date.now() + 48 * HOUR)
    assert.deepEqual(await requests(), [])
    const { since, until } = (await rig.admin('GET', '/api/usage?since=2020-01-01&until=2030-01-01')).body
    assert.deepEqual([since, until], ['2027-01-03', '2027-01-05'], 'the days that may have figures')
  })

  it('knows percentiles within a twentieth', () => {
    const figures = new Figures()
    for (let ms = 1; ms <= 1000; ms++) figures.add(numbersOf({ ...used, latency: ms }))
    const { p50_ms, p95_ms } = figures.shown()
    assert.ok(Math.abs((p50_ms ?? 0) - 500) <= 25, String(p50_ms))
    assert.ok(Math.abs((p95_ms ?? 0) - 950) <= 48, String(p95_ms))
    assert.deepEqual(Figures.of(structuredClone(figures.toJson())).shown(), figures.shown())
  })
})
