/** Many requests of one key against a limit of fewer, over any number of processes. */
import assert from 'node:assert/strict'
import type { ScopeState } from '../../../../core/engine/contract/store-limits.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../../../core/services/store/embedded/driver.ts'
import { RedisDriver } from '../../../../core/services/store/redis/driver.ts'
import { chat, type Provider } from '../../../../core/testing/provider.ts'
import { asking, bearer } from '../../../helpers/gateway.ts'
import { type Reply, send } from '../../../helpers/http.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { type Answer, CountingProvider, Crowd } from '../../../plugins/budget/load.ts'

/** Four times as many requests come at once as the limit lets pass. */
export const LIMIT = Math.max(40, rounds(60))
/** The README's size is run with all rounds. */
export const LARGE = Math.max(40, rounds(500))
/** What the ledger gives each exchange. */
const LEASE_MS = 60_000

const TOKENS = Math.max(6000, rounds(12_000))

const keyOf = (id: string): string => `sk-test-${id}-key-0123456789`

/** Config members: a key for each limit of requests an hour, and the key `tokens` with a limit of tokens. */
export function budgetOf(requests: Readonly<Record<string, number>>) {
  const limits = Object.entries({ ...requests, tokens: TOKENS }).map(([id, limit]) => ({
    ...{ id, scope: 'key', match: [id], unit: id === 'tokens' ? id : 'requests' },
    ...{ limit, window: { rolling: '1h' } },
  }))
  return {
    keys: limits.map(({ id }) => ({ id, key: keyOf(id) })),
    plugins: [{ use: 'budget', options: { limits } }],
  }
}

/** Spent and reserved of a key, as the store (a folder, or the url of Redis) will see it when all leases have run out. */
export async function spentAfterLeases(where: string, id: string): Promise<{ spent: number; reserved: number }> {
  const clock = (): number => Date.now() + LEASE_MS + 5000
  const driver = where.startsWith('redis:')
    ? await RedisDriver.open({ url: where, clock })
    : await EmbeddedDriver.open({ folder: where, clock })
  const store = new StoreClient(driver)
  try {
    const [state] = await store.inspect([{ key: `budget/${id}/${id}`, window: { rolling: 3_600_000 } }])
    const { spent, reserved } = state as ScopeState
    return { spent, reserved }
  } finally {
    await store.close()
  }
}

/** Answers nobody until as many have arrived as may: so they are all under way at once. */
export function holdUntil(provider: Provider, count: number): { readonly arrived: Promise<void>; release(): void } {
  const full = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  let seen = 0
  provider.otherwise(async (exchange) => {
    if (++seen >= count) full.resolve()
    await exchange.wait(open.promise)
    if (!exchange.over) await chat('Hello')(exchange)
  })
  return { arrived: full.promise, release: () => open.resolve() }
}

/**
 * Every other one is streamed. Status of each; 0 when the connection broke. Sockets are opened a hundred at a time, as a
 * backlog has its end.
 */
export async function flood(id: string, urls: readonly string[], count: number): Promise<Promise<number>[]> {
  const bodies = [false, true].map((stream) => asking('Hello', { stream }))
  const all: Promise<number>[] = []
  for (let i = 0; i < count; i++) {
    const url = `${urls[i % urls.length]}/v1/chat/completions`
    // Each node gets both.
    const body = bodies[Math.floor(i / urls.length) % 2]
    all.push(patiently(() => send(url, { body, headers: bearer(keyOf(id)) }).then(statusOf, () => 0)))
    if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}

/** Asks again where the store did not answer in time, on a machine that stood still: nothing was let pass then. */
async function patiently<T extends number | Answer>(ask: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    const answer = await ask()
    if ((typeof answer === 'number' ? answer : answer.status) !== 503 || left === 0) return answer
  }
}

async function statusOf(reply: Reply): Promise<number> {
  await reply.text()
  return reply.complete === true ? reply.status : 0
}

/** Of four times as many requests of the key exactly `limit` reach the provider and are answered. */
export async function assertExact(
  id: string,
  provider: Provider,
  urls: readonly string[],
  limit: number,
): Promise<void> {
  const before = provider.requests.length
  const { arrived, release } = holdUntil(provider, limit)
  const replies = await flood(id, urls, 4 * limit)
  await arrived
  release()
  const statuses = Map.groupBy(await Promise.all(replies), (status) => status)
  const counts = Object.fromEntries([...statuses].map(([status, { length }]) => [status, length]))
  assert.deepEqual(counts, { 200: limit, 403: 3 * limit })
  assert.equal(provider.requests.length - before, limit)
}

/** More than the limit allows is asked for at once, half of it streamed: no token is used over it, and hardly one is left. */
export async function assertTokens(provider: Provider, urls: readonly string[]): Promise<void> {
  let asked = 0
  const counting = new CountingProvider(() => ({ tokens: 20 + ((asked++ * 37) % 160) }))
  provider.otherwise(counting.script)
  const crowds = urls.map((url) => new Crowd({ url }, keyOf('tokens'), 96 / urls.length))
  try {
    const bodies = [false, true].map((stream) => asking('Hello', { stream, max_tokens: 200 }))
    const send = (_: unknown, i: number) =>
      patiently(() => (crowds[i % crowds.length] as Crowd).send(bodies[Math.floor(i / crowds.length) % 2] as object))
    const replies = await Promise.all(Array.from({ length: TOKENS / 40 }, send))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200, 403]))
    const used = counting.used.get('') ?? 0
    assert.ok(used <= TOKENS && used >= TOKENS - 240, `${used} of ${TOKENS} tokens were used`)
  } finally {
    await Promise.all(crowds.map((crowd) => crowd.close()))
  }
}
