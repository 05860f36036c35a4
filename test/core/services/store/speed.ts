/**
 * What the store costs: `node --import tsx --conditions=governed-gateway-source test/core/services/store/speed.ts
 * [embedded|memory|redis://…]`. An exchange is one `begin` (two scopes, marker, two events of a usual size) and one
 * `end` (one event).
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Store } from '../../../../core/engine/contract/store.ts'
import { requestId } from '../../../../core/engine/events/emitter.ts'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../../../core/services/store/embedded/driver.ts'
import { MemoryDriver } from '../../../../core/services/store/memory.ts'
import { RedisDriver } from '../../../../core/services/store/redis/driver.ts'
import { DAY } from './harness.ts'

const [kind = 'embedded', durability = 'stored'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'gg-speed-'))
const store = await open()

const event = {
  ...{ id: crypto.randomUUID(), schema_version: 1, time: new Date().toISOString(), type: 'request.completed' },
  ...{ severity: 'info', request_id: crypto.randomUUID(), session_id: 'sess_0123456789abcdef', turn_index: 3 },
  ...{ key_id: 'app', source_ip: '10.1.2.3', model: 'gpt-4o-mini', upstream: 'openai', status: 200, mode: 'enforce' },
  ...{
    classification: 'CONFIDENTIAL',
    detections: [{ type: 'email', count: 2 }],
    tokens: { prompt: 812, completion: 133 },
  },
  ...{ cost: 217, latency_ms: 812, first_byte_ms: 201, retry_count: 0 },
}
const scopes = (limit: number) =>
  ['key:app', 'team:blue'].map((key) => ({ key, window: DAY, limit, amount: 1000, least: 100 }))

async function reserveSettle(): Promise<void> {
  const id = requestId()
  await store.reserve({ id, leaseMs: 60_000, scopes: scopes(1e15) })
  await store.settle(id, { 'key:app': 700, 'team:blue': 700 })
}

async function exchange(): Promise<void> {
  const id = requestId()
  await store.begin({
    id,
    leaseMs: 60_000,
    scopes: scopes(1e15),
    marker: { ...event, detections: [], stream: true },
    events: [event, event],
  })
  await store.end({ id, used: { 'key:app': 700, 'team:blue': 700 }, events: [event] })
}

async function open(): Promise<Store> {
  if (kind === 'memory') return new StoreClient(new MemoryDriver())
  if (kind.startsWith('redis:')) return new StoreClient(await RedisDriver.open({ url: kind, deployment: folder }))
  return new StoreClient(await EmbeddedDriver.open({ folder, durability: durability as never, ballastBytes: 0 }))
}

/** As many as it can, so many under way at once: what commits cost that are shared by many. */
async function saturated(name: string, atOnce: number, seconds: number, work: () => Promise<void>): Promise<void> {
  const cpu = process.cpuUsage()
  const own = process.threadCpuUsage()
  const start = performance.now()
  let done = 0
  const one = async (): Promise<void> => {
    for (; performance.now() - start < seconds * 1000; done++) await work()
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  const { user, system } = process.cpuUsage(cpu)
  const thread = process.threadCpuUsage(own)
  process.stdout.write(
    `${kind} ${durability} ${name}, ${atOnce} at once: ${Math.round(done / ((performance.now() - start) / 1000))}/s, ` +
      `${((user + system) / done).toFixed(1)} µs CPU each (${((thread.user + thread.system) / done).toFixed(1)} of them in the calling thread)\n`,
  )
}

async function offered(name: string, perSecond: number, seconds: number, work: () => Promise<void>): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const own = process.threadCpuUsage()
  delay.enable()
  const start = performance.now()
  let sent = 0
  let done = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(seconds * 1000, performance.now() - start) * (perSecond / 1000)
      for (; sent < due; sent++) {
        const at = performance.now()
        void work().then(() => {
          latencies.push(performance.now() - at)
          if (++done === perSecond * seconds) resolve()
        })
      }
      if (sent >= perSecond * seconds) clearInterval(timer)
    }, 1)
  })
  delay.disable()
  const { user, system } = process.cpuUsage(cpu)
  const thread = process.threadCpuUsage(own)
  latencies.sort((a, b) => a - b)
  const at = (q: number): string => latencies[Math.floor(q * (latencies.length - 1))]!.toFixed(2)
  const idle = 1 // the sampling interval itself
  const p99 = (delay.percentile(99) / 1e6 - idle).toFixed(2)
  const took = performance.now() - start
  process.stdout.write(
    `${kind} ${durability} ${name}: ${Math.round(done / (took / 1000))}/s, ${((user + system) / done).toFixed(1)} µs CPU each ` +
      `(${((thread.user + thread.system) / done).toFixed(1)} of them in the calling thread), latency p50 ${at(0.5)} p99 ${at(0.99)} ms, event loop delay p99 ${p99} ms\n`,
  )
}

const nothing = async (): Promise<void> => {}
await offered('warm-up', 3000, 1, exchange)
await offered('nothing', 3000, 3, nothing)
await offered('reserve + settle', 3000, 4, reserveSettle)
await offered('begin + end', 3000, 4, exchange)
await saturated('reserve + settle', 64, 3, reserveSettle)
await saturated('begin + end', 64, 3, exchange)
await store.close()
rmSync(folder, { recursive: true })
