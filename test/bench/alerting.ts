/**
 * What alerting costs a request when its receiver is dead, slow or broken: nothing, or it is in the way.
 *
 * `node --import tsx --conditions=governed-gateway-source test/bench/alerting.ts [seconds]`, default 40. Gateways that
 * differ in nothing but their receiver answer the same requests in turns; `off` has the same durable audit log and no
 * alerting. Every request is blocked and wants an alert. The table shows paired differences to `off`, median over the
 * rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCli } from '../helpers/cli.ts'

const KEY = 'sk-of-a-user-0123456789'
const PER_ROUND = 60
const RECEIVERS = ['off', 'off again', 'works', 'refuses', 'never answers', 'resets'] as const
type Name = (typeof RECEIVERS)[number]

/** Reads the audit log as any exporter does, so that both sides of a pair write it. */
const READER = `
import { definePlugin } from 'governed-gateway'

export default definePlugin({
  name: 'reader',
  governs: 'usage',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  create(_, services) {
    const consumer = services.auditLog()
    services.singleton('read', async (signal) => {
      while (!signal.aborted) {
        const entries = await consumer.read(200, signal)
        if (entries.length > 0) await consumer.ack(entries.at(-1).cursor)
      }
    })
    return { stop: () => consumer.close() }
  },
})
`

async function listen(onConnection: (socket: import('node:net').Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server.unref()
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function ports(): Promise<Record<Exclude<Name, 'off' | 'off again'>, number>> {
  const free = await listen(() => {})
  const refuses = portOf(free)
  await new Promise((resolve) => free.close(resolve))
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'
  const works = await listen((socket) => socket.once('data', () => socket.end(answer)))
  const silent = await listen((socket) => socket.resume())
  const resets = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
  return { works: portOf(works), refuses, 'never answers': portOf(silent), resets: portOf(resets) }
}

function configOf(port: number | undefined): object {
  const rules = [{ name: 'no', keywords: ['forbidden'], reason: 'That word is not allowed' }]
  const calm = { dedupe_window_seconds: 1, max_alerts_per_minute: 60, min_severity: 'all' }
  const retries = { max_retries: 10, retry_backoff_seconds: 0.1, timeout_seconds: 2 }
  const options = { enabled: true, webhook_url: `http://127.0.0.1:${port}/`, ...calm, ...retries }
  return {
    listen: { port: 0 },
    store: 'file:./data',
    log: { level: 'error' },
    upstreams: { demo: { kind: 'demo' } },
    keys: [{ id: 'app', key: KEY }],
    egress: { allow: port === undefined ? [] : [`127.0.0.1:${port}`] },
    plugins: [
      { use: 'policy', options: { rules } },
      { use: './reader.ts' },
      ...(port === undefined ? [] : [{ use: 'alerting', options }]),
    ],
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds from the request to the end of its answer. */
function ask(url: string, n: number): Promise<number> {
  const content = `forbidden ${n}`
  const body = JSON.stringify({ model: `model-${n % 50}`, messages: [{ role: 'user', content }] })
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/v1/chat/completions`, { agent, method: 'POST', headers }, (reply) => {
      if (reply.statusCode !== 403) reject(new Error(`answered ${reply.statusCode}`))
      reply.resume().on('end', () => resolve(performance.now() - began))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] as number

interface Round {
  readonly p50: number
  readonly p99: number
}

async function measure(url: string): Promise<Round> {
  const times: number[] = []
  for (let i = 0; i < PER_ROUND; i++) times.push(await ask(url, i))
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

async function main(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gg-bench-alerting-'))
  const gateways = new Map<Name, RunningGateway>()
  try {
    const known: Partial<Record<Name, number>> = await ports()
    for (const name of RECEIVERS) {
      const own = mkdtempSync(join(folder, 'gateway-'))
      writeFileSync(join(own, 'reader.ts'), READER)
      writeFileSync(join(own, 'gateway.yaml'), JSON.stringify(configOf(known[name])))
      gateways.set(name, await startCli(['--config', join(own, 'gateway.yaml')]))
    }
    const rounds = new Map<Name, Round[]>(RECEIVERS.map((name) => [name, []]))
    for (const { url } of gateways.values()) await measure(url)
    const end = performance.now() + seconds * 1000
    for (let turn = 0; performance.now() < end; turn++) {
      // Each starts a round as often as every other: what a neighbour does to the machine hits all alike.
      const order = RECEIVERS.map((_, i) => RECEIVERS[(i + turn) % RECEIVERS.length] as Name)
      for (const name of order) rounds.get(name)?.push(await measure((gateways.get(name) as RunningGateway).url))
    }
    process.stdout.write(`${table(rounds)}\n`)
  } finally {
    for (const gateway of gateways.values()) gateway.kill('SIGKILL')
    await Promise.all([...gateways.values()].map(({ ended }) => ended))
    rmSync(folder, { recursive: true, force: true })
    agent.destroy()
  }
}

function table(rounds: ReadonlyMap<Name, readonly Round[]>): string {
  const base = rounds.get('off') as readonly Round[]
  const lines = [...rounds].map(([name, own]) => {
    const difference = (pick: (round: Round) => number) =>
      quantile(
        own.map((round, i) => pick(round) / pick(base[i] as Round)),
        0.5,
      ).toFixed(3)
    const p50 = quantile(
      own.map((round) => round.p50),
      0.5,
    ).toFixed(2)
    return `| ${name} | ${p50} ms | ${difference(({ p50 }) => p50)} | ${difference(({ p99 }) => p99)} |`
  })
  const head = [`${base.length} rounds of ${PER_ROUND} requests each`, '']
  return [...head, '| receiver | median | p50 to off | p99 to off |', '|---|---|---|---|', ...lines].join('\n')
}

await main(Number(process.argv[2] ?? 40))
