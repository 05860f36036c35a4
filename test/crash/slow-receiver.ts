/**
 * A gateway that exports to a receiver which takes 30 seconds for its first answers, killed under load. For
 * `npm run test:crash` alone: it takes about a minute.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GovernanceEvent } from 'governed-gateway'
import { openStore } from '../../core/services/store/open.ts'
import { startProvider, startReceiver } from '../../core/testing/index.ts'
import { isTerminal } from '../core/services/audit/faults.ts'
import { allRecords } from '../core/services/store/faults.ts'
import { type RunningGateway, startCli } from '../helpers/cli.ts'
import { asking, bearer, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

const SLOW_MS = 30_000
const ROUNDS = 3
const PER_SECOND = 200

/** Asks at a steady rate for a while, and kills it in the middle. Ids of requests that were answered whole. */
async function killUnderLoad(gateway: RunningGateway, round: number): Promise<string[]> {
  const answered: string[] = []
  const asked: Promise<void>[] = []
  const began = performance.now()
  for (let now = 0; now < 400; now = performance.now() - began) {
    while (asked.length < (now / 1000) * PER_SECOND) asked.push(ask(gateway.url, answered, asked.length % 2 === 1))
    await sleep(2)
  }
  gateway.kill('SIGKILL')
  assert.equal((await gateway.ended).signal, 'SIGKILL')
  await Promise.all(asked)
  assert.ok(answered.length > 0, `round ${round} had answers`)
  return answered
}

async function ask(url: string, answered: string[], stream: boolean): Promise<void> {
  try {
    const options = { body: asking('Hello', { stream }), headers: bearer(USER_KEY) }
    const reply = await send(`${url}/v1/chat/completions`, options)
    const text = await reply.text()
    if (reply.status === 200 && (!stream || text.endsWith('data: [DONE]\n\n'))) {
      answered.push(reply.headers['x-request-id'] as string)
    }
  } catch {
    // It was killed.
  }
}

for (const [how, timeout] of [
  ['waited for', 45],
  ['given up and asked again', 10],
] as const) {
  test(`a receiver that takes 30 s, ${how}, gets every event`, { timeout: 240_000 }, async (t) => {
    const [receiver, provider] = await Promise.all([startReceiver(), startProvider()])
    const folder = mkdtempSync(join(tmpdir(), 'gg-slow-'))
    const gateways: RunningGateway[] = []
    t.after(async () => {
      for (const gateway of gateways) gateway.kill('SIGKILL')
      await Promise.all(gateways.map(({ ended }) => ended))
      await Promise.all([receiver.close(), provider.close()])
      rmSync(folder, { recursive: true, force: true })
    })
    /** Whatever arrived, and what of it was answered. */
    const got = new Map<string, GovernanceEvent>()
    const slow = Promise.withResolvers<void>()
    let first = 0
    let requests = 0
    let copies = 0
    receiver.otherwise(async (x) => {
      if (first === 0) {
        first = performance.now()
        setTimeout(slow.resolve, SLOW_MS)
      }
      requests++
      for (const event of x.request.json as unknown as GovernanceEvent[]) {
        const before = got.get(event.id)
        if (before !== undefined) {
          copies++
          assert.deepEqual(event, before, 'the same id is the same event')
        }
        got.set(event.id, event)
      }
      await x.wait(slow.promise)
      if (x.over) return
      x.response.writeHead(200).end()
    })
    const config = {
      listen: { host: '127.0.0.1', port: 0, drain_seconds: 1 },
      store: 'file:./data',
      log: { level: 'warn' },
      secret: 'a secret for tests, 32 characters or more',
      upstreams: { scripted: { url: provider.url } },
      keys: [{ id: 'user', key: USER_KEY }],
      egress: { allow: [`127.0.0.1:${receiver.port}`] },
      plugins: [
        {
          use: 'siem',
          options: {
            enabled: true,
            url: receiver.url,
            flush_interval_seconds: 0.1,
            retry_backoff_seconds: 0.5,
            request_timeout_seconds: timeout,
          },
        },
      ],
    }
    const file = join(folder, 'gateway.yaml')
    writeFileSync(file, JSON.stringify(config))
    const start = async (): Promise<RunningGateway> => {
      const gateway = await startCli(['--config', file])
      gateways.push(gateway)
      return gateway
    }
    const answered: string[] = []
    for (let round = 0; round < ROUNDS; round++) answered.push(...(await killUnderLoad(await start(), round)))
    const last = await start()
    // While the receiver makes everybody wait, requests do not.
    const began = performance.now()
    await ask(last.url, answered, false)
    const took = performance.now() - began
    assert.ok(took < 5000, `a request took ${took} ms`)
    const ends = (): Set<unknown> =>
      new Set([...got.values()].filter((one) => isTerminal(one as never)).map((one) => one.request_id))
    while (!answered.every((id) => ends().has(id))) await sleep(100)
    const delay = performance.now() - first
    assert.ok(delay >= SLOW_MS, `all was there after ${delay} ms`)
    last.kill('SIGTERM')
    assert.deepEqual(await last.ended, { code: 0, signal: null })

    const store = await openStore(`file:${join(folder, 'data')}`)
    const records = await allRecords(store)
    await store.close()
    assert.deepEqual(
      records.filter(({ id }) => !got.has(id as string)).map(({ type }) => type),
      [],
      'all that was recorded was delivered',
    )
    assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
    for (const id of answered) {
      const own = records.filter((record) => record.request_id === id && isTerminal(record))
      assert.deepEqual(
        own.map(({ type }) => type),
        ['request.completed'],
      )
    }
    t.diagnostic(
      `${answered.length} answered, ${records.length} records, ${requests} batches, ${copies} events came again, all there after ${Math.round(delay / 1000)} s`,
    )
  })
}
