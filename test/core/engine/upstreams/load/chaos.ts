/**
 * Four upstreams of one route: one breaks a tenth of its connections, one answers a tenth with 429, one is dead, one is
 * slow. `npm run test:chaos` sends 10,000 requests, the test a few.
 */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import {
  apiError,
  chat,
  hangUp,
  type Script,
  type ScriptedExchange,
  startProvider,
} from '../../../../../core/testing/provider.ts'
import { ADMIN_KEY, asking, bearer, type Owner, post, setup } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'

export interface ChaosOptions {
  readonly requests: number
  readonly concurrency: number
  /**
   * What happens to a request that may have been charged. Never: the client gets the failure. Idempotent: the upstream
   * honours `Idempotency-Key`. Always: it is asked again; the upstream then breaks only before it charges.
   */
  readonly again: 'never' | 'idempotent' | 'always'
  readonly fastMs: number
  readonly slowMs: number
}

export interface ChaosResult {
  readonly ok: number
  /** Statuses of other answers. */
  readonly failed: Readonly<Record<string, number>>
  /** Connections that were broken. */
  readonly resets: number
  readonly limited: number
  /** Requests that were charged more than once. */
  readonly chargedTwice: number
  /** Requests that were charged. */
  readonly charged: number
  /** By name: requests that arrived. */
  readonly asked: Readonly<Record<string, number>>
  /** Tokens of replies as clients saw them, and as the budget has them. */
  readonly tokens: number
  readonly spent: number
  readonly spentRequests: number
  /** Answers by number of attempts. */
  readonly attempts: Readonly<Record<string, number>>
  /** Time from the client to the upstream that answered, milliseconds, sorted; and that of first attempts alone. */
  readonly before: readonly number[]
  readonly beforeFirst: readonly number[]
}

/** A generator with a seed. */
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const DEAD = 'http://127.0.0.1:1/v1'
const ids = (exchange: ScriptedExchange) => (exchange.request.json as { user: string }).user

export async function chaos(t: Owner, options: ChaosOptions): Promise<ChaosResult> {
  const { requests, concurrency, again, fastMs, slowMs } = options
  const chance = chanceOf(7)
  const charges = new Map<string, number>()
  const arrived = new Map<string, number>()
  const counts = { resets: 0, limited: 0 }
  const answer =
    (ms: number): Script =>
    async (exchange) => {
      const id = ids(exchange)
      arrived.set(id, performance.now())
      if (ms > 0) await pause(ms)
      chargeOnce(exchange)
      return chat(`Answer to ${id}`)(exchange)
    }
  const charge = (id: string) => charges.set(id, (charges.get(id) ?? 0) + 1)
  /** Keys that were charged, for an upstream that honours them. */
  const honoured = new Set<unknown>()
  const chargeOnce = ({ request }: ScriptedExchange) => {
    const key = again === 'idempotent' ? request.headers['idempotency-key'] : undefined
    if (key !== undefined && honoured.has(key)) return
    honoured.add(key)
    charge(ids({ request } as ScriptedExchange))
  }
  const [broken, limited, slow] = await Promise.all([startProvider(), startProvider(), startProvider()])
  t.after(async () => {
    await Promise.all([broken, limited, slow].map((provider) => provider.close()))
  })
  broken.otherwise((exchange) => {
    // At least the first, however few come here from a busy machine.
    if (counts.resets > 0 && chance() >= 0.1) return answer(fastMs)(exchange)
    if (again !== 'always' && counts.resets % 2 === 0) chargeOnce(exchange)
    counts.resets++
    return hangUp('reset')(exchange)
  })
  limited.otherwise((exchange) => {
    if (counts.limited > 0 && chance() >= 0.1) return answer(fastMs)(exchange)
    counts.limited++
    return apiError(429, {}, { 'retry-after-ms': '20' })(exchange)
  })
  slow.otherwise(answer(slowMs))
  const { gateway, provider: unused } = await setup(t, {
    plugins: [
      {
        use: 'budget',
        options: {
          limits: [
            { id: 'tokens', scope: 'global', unit: 'tokens', limit: 1e9, window: 'month' },
            { id: 'requests', scope: 'global', unit: 'requests', limit: 1e9, window: 'month' },
          ],
        },
      },
    ],
    config: {
      upstreams: {
        broken: { url: broken.url, idempotent: again === 'idempotent' },
        limited: { url: limited.url },
        dead: { url: DEAD },
        slow: { url: slow.url },
      },
      routes: [
        {
          model: '*',
          to: ['broken', 'limited', 'dead', 'slow'],
          balance: 'latency',
          retry: { attempts: 3, first_wait_seconds: 0.05, max_wait_seconds: 0.2 },
          may_charge_twice: again === 'always',
        },
      ],
    },
  })
  const failed: Record<string, number> = {}
  const attempts: Record<string, number> = {}
  const before: number[] = []
  const beforeFirst: number[] = []
  let ok = 0
  let tokens = 0
  let next = 0
  const client = async () => {
    for (let i = next++; i < requests; i = next++) {
      const id = `request${i}`
      const stream = i % 2 === 0
      const began = performance.now()
      const reply = await post(
        gateway,
        asking('Hello', { user: id, stream, ...(stream && { stream_options: { include_usage: true } }) }),
      )
      const text = await reply.text()
      const made = String(reply.headers['x-service-attempts'] ?? 1)
      attempts[made] = (attempts[made] ?? 0) + 1
      if (reply.status !== 200) {
        failed[reply.status] = (failed[reply.status] ?? 0) + 1
        continue
      }
      ok++
      const ms = (arrived.get(id) as number) - began
      before.push(ms)
      if (made === '1') beforeFirst.push(ms)
      tokens += Number(/"total_tokens":(\d+)/.exec(text)?.[1])
    }
  }
  await Promise.all(Array.from({ length: concurrency }, client))
  assert.equal(unused.requests.length, 0)
  const report = await send(`${gateway.url}/api/budgets`, { headers: bearer(ADMIN_KEY) })
  const { budgets } = (await report.json()) as { budgets: { id: string; spent: number; reserved: number }[] }
  const meter = (name: string) => budgets.find(({ id }) => id === name) ?? assert.fail(name)
  assert.deepEqual([meter('tokens').reserved, meter('requests').reserved], [0, 0])
  return {
    ok,
    failed,
    ...counts,
    chargedTwice: [...charges.values()].filter((times) => times > 1).length,
    charged: charges.size,
    asked: Object.fromEntries(
      Object.entries({ broken, limited, slow }).map(([name, { requests: all }]) => [name, all.length]),
    ),
    tokens,
    spent: meter('tokens').spent,
    spentRequests: meter('requests').spent,
    attempts,
    before: before.toSorted((a, b) => a - b),
    beforeFirst: beforeFirst.toSorted((a, b) => a - b),
  }
}
