/**
 * What a request of a coding agent costs with the memo and without: 12 tools, a long system prompt and a history that grows,
 * of which the newest messages alone are new. Prints CPU milliseconds of one request and their ratios.
 *
 * node --import tsx --conditions=governed-gateway-source test/bench/agent.ts
 */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { parseConfig } from '../../core/gateway/config/load.ts'
import { startGateway } from '../../core/gateway/gateway.ts'
import { createLogger } from '../../core/services/logger.ts'
import { startProvider } from '../../core/testing/index.ts'

const WORDS = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8')
const KEY = 'the-key-of-the-agent'

const cut = (from: number, length: number): string =>
  WORDS.repeat(2).slice(from % WORDS.length, (from % WORDS.length) + length)

const tools = Array.from({ length: 12 }, (_, i) => ({
  type: 'function',
  function: {
    name: `tool_${i}`,
    description: cut(i * 977, 500),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 5 }, (_, n) => [
          `member_${n}`,
          { type: 'string', description: cut(i * 131 + n * 57, 90) },
        ]),
      ),
    },
  },
}))

let turn = 0
/** A conversation of some turns, with fresh numbers in the newest three messages. */
function agent(turns: number): string {
  turn++
  const messages: object[] = [{ role: 'system', content: cut(0, 9000) }]
  for (let i = 0; i < turns; i++) {
    const fresh = i === turns - 1 ? ` ${turn * 7919} ` : ''
    const id = `call_${i}`
    messages.push({ role: 'user', content: cut(i * 331, 300) + fresh })
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id,
          type: 'function',
          function: { name: 'tool_1', arguments: JSON.stringify({ path: `src/file${i}.ts${fresh}` }) },
        },
      ],
    })
    messages.push({ role: 'tool', tool_call_id: id, content: cut(i * 1733, 1500) + fresh })
  }
  return JSON.stringify({ model: 'm', messages, tools })
}

const chat = (): string =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `${cut(turn++ * 31, 200)} ${turn}` }] })

const provider = await startProvider()
const logger = createLogger({ level: 'silent', destination: { write: () => {} } })
const file = parse(readFileSync(new URL('../../config/gateway.yaml', import.meta.url), 'utf8'))
const open = async (sections: object) => {
  const config = {
    ...{ listen: { port: 0 }, store: 'memory', upstreams: { provider: { url: provider.url } } },
    ...{ keys: [{ id: 'agent', key: KEY }], ...sections },
  }
  return startGateway({ config: parseConfig(JSON.stringify(config), 'bench', {}), logger })
}
const gateways = {
  bare: await open({}),
  off: await open({ plugins: file.plugins, inspection: { memo_bytes: 0 } }),
  on: await open({ plugins: file.plugins }),
}

async function cpuOf(url: string, make: () => string, count: number): Promise<number> {
  const bodies = Array.from({ length: count }, make)
  const before = process.cpuUsage()
  for (const body of bodies) {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
    if (reply.status !== 200) throw new Error(await reply.text())
    await reply.arrayBuffer()
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}

const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1] as number

for (const [name, make, count] of [
  ['agent, 15 turns', () => agent(15), 20],
  ['chat', chat, 200],
] as const) {
  const times: Record<string, number[]> = { bare: [], off: [], on: [] }
  for (let round = 0; round < 12; round++) {
    for (const [kind, { url }] of Object.entries(gateways)) {
      const time = await cpuOf(url, make, count)
      if (round > 1) times[kind]?.push(time)
    }
  }
  const [bare, off, on] = ['bare', 'off', 'on'].map((kind) => median(times[kind] ?? [])) as [number, number, number]
  process.stdout.write(
    `${name}: ${make().length} bytes; bare ${bare.toFixed(2)}, off ${off.toFixed(2)}, on ${on.toFixed(2)} ms; on/off ${(on / off).toFixed(3)}\n`,
  )
}
for (const gateway of Object.values(gateways)) await gateway.close()
await provider.close()
