/**
 * Claude Code and Codex through a gateway whose provider is scripted: what each shows, and how often it asks. They are too
 * large for `npm test`: install them somewhere, then `npm run test:e2e:agents -- [--claude FILE] [--codex FILE] [--only WORDS]`.
 */
import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { SHAPES } from '../../core/engine/dialects/names.ts'
import {
  apiError,
  every,
  hangUp,
  type JsonObject,
  json,
  rateLimited,
  type Script,
  type Step,
  stream,
} from '../../core/testing/provider.ts'
import { numbered, response, message as responseMessage, USAGE } from '../core/engine/dialects/responses/responding.ts'
import { type Setup, USER_KEY } from '../helpers/gateway.ts'
import { message, textBlock, toolBlock, whole } from '../helpers/messages.ts'
import { BLOCKED_LATE, CLEAN, FORBIDDEN, start } from './setup.ts'

const PATIENCE_MS = 120_000
const RAN = 'the-command-ran'
const BLOCKED_COMMAND = `echo ${RAN} ${FORBIDDEN}`

/** What the cases need of an agent. */
interface Agent {
  /** Where its conversations go; it asks other things, too. */
  readonly path: string
  /** @param retries most repeats, if not its own default */
  readonly env: (url: string, home: string, retries?: number) => Record<string, string>
  readonly args: (prompt: string) => string[]
  readonly says: (words: string) => Step[]
  /** The same, unstreamed. */
  readonly saysAtOnce?: (words: string) => object
  readonly runs: (command: string) => Step[]
}

const claude: Agent = {
  path: '/v1/messages',
  env: (url, home, retries) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: USER_KEY,
    CLAUDE_CONFIG_DIR: home,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    ...(retries === undefined ? {} : { CLAUDE_CODE_MAX_RETRIES: String(retries) }),
  }),
  args: (prompt) => ['-p', prompt, '--model', 'claude-sonnet-4-5', '--allowedTools', 'Bash', '--output-format', 'text'],
  says: (words) => whole([textBlock(every(9)(words))]),
  saysAtOnce: message,
  runs: (command) =>
    whole([toolBlock('Bash', every(5)(JSON.stringify({ command, description: 'Says it' })))], 'tool_use'),
}

const CODEX_CONFIG = (url: string, retries?: number) => `
model = "gpt-test"
model_provider = "gateway"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.gateway]
name = "gateway"
base_url = "${url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"
${retries === undefined ? '' : `request_max_retries = ${retries}\nstream_max_retries = 0`}
[analytics]
enabled = false
`

const codex: Agent = {
  path: '/v1/responses',
  env: (url, home, retries) => {
    writeFileSync(join(home, 'config.toml'), CODEX_CONFIG(url, retries))
    return { CODEX_HOME: home, GATEWAY_KEY: USER_KEY }
  },
  args: (prompt) => ['exec', '--skip-git-repo-check', prompt],
  says: (words) => responseMessage(every(9)(words)),
  runs: (command) => {
    const call = { id: 'fc_a1', type: 'function_call', call_id: 'call_a1', name: 'exec_command' }
    const item = { ...call, status: 'completed', arguments: JSON.stringify({ cmd: command }) }
    const at = { item_id: call.id, output_index: 0 }
    return numbered([
      { type: 'response.created', response: response({ status: 'in_progress' }) },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress', arguments: '' } },
      ...every(5)(item.arguments).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: response({ output: [item], usage: USAGE }) },
    ])
  },
}

interface Case {
  readonly name: string
  readonly prompt?: string
  /** Answers in turn; the last one again and again. */
  readonly answers: (agent: Agent) => Script[]
  /** Of everything that the agent shows. */
  readonly shows: RegExp
  /** Must not be shown. */
  readonly hides?: RegExp
  /** Requests of the conversation that reach the provider. */
  readonly answered: number | Readonly<Record<string, number>>
  /** Requests of the conversation in all, where more than the provider answers. */
  readonly asked?: number
  /** Nothing listens where the provider should be. */
  readonly dead?: boolean
}

const sent = (steps: Step[], more: object = {}): Script => stream(steps, { done: false, ...more })
/** In the form that was asked for: Claude Code asks once more without a stream when one ended by an error. */
const said =
  ({ says, saysAtOnce }: Agent, words: string): Script =>
  (exchange) => {
    const { stream: streamed } = exchange.request.json as JsonObject
    const script = streamed === true || saysAtOnce === undefined ? sent(says(words)) : json(saysAtOnce(words))
    return script(exchange)
  }
const CASES: readonly Case[] = [
  { name: 'a text', answers: (agent) => [said(agent, CLEAN)], shows: /nothing here needs a second look/, answered: 1 },
  {
    name: 'a command and its result',
    answers: (agent) => [sent(agent.runs(`echo ${RAN}`)), said(agent, 'It is done.')],
    shows: /It is done/,
    answered: 2,
  },
  {
    name: 'a command that the policy forbids',
    answers: (agent) => [sent(agent.runs(BLOCKED_COMMAND))],
    shows: /forbidden word/i,
    hides: new RegExp(RAN),
    answered: 1,
  },
  {
    name: 'a prompt that the policy forbids',
    prompt: `Tell me about ${FORBIDDEN}`,
    answers: (agent) => [said(agent, CLEAN)],
    shows: /forbidden word/i,
    answered: 0,
    asked: 1,
  },
  {
    name: 'a reply that is blocked in its middle',
    answers: (agent) => [said(agent, BLOCKED_LATE)],
    shows: /forbidden word/i,
    hides: /FORBIDDEN/,
    // Claude Code asks once more without a stream, is refused again, and stops.
    answered: { claude: 2, codex: 1 },
  },
  {
    name: "the provider's 400",
    answers: () => [apiError(400, { message: 'Bad thing' })],
    shows: /Bad thing/,
    answered: 1,
  },
  {
    name: 'a stream that breaks off',
    answers: (agent) => {
      const steps = agent.says(CLEAN)
      return [sent(steps.slice(0, 20), { end: 'close' }), said(agent, 'Whole again.')]
    },
    shows: /Whole again/,
    answered: 2,
  },
  // The gateway's own credential: asking again cannot help, and agents must not storm.
  ...[401, 403].map(
    (status): Case => ({
      name: `the provider's ${status}, again and again`,
      answers: () => [apiError(status, { message: 'Wrong key' })],
      shows: /refused the gateway's credential/,
      answered: 1,
    }),
  ),
  // Agents ask again by themselves: once for each failure, and the gateway adds nothing.
  ...(
    [
      ['500', apiError(500)],
      ['529', apiError(529)],
      ['429 with Retry-After', rateLimited('1')],
      ['reset', hangUp('reset')],
    ] as const
  ).map(
    ([name, script]): Case => ({
      name: `one ${name} of the provider`,
      answers: (agent) => [script, said(agent, 'Whole again.')],
      shows: /Whole again/,
      answered: 2,
    }),
  ),
  {
    name: 'a dead provider, with one retry allowed',
    dead: true,
    answers: () => [],
    shows: /\S/,
    answered: 0,
    asked: 2,
  },
]

const pathOf = (url = ''): string => new URL(url, 'http://x').pathname

/** One run of an agent in a home of its own. */
async function play(file: string, agent: Agent, { provider, gateway }: Setup, one: Case) {
  const home = mkdtempSync(join(tmpdir(), 'gg-agent-'))
  const work = join(home, 'work')
  mkdirSync(work)
  const answers = one.answers(agent)
  let answered = 0
  provider.otherwise((exchange) => {
    if (pathOf(exchange.request.url) !== agent.path) return apiError(404)(exchange)
    return (answers[Math.min(answered++, answers.length - 1)] as Script)(exchange)
  })
  let asked = 0
  const count = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    if (request.socket.localPort === gateway.port && pathOf(request.url) === agent.path) asked++
  }
  subscribe('http.server.request.start', count)
  const child = spawn(file, agent.args(one.prompt ?? 'Say something'), {
    cwd: work,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...agent.env(gateway.url, home, one.dead ? 1 : undefined) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  unsubscribe('http.server.request.start', count)
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  return { shown: out + errors, code, answered, asked }
}

const { values: files } = parseArgs({
  options: { claude: { type: 'string' }, codex: { type: 'string' }, only: { type: 'string' } },
})
if (files.claude === undefined && files.codex === undefined) {
  process.stdout.write('usage: npm run test:e2e:agents -- [--claude FILE] [--codex FILE] [--only WORDS]\n')
  process.exit(2)
}

let failed = 0
for (const [name, agent] of Object.entries({ claude, codex })) {
  const file = files[name as keyof typeof files]
  if (file === undefined) continue
  for (const one of CASES) {
    if (files.only !== undefined && !one.name.includes(files.only)) continue
    const closers: (() => Promise<void>)[] = []
    const config = {
      listen: { host: '127.0.0.1', port: 0 },
      ...(one.dead && { upstreams: { scripted: { url: 'http://127.0.0.1:1/v1', shapes: SHAPES } } }),
    }
    const running = await start({ after: (close) => closers.push(close) }, config)
    try {
      const { shown, code, answered, asked } = await play(file, agent, running, one)
      const expected = typeof one.answered === 'number' ? one.answered : one.answered[name]
      const wrong = [
        !one.shows.test(shown) && `does not show ${one.shows}`,
        one.hides?.test(shown) && `shows ${one.hides}`,
        answered !== expected && `not ${expected} answered`,
        asked !== (one.asked ?? expected) && `not ${one.asked ?? expected} in all`,
      ].filter((said) => typeof said === 'string')
      if (wrong.length > 0) failed++
      const told = [`exit ${code}`, `${asked} requests`, `${answered} answered by the provider`, ...wrong].join(', ')
      process.stdout.write(`${wrong.length === 0 ? '✔' : '✖'} ${name}, ${one.name}: ${told}\n`)
      const lines = shown.split('\n').filter((line) => line.trim() !== '')
      for (const line of wrong.length > 0 ? lines : lines.slice(-1)) process.stdout.write(`    ${line.slice(0, 200)}\n`)
    } finally {
      await Promise.all(closers.map((close) => close()))
    }
  }
}
process.exitCode = failed > 0 ? 1 : 0
