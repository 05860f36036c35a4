/**
 * How fast the audit log reaches a webhook on loopback, and at what cost: `node --import tsx
 * --conditions=governed-gateway-source test/bench/export.ts [events a second] [seconds] [--down]`. Events are appended as
 * exchanges append them; the receiver is a process of its own. With `--down` it answers 503 until all are appended: 20000
 * for 36 seconds are an hour's worth at 200 a second.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkAgainst } from '../../core/engine/config/validate.ts'
import type { JsonObject } from '../../core/engine/contract/store.ts'
import { describeCore } from '../../core/engine/events/description.ts'
import { AUDIT, auditConsumer } from '../../core/services/audit/audit-log.ts'
import { Egress } from '../../core/services/egress/egress.ts'
import { openStore } from '../../core/services/store/open.ts'
import { DeadLetterLog } from '../../plugins/siem/delivery/dead-letter-log.ts'
import { Deliverer } from '../../plugins/siem/delivery/deliverer.ts'
import { type SiemSettings, settingsSchema } from '../../plugins/siem/settings.ts'

const self = fileURLToPath(import.meta.url)

interface Received {
  readonly events: number
  /** Of those, how many are the next one in order and not one that came before. */
  readonly inOrder: number
  readonly refused: number
  /** Batches in the second that had the most. */
  readonly mostASecond: number
}

/** Counts events, answers, and says so when asked; the message `up` ends an outage. */
async function receive(): Promise<void> {
  let down = process.argv.includes('--down')
  let [events, inOrder, refused] = [0, 0, 0]
  const seconds = new Map<number, number>()
  const server = createServer(async (req, res) => {
    const body = await text(req)
    if (down) {
      refused++
      res.writeHead(503).end()
      return
    }
    const second = Math.floor(performance.now() / 1000)
    seconds.set(second, (seconds.get(second) ?? 0) + 1)
    for (const { id } of JSON.parse(body) as { id: string }[]) {
      events++
      if (Number(id.slice(-12)) === inOrder + 1) inOrder++
    }
    res.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.({ port: (server.address() as AddressInfo).port })
  process.on('message', (message) => {
    if (message === 'up') down = false
    else process.send?.({ events, inOrder, refused, mostASecond: Math.max(0, ...seconds.values()) } satisfies Received)
  })
}

let made = 0
const event = (): JsonObject => ({
  id: `0199c0de-0000-7000-8000-${String(++made).padStart(12, '0')}`,
  schema_version: 1,
  time: new Date().toISOString(),
  type: 'request.completed',
  severity: 'info',
  request_id: `req_${made}`,
  session_id: 'sess_0123456789abcdef0123456789abcdef',
  turn_index: 3,
  key_id: 'app',
  source_ip: '203.0.113.7',
  model: 'gpt-4.1-mini',
  upstream: 'openai',
  status: 200,
  mode: 'enforce',
  classification: 'CONFIDENTIAL',
  output_classification: 'PUBLIC',
  detections: [{ type: 'email', count: 1, action: 'redact', direction: 'input' }],
  tokens: { prompt: 120, completion: 80 },
  latency_ms: 812,
})

async function main(rate: number, seconds: number): Promise<void> {
  const down = process.argv.includes('--down')
  const receiver = fork(self, ['--receive', ...(down ? ['--down'] : [])])
  const received = async (): Promise<Received> => {
    receiver.send('count')
    return (await once(receiver, 'message'))[0] as Received
  }
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
  const folder = mkdtempSync(join(tmpdir(), 'gw-export-'))
  const store = await openStore(`file:${folder}`, { instance: 'bench' })
  const egress = new Egress([`127.0.0.1:${port}`])
  const current = { enabled: true, url: `http://127.0.0.1:${port}/hook` }
  checkAgainst(settingsSchema, current)
  const own = store.namespace('siem')
  const deliverer = new Deliverer({
    services: {
      auditLog: (options = {}) => auditConsumer(store, 'siem', options),
      describe: describeCore,
      fetch: egress.fetch,
      connect: egress.connect,
      settings: { current: current as unknown as SiemSettings, unreadable: [], onChange: () => () => {} },
      store: own,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      emit: () => {},
    },
    deadLetter: new DeadLetterLog(own, 'dead-letter', 10_000),
    overflow: new DeadLetterLog(own, 'overflow', 100_000),
    timeoutMs: 10_000,
    fastest: 100,
    most: 5_000_000,
  })
  await deliverer.prepare()
  const exporting = process.argv.includes('--append-only') ? false : rate > 0
  const stop = new AbortController()
  const running = exporting ? deliverer.run(stop.signal) : Promise.resolve()
  const began = performance.now()
  let cpu = process.cpuUsage()
  let last = began
  let appended = 0
  const pending = new Set<Promise<void>>()
  for (let second = 1; performance.now() - began < seconds * 1000; ) {
    const owed = Math.floor(((performance.now() - began) / 1000) * rate) - appended
    for (let i = 0; i < owed; i += 3) {
      const done = store.append(AUDIT, Array.from({ length: Math.min(3, owed - i) }, event))
      pending.add(done)
      void done.then(() => pending.delete(done))
    }
    appended += owed
    await sleep(5)
    const now = performance.now()
    if (now - began < second * 5000) continue
    second++
    const used = process.cpuUsage(cpu)
    const percent = Math.round((used.user + used.system) / 10 / (now - last))
    cpu = process.cpuUsage()
    last = now
    const { rss, heapUsed, external } = process.memoryUsage()
    const { events } = await deliverer.backlog()
    const got = await received()
    const told = { at: `${Math.round((now - began) / 1000)} s`, appended, delivered: got.events, backlog: events }
    say({
      ...told,
      cpu: `${percent} %`,
      rss: mb(rss),
      anonymous: anonymous(),
      heap: mb(heapUsed),
      external: mb(external),
    })
  }
  await Promise.all(pending)
  if (down) receiver.send('up')
  const until = performance.now() + (down ? 1_200_000 : 20_000)
  for (let n = 1; exporting && performance.now() < until; n++) {
    const { events } = await deliverer.backlog()
    if (events === 0) break
    if (down && n % 100 === 0) say({ backlog: events, ...(await received()), anonymous: anonymous() })
    await sleep(50)
  }
  say({ appended, ...(await received()), seconds: (performance.now() - began) / 1000 })
  stop.abort()
  await running
  await store.close()
  await egress.close()
  receiver.kill()
  rmSync(folder, { recursive: true })
}

/** Memory that is no file: the log itself grows, and the system keeps some of it at hand. */
const anonymous = (): string => `${/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]} kB`

const say = (figures: object): void => void process.stdout.write(`${JSON.stringify(figures)}\n`)

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

if (process.argv.includes('--receive')) await receive()
else await main(Number(process.argv[2] ?? 5000), Number(process.argv[3] ?? 20))
