/** Many requests of one key against a limit of fewer, over any number of processes. */
import assert from 'node:assert/strict'
import { chat, type Provider } from '../../../core/testing/provider.ts'
import { asking, bearer, USER_KEY } from '../../helpers/gateway.ts'
import { type Reply, send } from '../../helpers/http.ts'

export const LIMIT = 500
export const REQUESTS = 2000

/** A plugin that grants so many requests a key; only completed ones count. */
export const LIMIT_PLUGIN = `
import { definePlugin } from 'governed-gateway'
export default definePlugin({
  name: 'limit',
  governs: 'usage',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create: () => ({
    apply(hooks) {
      const holds = new WeakMap()
      hooks.block.tap('limit', (x) => {
        const scope = { key: x.caller.keyId, window: 'total', limit: ${LIMIT}, amount: 1 }
        holds.set(x, x.reserve({
          scopes: [scope],
          refused: () => ({ reason: 'spent', code: 'spent' }),
          granted: ([own]) => x.reply.extend('limit_left', own.left),
        }))
      })
      hooks.postResponse.tap('limit', (x) => {
        holds.get(x)?.settle({ [x.caller.keyId]: x.reply.outcome === 'completed' ? 1 : 0 })
      })
    },
  }),
})
`

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

/** Status of each; 0 when the connection broke. Sockets are opened a hundred at a time, as a backlog has its end. */
export async function flood(urls: readonly string[], stream: boolean, count = REQUESTS): Promise<Promise<number>[]> {
  const body = asking('Hello', { stream })
  const all: Promise<number>[] = []
  for (let i = 0; i < count; i++) {
    const url = `${urls[i % urls.length]}/v1/chat/completions`
    all.push(send(url, { body, headers: bearer(USER_KEY) }).then(statusOf, () => 0))
    if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}

async function statusOf(reply: Reply): Promise<number> {
  await reply.text()
  return reply.complete === true ? reply.status : 0
}

/** Exactly `LIMIT` of `REQUESTS` reach the provider and are answered. */
export async function assertExact(provider: Provider, urls: readonly string[], stream: boolean): Promise<void> {
  const { arrived, release } = holdUntil(provider, LIMIT)
  const replies = await flood(urls, stream)
  await arrived
  release()
  const statuses = Map.groupBy(await Promise.all(replies), (status) => status)
  const counts = Object.fromEntries([...statuses].map(([status, { length }]) => [status, length]))
  assert.deepEqual(counts, { 200: LIMIT, 403: REQUESTS - LIMIT })
  assert.equal(provider.requests.length, LIMIT)
}
