/** The shapes of exchanges, and what one of them costs a gateway. */
import { gzipSync } from 'node:zlib'
import { type Answer, GrowthBench, HELLO, HELLOS } from './bench.ts'
import { COMPLETIONS, EMBEDDINGS, MESSAGES, REPLIES, REQUESTS, RESPONSES } from './documents.ts'
import { HEADS, REPLY_HEADS, REQUEST_HEADS } from './heads.ts'
import type { Row } from './judge.ts'
import { STREAMS } from './streams.ts'
import { JSON_TEXTS } from './texts-of-json.ts'
import { MESSAGE_STREAMS, RESPONSE_STREAMS } from './typed-streams.ts'

/** `messages-stream` and `responses-stream` are replies, as `stream` is one of chat. */
export type Kind =
  | 'request'
  | 'messages'
  | 'responses'
  | 'embeddings'
  | 'completions'
  | 'reply'
  | 'stream'
  | 'messages-stream'
  | 'responses-stream'
  | 'gzip'
  | 'apart'
  | 'request-head'
  | 'reply-head'

export const SHAPES: Readonly<Record<Kind, Readonly<Record<string, (size: number) => string | object>>>> = {
  request: REQUESTS,
  messages: MESSAGES,
  responses: RESPONSES,
  embeddings: EMBEDDINGS,
  completions: COMPLETIONS,
  reply: REPLIES,
  stream: STREAMS,
  'messages-stream': MESSAGE_STREAMS,
  'responses-stream': RESPONSE_STREAMS,
  // Packed bodies, as large as they unpack to.
  gzip: some(REPLIES, ['plain', 'one long token', 'many choices']),
  // Streams whose events come one by one.
  apart: some(STREAMS, ['plain, by words', 'a finding on each word, by words', 'tool calls of one byte', 'comments']),
  'request-head': REQUEST_HEADS,
  'reply-head': REPLY_HEADS,
}

function some<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, all[name] as T]))
}

const PLUGINS = [
  {
    use: 'classification',
    options: {
      rules: [
        { name: 'p', label: 'CONFIDENTIAL', keywords: ['project aurora', 'aaaaab'], patterns: ['TICKET-\\d{4,8}'] },
      ],
    },
  },
  { use: 'pii' },
  { use: 'secrets', options: { input: 'redact' } },
  { use: 'injection' },
  { use: 'policy', options: { rules: [{ name: 'n', keywords: ['payroll export'], action: 'redact', reason: 'x' }] } },
]
/** Those of `config/gateway.yaml` besides, with limits that nobody reaches. */
const ORDINARY = [
  { use: 'flags' },
  { use: 'sessions' },
  { use: 'ratelimit', options: { limits: [{ scope: 'key', requests_per_minute: 1e6, tokens_per_minute: 1e11 }] } },
  ...PLUGINS,
  { use: 'budget', options: { limits: [{ scope: 'key', unit: 'tokens', limit: 1e12, window: 'month' }] } },
]

export const startBench = (more: readonly object[] = [], bounded = false): Promise<GrowthBench> =>
  GrowthBench.start([...(bounded ? ORDINARY : PLUGINS), ...more].map(patient), bounded)

/** On a busy machine a deadline in time of the clock ends what is slow for no fault of its own. */
const patient = (entry: object): object => ({ timeout_ms: 60_000, ...entry })

const ofJson = (status: number) => Object.fromEntries(Object.keys(JSON_TEXTS).map((shape) => [shape, [status]]))

/** What is refused beyond a bound, with these statuses; until then it costs time like all else. */
const REFUSED: Partial<Readonly<Record<Kind, Readonly<Record<string, readonly number[]>>>>> = {
  request: ofJson(400),
  reply: { ...ofJson(502), 'a repeated member': [502] },
  stream: {
    ...ofJson(502),
    'a repeated member': [502],
    'choices without end': [502],
    'many choices in one event': [502],
    'fields without end': [403],
    // Too many texts, or too many values of one event.
    'fields of one event': [403, 502],
    'held finishes': [502],
  },
  'messages-stream': { 'members of one delta': [403, 502], 'a list of results': [502] },
  'responses-stream': { 'members of one delta': [403, 502], 'results of a search': [502], metadata: [403, 502] },
}

/** Beyond a limit of the gateway. */
const BEYOND: ReadonlySet<number> = new Set([413, 502])

const ASK = (stream: boolean): Buffer =>
  Buffer.from(
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], n: 128, ...(stream && { stream }) }),
  )

const TYPED_ASKS = {
  'messages-stream': Buffer.from(
    '{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"hi"}]}',
  ),
  'responses-stream': Buffer.from('{"model":"m","store":false,"stream":true,"input":"hi"}'),
}

/** One exchange costs too little to measure. */
const EXCHANGES_OF_HEAD = 50

/** Some exchanges with these headers. */
async function measureHead(bench: GrowthBench, kind: Kind, shape: string, size: number): Promise<Row> {
  const headers = (kind === 'request-head' ? REQUEST_HEADS : REPLY_HEADS)[shape]?.(size) ?? {}
  const [asked, answered] = kind === 'request-head' ? [headers, {}] : [{}, headers]
  await bench.used()
  let status = 0
  for (let i = 0; i < EXCHANGES_OF_HEAD; i++)
    status = (await bench.send(ASK(false), { ...HELLO, headers: answered }, undefined, asked)).status
  const { cpu, pause } = await bench.used()
  // Nobody declares flags of these names.
  const fine = bench.bounded && shape === 'flags' ? 400 : 200
  const right = size < (HEADS[kind]?.refused ?? 0) ? [fine] : kind === 'request-head' ? [431] : [200, 502]
  if (!right.includes(status)) throw new Error(`${kind} of ${shape}: status ${status}`)
  return { bytes: size * EXCHANGES_OF_HEAD, cpu, pause, status }
}

/** One exchange. */
export async function measure(bench: GrowthBench, kind: Kind, shape: string, size: number): Promise<Row> {
  if (HEADS[kind] !== undefined) return measureHead(bench, kind, shape, size)
  const made = SHAPES[kind][shape]?.(size) ?? ''
  const bytes = Buffer.from(typeof made === 'string' ? made : JSON.stringify(made))
  const isStream = /stream$|^apart$/.test(kind)
  const answer: Answer = {
    type: isStream ? 'text/event-stream' : 'application/json',
    body: kind === 'gzip' ? gzipSync(bytes) : bytes,
    ...(kind === 'gzip' && { encoding: 'gzip' }),
    apart: kind === 'apart',
  }
  const { status, cpu, pause } = await (kind === 'request'
    ? bench.exchange(bytes)
    : kind === 'messages' || kind === 'responses' || kind === 'embeddings' || kind === 'completions'
      ? bench.exchange(bytes, HELLOS[kind], `/v1/${kind}`)
      : kind === 'messages-stream' || kind === 'responses-stream'
        ? bench.exchange(TYPED_ASKS[kind], answer, `/v1/${kind.replace('-stream', '')}`)
        : bench.exchange(ASK(isStream), answer))
  const isRight =
    status === 200 || REFUSED[kind]?.[shape]?.includes(status) === true || (bench.bounded && BEYOND.has(status))
  if (!isRight) throw new Error(`${kind} of ${shape}: status ${status}`)
  return { bytes: bytes.length, cpu, pause, status }
}
