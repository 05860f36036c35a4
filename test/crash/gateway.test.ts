import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../core/engine/contract/store.ts'
import { openStore } from '../../core/services/store/open.ts'
import { chunks, completion, json, type Provider, startProvider, stream } from '../../core/testing/provider.ts'
import { isTerminal } from '../core/services/audit/faults.ts'
import { allRecords } from '../core/services/store/faults.ts'
import { Random } from '../eval/random.ts'
import { assertChained } from '../helpers/chain.ts'
import { type RunningGateway, startCli } from '../helpers/cli.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { until } from '../helpers/until.ts'

const ROUNDS = Number(process.env.GATEWAY_CRASH_ROUNDS ?? 4)
const SEED = Number(process.env.CRASH_SEED ?? 1)
const KEY = 'sk-test-user-key-0123456789'
const PER_SECOND = 200
/** Behind the id of the last request of a round, which is under way when the gateway is killed. */
const HELD = '-held'

const root = temporaryFolder()

/** What the world outside saw, by the id that the client gave its request. */
class Seen {
  /** The provider has the request. */
  readonly reached = new Set<string>()
  /** The client has the last byte of a whole reply. */
  readonly whole = new Set<string>()
  asked = 0
}

const prompt = (id: string, streamed: boolean): string =>
  JSON.stringify({ model: 'gpt-test', stream: streamed, messages: [{ role: 'user', content: id }] })

/** Fulfils when the reply is over, however. */
function ask(url: string, agent: Agent, seen: Seen, id: string, streamed: boolean): Promise<void> {
  return new Promise((resolve) => {
    const body = prompt(id, streamed)
    const headers = {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-client-request-id': id,
    }
    const req = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (res) => {
      let text = ''
      res.setEncoding('utf8').on('data', (part: string) => (text += part))
      res.on('error', () => {})
      res.on('close', () => {
        const end = streamed ? text.endsWith('data: [DONE]\n\n') : res.complete
        if (res.statusCode === 200 && end) seen.whole.add(id)
        resolve()
      })
    })
    req.on('error', () => resolve())
    req.end(body)
  })
}

/** Asks at a steady rate until the gateway is killed; the replies take from nothing to a few dozen milliseconds. */
async function killUnderLoad(gateway: RunningGateway, seen: Seen, random: Random, round: number): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  const asked: Promise<void>[] = []
  const began = performance.now()
  const end = random.int(200, 600)
  for (let now = 0; now < end; now = performance.now() - began) {
    while (asked.length < (now / 1000) * PER_SECOND) {
      const id = `r${round}-${asked.length}`
      asked.push(ask(gateway.url, agent, seen, id, random.chance(0.5)))
    }
    await sleep(2)
  }
  const last = `r${round}-${asked.length}${HELD}`
  asked.push(ask(gateway.url, agent, seen, last, round % 2 === 0))
  await until(() => seen.reached.has(last))
  gateway.kill('SIGKILL')
  assert.equal((await gateway.ended).signal, 'SIGKILL')
  await Promise.all(asked)
  agent.destroy()
  seen.asked += asked.length
}

function scripted(provider: Provider, seen: Seen, random: Random): void {
  provider.otherwise((x) => {
    const { messages, stream: streamed } = x.request.json as { messages: { content: string }[]; stream: boolean }
    seen.reached.add(messages[0]?.content as string)
    const pause = () => (messages[0]?.content.endsWith(HELD) ? x.wait(new Promise(() => {})) : sleep(random.int(0, 12)))
    if (!streamed) return pause().then(() => json(completion('One two three four'))(x))
    return stream(chunks('One two three four').flatMap((chunk) => [chunk, pause]))(x)
  })
}

function assertWhole(records: readonly JsonObject[], seen: Seen): void {
  const last = new Map<unknown, unknown[]>()
  const counts = new Map<unknown, number>()
  for (const record of records) {
    const id = record.client_request_id
    // A plugin is slow, too, when the machine is.
    if (record.type !== 'plugin.slow') counts.set(id, (counts.get(id) ?? 0) + 1)
    if (isTerminal(record)) last.set(id, [...(last.get(id) ?? []), record.type])
  }
  for (const id of seen.reached) assert.equal(last.get(id)?.length, 1, `${id} reached the provider: ${last.get(id)}`)
  for (const id of seen.whole) {
    assert.deepEqual([last.get(id), counts.get(id)], [['request.completed'], 3], `${id} was answered`)
  }
  assert.equal(new Set(records.map(({ id }) => id)).size, records.length, 'no event twice')
  assertChained(records)
}

test(`a gateway that is killed ${ROUNDS} times under load loses nothing`, { timeout: 600_000 }, async (t) => {
  const provider = await startProvider()
  t.after(() => provider.close())
  const config = {
    listen: { host: '127.0.0.1', port: 0, drain_seconds: 1 },
    store: `file:${join(root, 'data')}`,
    log: { level: 'warn' },
    upstreams: { scripted: { url: provider.url, key: 'sk-test-upstream-key-0123456789' } },
    keys: [{ id: 'user', key: KEY }],
    plugins: [{ use: fileURLToPath(new URL('../fixtures/plugins/trail.ts', import.meta.url)) }],
  }
  const file = join(root, 'gateway.yaml')
  writeFileSync(file, JSON.stringify(config))
  const seen = new Seen()
  const random = new Random(SEED)
  scripted(provider, seen, new Random(SEED + 1))
  for (let round = 0; round < ROUNDS; round++) {
    const gateway = await startCli(['--config', file])
    await killUnderLoad(gateway, seen, random, round)
  }
  const lastOne = await startCli(['--config', file])
  lastOne.kill('SIGTERM')
  assert.deepEqual(await lastOne.ended, { code: 0, signal: null })

  const store = await openStore(config.store)
  const records = await allRecords(store)
  assert.deepEqual(await store.lapsed(10, 1), [])
  await store.close()
  assertWhole(records, seen)
  const lost = records.filter(({ reason }) => reason === 'gateway_lost').length
  assert.ok(lost >= ROUNDS, `${lost} were under way when it was killed`)
  t.diagnostic(
    `seed ${SEED}: ${seen.asked} asked, ${seen.reached.size} reached the provider, ${seen.whole.size} answered whole, ${lost} lost with the gateway, ${records.length} records`,
  )
})
