/**
 * Several gateways in one process, told apart by their ports, and the CPU time of the thread that serves requests. Gateways in processes of
 * their own differ by a tenth and more in what the compiler made of them; here all run the same code.
 * Usage: `node together.ts UPSTREAM_PORT RECEIVER_PORT STORE PLUGINS…`: the kind of store, and JSON lists of config entries.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '../../core/gateway/config/load.ts'
import { startGateway } from '../../core/gateway/gateway.ts'
import { createLogger } from '../../core/services/logger.ts'
import { serve } from './ipc.ts'
import { BENCH_KEY } from './targets.ts'

const [upstream, receiver, store = '', ...lists] = process.argv.slice(2)
const logger = createLogger({ level: 'info', destination: { write: () => {} } })

const folder = mkdtempSync(join(tmpdir(), 'bench-together-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const newStore = (): string => (store.startsWith('file:') ? `file:${mkdtempSync(join(folder, 'store-'))}` : store)

const ports: number[] = []
for (const list of lists) {
  const config = {
    listen: { host: '127.0.0.1', port: 0 },
    store: newStore(),
    secret: 'a secret for the bench, 32 characters or more',
    upstreams: { bench: { url: `http://127.0.0.1:${upstream}/v1` } },
    keys: [{ id: 'bench', hash: `sha256:${createHash('sha256').update(BENCH_KEY).digest('hex')}` }],
    egress: { allow: [`127.0.0.1:${receiver}`] },
    plugins: JSON.parse(list.replaceAll('receiver.invalid', `127.0.0.1:${receiver}`)) as unknown[],
  }
  const gateway = await startGateway({ config: parseConfig(JSON.stringify(config), import.meta.filename, {}), logger })
  ports.push(Number(new URL(gateway.url).port))
}

const inspector = new Session()
inspector.connect()

const api = {
  /** Begins to take samples of the stack. */
  async sample(): Promise<void> {
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.setSamplingInterval', { interval: 250 })
    await inspector.post('Profiler.start')
  },
  /** Samples since then: all but idle ones, and those with code of a folder in their stack. `file` gets all of them. */
  async sampled({
    folder,
    file,
  }: {
    folder: string
    file?: string | undefined
  }): Promise<{ all: number; own: number }> {
    const { profile } = await inspector.post('Profiler.stop')
    if (file !== undefined) writeFileSync(file, JSON.stringify(profile))
    return countSamples(profile, folder)
  },
  cpu: () => process.threadCpuUsage(),
  collect: () => void globalThis.gc?.({ type: 'minor', execution: 'sync' }),
}
export type TogetherApi = typeof api

function countSamples({ nodes, samples = [] }: Profiler.Profile, folder: string): { all: number; own: number } {
  const kinds = new Map<number, 'idle' | 'own' | 'other'>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const mark = (id: number, isOwn: boolean): void => {
    const node = byId.get(id)
    if (node === undefined) return
    const own = isOwn || node.callFrame.url.includes(folder)
    kinds.set(id, node.callFrame.functionName === '(idle)' ? 'idle' : own ? 'own' : 'other')
    for (const child of node.children ?? []) mark(child, own)
  }
  mark((nodes[0] as Profiler.ProfileNode).id, false)
  const count = (kind: string) => samples.filter((id) => kinds.get(id) === kind).length
  return { all: samples.length - count('idle'), own: count('own') }
}

serve(api, { ports })
