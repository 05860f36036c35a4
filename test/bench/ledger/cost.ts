/**
 * What the audit log costs a request: CPU of the gateway's process, and latency one at a time, with nobody reading the
 * log and with a reader at each durability. Run `node --import tsx --conditions=governed-gateway-source
 * test/bench/ledger/cost.ts`. CPU time tells little lies on a busy machine, latency big ones: compare rows of one run.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { completion } from '../../../core/testing/provider.ts'
import { type RunningGateway, startCli } from '../../helpers/cli.ts'

const NAMES = process.argv.length > 2 ? process.argv.slice(2) : ['unread', 'memory', 'relaxed', 'stored', 'synced']
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const BATCH = 1000
const KEY = 'bench-0123456789abcdef0123456789abcdef'
const TICK_US = 10_000
const body = JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: 'Hello' }] })

interface Subject {
  readonly name: string
  readonly gateway: RunningGateway
  readonly agent: Agent
  readonly cpu: number[]
  readonly latency: number[]
}

const upstream = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('Hello there')))
  })
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const { port } = upstream.address() as AddressInfo
const root = mkdtempSync(join(tmpdir(), 'gg-cost-'))

async function start(name: string): Promise<Subject> {
  const own = parse(readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8')) as {
    store: string
    plugins: object[]
  }
  const config = {
    ...own,
    listen: { host: '127.0.0.1', port: 0 },
    log: { level: 'silent' },
    store: own.store === 'memory' ? 'memory' : `file:${join(root, name)}`,
    upstreams: { bench: { url: `http://127.0.0.1:${port}/v1` } },
    keys: [{ id: 'bench', key: KEY }],
    plugins: own.plugins.map((entry) => ({ ...entry, use: fileURLToPath(new URL('./reader.ts', import.meta.url)) })),
  }
  const file = join(root, `${name}.yaml`)
  writeFileSync(file, JSON.stringify(config))
  const agent = new Agent({ keepAlive: true })
  return { name, gateway: await startCli(['--config', file]), agent, cpu: [], latency: [] }
}

function ask({ gateway, agent }: Subject): Promise<void> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const req = request(`${gateway.url}/v1/chat/completions`, { method: 'POST', agent, headers }, (res) => {
      res.resume().on('end', resolve)
    })
    req.on('error', reject)
    req.end(body)
  })
}

/** User and system time of a process with its threads, microseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

async function load(subject: Subject, requests: number, concurrency: number): Promise<void> {
  let left = requests
  const one = async () => {
    while (left-- > 0) await ask(subject)
  }
  await Promise.all(Array.from({ length: concurrency }, one))
}

async function measure(subject: Subject): Promise<void> {
  const before = cpuOf(subject.gateway.pid)
  await load(subject, BATCH, 16)
  subject.cpu.push((cpuOf(subject.gateway.pid) - before) / BATCH)
  for (let i = 0; i < 60; i++) {
    const began = performance.now()
    await ask(subject)
    subject.latency.push(performance.now() - began)
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const subjects = await Promise.all(NAMES.map(start))
for (const subject of subjects) await load(subject, 1500, 16)
for (let round = 0; round < ROUNDS; round++) for (const subject of subjects) await measure(subject)
process.stdout.write('reader       CPU µs/request   p50 ms, one at a time\n')
for (const { name, cpu, latency } of subjects) {
  process.stdout.write(
    `${name.padEnd(12)} ${median(cpu).toFixed(0).padStart(14)} ${median(latency).toFixed(2).padStart(23)}\n`,
  )
}
for (const { gateway, agent } of subjects) {
  agent.destroy()
  gateway.kill('SIGTERM')
  await gateway.ended
}
upstream.close()
rmSync(root, { recursive: true })
