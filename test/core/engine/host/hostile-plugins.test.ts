/** Whatever a plugin does: every exchange gets an answer and one terminal event, and the process lives. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Exchange, type Hooks, Stage, type TextView } from '../../../../core/engine/contract/plugin.ts'
import { chat } from '../../../../core/testing/provider.ts'
import { type Plugin, type Running, running } from '../../../helpers/core.ts'
import { asking, type Owner, post } from '../../../helpers/gateway.ts'
import { part } from '../../../helpers/rounds.ts'
import { isTerminal } from '../../services/audit/faults.ts'

const hostile = (): never => {
  throw new Error('marker')
}
const everyTrap = Object.fromEntries(
  ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'set', 'apply', 'construct'].map((trap) => [
    trap,
    hostile,
  ]),
)
const circle: Record<string, unknown> = { a: 1 }
circle.again = { circle }
const revoked = Proxy.revocable({}, {})
revoked.revoke()
let deep: unknown = 1
for (let i = 0; i < 10_000; i++) deep = [deep]

/** What no call is made for. */
const VALUES: Readonly<Record<string, unknown>> = {
  undefined,
  null: null,
  true: true,
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  bigint: 1n,
  symbol: Symbol('s'),
  function: hostile,
  circle,
  deep,
  wide: Array.from({ length: 100_000 }, () => 0),
  sparse: Object.assign([], { length: 4_000_000_000 }),
  long: 'x'.repeat(1_000_000),
  lines: 'a\r\nset-cookie: b',
  surrogate: 'a\ud800b',
  getter: Object.defineProperty({}, 'a', { enumerable: true, get: hostile }),
  proxy: new Proxy({}, everyTrap),
  callable: new Proxy(() => {}, everyTrap),
  revoked: revoked.proxy,
  toJSON: { toJSON: hostile },
  text: { toString: hostile, valueOf: hostile },
  prototype: JSON.parse('{"__proto__": {"reason": "x"}}'),
  bare: Object.create(null),
  map: new Map([['mode', 'off']]),
  date: new Date(Number.NaN),
  branded: { [Symbol.for('governed-gateway.error')]: true, code: 'GW_NONE', message: 'branded' },
}

const native = (name: string, own: PropertyDescriptor): Promise<unknown> =>
  Object.defineProperty(Promise.resolve(), name, own)
const thenable = (then: unknown): object => Object.fromEntries([['then', then]])
let switching = 0

/** What a tap may come to; all of these are made anew for each call. */
const ENDS: Readonly<Record<string, () => unknown>> = {
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [
      `throws ${name}`,
      () => {
        throw value
      },
    ]),
  ),
  ...Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [`returns ${name}`, () => value])),
  ...Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [`resolves to ${name}`, async () => value])),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [`rejects with ${name}`, () => Promise.reject(value)]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [`details ${name}`, () => ({ reason: 'No.', details: { value } })]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [`status ${name}`, () => ({ reason: 'No.', status: value })]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [`error ${name}`, () => ({ error: value, message: 'No.' })]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [
      `retryAfter ${name}`,
      () => ({ error: 'GW_RATE_LIMITED', message: 'No.', retryAfter: value }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [
      `body ${name}`,
      () => ({ answer: { contentType: 'application/json', body: value } }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(VALUES).map(([name, value]) => [
      `headers ${name}`,
      () => ({ answer: { contentType: 'application/json', headers: { a: value }, body: Buffer.from('{}') } }),
    ]),
  ),
  'then is a getter that throws': () => Object.defineProperty({}, 'then', { get: hostile }),
  'then throws': () => thenable(hostile),
  'then is called twice': () =>
    thenable((resolve: (value?: unknown) => void, reject: (error: unknown) => void) => {
      resolve()
      resolve({ reason: 'No.' })
      reject(1)
    }),
  'then calls back and throws': () =>
    thenable((resolve: () => void) => {
      resolve()
      hostile()
    }),
  'then never calls': () => thenable(() => {}),
  'then gives another one': () => thenable((resolve: (value: unknown) => void) => resolve(thenable(hostile))),
  'then comes and goes': () =>
    Object.defineProperty({}, 'then', { get: () => (switching++ % 2 === 0 ? () => hostile() : undefined) }),
  'a promise with a then of its own': () => native('then', { value: hostile }),
  'a promise with a silent then': () => native('then', { value: () => {} }),
  'a promise with another constructor': () => native('constructor', { get: hostile }),
  'an answer that never comes': () => ({
    answer: {
      contentType: 'application/json',
      body: { [Symbol.asyncIterator]: () => ({ next: hostile, return: () => new Promise(() => {}) }) },
    },
  }),
  'an answer of something else': () => ({
    answer: {
      contentType: 'application/json',
      body: (async function* () {
        yield { length: 1e9 }
      })(),
    },
  }),
  'an answer that throws nothing': () => ({
    answer: {
      contentType: 'application/json',
      body: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(undefined) }) },
    },
  }),
}

type Call = (x: Exchange, value: never, view: TextView | undefined) => unknown

const CALLS: Readonly<Record<string, Call>> = {
  extend: (x, value) => x.reply.extend('acme_value', value),
  'extend within': (x, value) => x.reply.extend('acme_value', { a: [value] }),
  'extend key': (x, value) => x.reply.extend(value, 1),
  block: (x, value) => x.reply.block(value),
  'block reason': (x, value) => x.reply.block({ reason: value }),
  'block details': (x, value) => x.reply.block({ reason: 'No.', details: { value } }),
  emit: (x, value) => x.emit('policy.would_block', value),
  'emit type': (x, value) => x.emit(value, {} as never),
  'emit within': (x, value) => x.emit('policy.would_block', { policy: 'p', reason: value }),
  raise: (x, value) => x.raise(value, 'rule'),
  'raise rule': (x, value) => x.raise('RESTRICTED', value),
  setHeader: (x, value) => x.reply.setHeader('x-acme', value),
  'setHeader name': (x, value) => x.reply.setHeader(value, '1'),
  header: (x, value) => x.reply.header(value),
  setUpstreamHeader: (x, value) => x.request.setUpstreamHeader('x-acme', value),
  'setUpstreamHeader name': (x, value) => x.request.setUpstreamHeader(value, '1'),
  setModel: (x, value) => x.request.setModel(value),
  addSystemNote: (x, value) => x.request.addSystemNote(value),
  capOutputTokens: (x, value) => x.request.capOutputTokens(value),
  estimateUsage: (x, value) => x.reply.estimateUsage(value, value),
  bill: (x, value) => x.reply.bill(value),
  capture: (x, value) => {
    x.reply.capture(value)
    x.reply.captured()
  },
  flag: (x, value) => x.flag(value),
  'facts.get': (x, value) => x.facts.get(value),
  'facts.set': (x, value) => x.facts.set(value, 1),
  'fact flags': (x, value) => x.facts.set({ key: 'flags' }, value),
  'fact mode': (x, value) => x.facts.set({ key: 'flags' }, new Map([['mode', value]])),
  'fact session': (x, value) => x.facts.set({ key: 'session' }, value),
  'fact session id': (x, value) => x.facts.set({ key: 'session' }, { id: value, turnIndex: 1 }),
  reserve: (x, value) => x.reserve(value),
  'reserve refused': (x, value) =>
    x.reserve({ scopes: [{ key: 'k', window: 'total', limit: 0, amount: 1 }], refused: () => value }),
  'reserve granted': (x, value) =>
    x.reserve({
      scopes: [{ key: 'k', window: 'total', limit: 9, amount: 1 }],
      refused: () => ({ reason: 'No.' }),
      granted: () => {
        throw value
      },
    }),
  'reserve again': (x, value) =>
    x.reserve({
      scopes: [{ key: 'k', window: 'total', limit: 0, amount: 1 }],
      refused: () => ({ reason: 'No.' }),
      again: () => value,
    }),
  settle: (x, value) =>
    x
      .reserve({ scopes: [{ key: 'k', window: 'total', limit: 9, amount: 1 }], refused: () => ({ reason: 'No.' }) })
      .settle(value, value),
  log: (x, value) => x.log.info({ value }, 'a line'),
  report: (_x, value, view) => view?.report(value),
  'report type': (_x, value, view) => view?.report({ type: value, start: 0, end: 1, action: 'redact' }),
  'report span': (_x, value, view) => view?.report({ type: 'a', start: value, end: value, action: 'redact' }),
  'report reason': (_x, value, view) => view?.report({ type: 'a', start: 0, end: 1, action: 'block', reason: value }),
  'report replace': (_x, value, view) =>
    view?.report({ type: 'a', start: 0, end: 1, action: 'redact', replace: value }),
  'report replace()': (_x, value, view) =>
    view?.report({ type: 'a', start: 0, end: 1, action: 'redact', replace: () => value }),
  hold: (_x, value, view) => view?.hold(value),
  'hold until': (_x, value, view) => view?.hold(0, value),
  'hold until a promise of': (_x, value, view) => {
    const promise = Promise.resolve(value)
    promise.catch(() => {}) // Where nobody may hold, nobody waits for it.
    view?.hold(0, promise)
  },
  restore: (x, value, view) => x.reply.restore(view as TextView, 0, 1, value),
  'restore view': (x, value) => x.reply.restore(value, 0, 1, 'a'),
}

const HOOKS = ['preRequest', 'classify', 'block', 'late', 'onChunk', 'postResponse', 'onEvent'] as const
type Hook = (typeof HOOKS)[number]

interface Case {
  readonly name: string
  readonly hook: Hook
  readonly run: (x: Exchange | undefined, view: TextView | undefined) => unknown
}

const cases: Case[] = []
for (const [i, [name, end]] of Object.entries(ENDS).entries()) {
  const hooks = /^(then|a promise)/.test(name) ? HOOKS : HOOKS.filter((hook, n) => (n + i) % 3 === 0 || hook === 'late')
  for (const hook of hooks) cases.push({ name: `${hook}: ${name}`, hook, run: end })
}
let turn = 0
for (const [call, make] of Object.entries(CALLS)) {
  for (const [name, value] of Object.entries(VALUES)) {
    const hook = HOOKS[turn++ % (HOOKS.length - 1)] as Hook
    cases.push({
      name: `${hook}: ${call} with ${name}`,
      hook,
      run: (x, view) => x && void make(x, value as never, view),
    })
  }
}

/** Plays the part of the case that the request names. */
const player = (onError: 'block' | 'allow'): Plugin => {
  const part = (hook: Hook, x: Exchange | undefined, id: string | undefined, view?: TextView): unknown => {
    const one = cases[Number(id ?? -1)]
    return one?.hook === hook ? one.run(x, view) : undefined
  }
  const idOf = (x: Exchange) => x.request.headers['x-case']
  return {
    name: 'player',
    onError,
    timeoutMs: 30,
    apply(hooks: Hooks) {
      const tap = (name: 'preRequest' | 'classify' | 'block' | 'postResponse', hook: Hook, stage = 0) =>
        hooks[name].tap({ name: 'player', stage }, ((x: Exchange) =>
          part(hook, x, idOf(x), x.request.views[0])) as never)
      tap('preRequest', 'preRequest')
      tap('classify', 'classify')
      tap('block', 'block')
      tap('block', 'late', Stage.Final)
      tap('postResponse', 'postResponse')
      hooks.onChunk.tap('player', ((views: readonly TextView[], x: Exchange) =>
        part('onChunk', x, idOf(x), views[0])) as never)
      hooks.onEvent.tap('player', ((event: { client_request_id?: string }) =>
        part('onEvent', undefined, event.client_request_id)) as never)
    },
  }
}

for (const onError of ['block', 'allow'] as const) {
  describe(`a plugin that does what it should not (on_error: ${onError})`, () => {
    let gateway: Running
    const closers: (() => Promise<void>)[] = []
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    before(async () => {
      const owner: Owner = { after: (fn) => void closers.push(fn) }
      gateway = await running(owner, [player(onError)])
      gateway.provider.otherwise(chat('Hello from the provider, and a little more.'))
      process.on('uncaughtException', note)
    })
    after(async () => {
      process.off('uncaughtException', note)
      for (const close of closers) await close()
    })

    it('every exchange ends, with one last event', async () => {
      const ends = new Ends(gateway)
      const failures: string[] = []
      const ids = part([...cases.keys()]).values()
      const worker = async (): Promise<void> => {
        for (const id of ids) {
          // With the other gateway, each case is asked for in both ways.
          const streamed = (id % 2 === 0) === (onError === 'block')
          await answered(gateway, ends, id, streamed).catch((error: Error) => failures.push(error.message))
        }
      }
      await Promise.all(Array.from({ length: 8 }, worker))
      assert.deepEqual(failures, [])
      assert.deepEqual(unhandled, [])
    })

    it('says nothing of what it threw', () => {
      const told = gateway.gateway.log.map((line) => JSON.stringify(line)).filter((line) => line.includes('marker'))
      assert.deepEqual(told.slice(0, 3), [])
    })
  })
}

/** Terminal events by request, read off the log as it grows. */
class Ends {
  readonly #log: readonly Record<string, unknown>[]
  readonly #counts = new Map<string, number>()
  #read = 0

  constructor({ gateway }: Running) {
    this.#log = gateway.log
  }

  of(id: string): number {
    for (; this.#read < this.#log.length; this.#read++) {
      const event = this.#log[this.#read]?.event as { type: string; request_id: string } | undefined
      if (event === undefined || !isTerminal(event)) continue
      this.#counts.set(event.request_id, (this.#counts.get(event.request_id) ?? 0) + 1)
    }
    return this.#counts.get(id) ?? 0
  }
}

async function answered({ gateway }: Running, ends: Ends, id: number, streamed: boolean): Promise<void> {
  const { name } = cases[id] as Case
  const headers = { 'x-case': String(id), 'x-client-request-id': String(id) }
  const signal = AbortSignal.timeout(20_000)
  const reply = await post(gateway, asking('Hello', { stream: streamed }), { headers, signal }).catch(
    (error: Error) => {
      throw new Error(`${name}: no answer: ${error.message}`)
    },
  )
  const text = await reply.text()
  assert.ok(reply.complete, `${name}: the answer broke off`)
  assert.ok([200, 400, 402, 403, 429, 500, 502, 503].includes(reply.status), `${name}: ${reply.status} ${text}`)
  assert.doesNotMatch(text, /marker/, name)
  if (reply.headers['content-type']?.startsWith('text/event-stream')) {
    assert.match(text, /data: (\[DONE\]|\{"error":.*\})\n\n$/, name)
  } else if (reply.status !== 200) {
    assert.ok((JSON.parse(text) as { error: { type: string } }).error.type, name)
  }
  assert.equal(ends.of(reply.headers['x-request-id'] as string), 1, `${name}: terminal events; ${reply.status} ${text}`)
}
