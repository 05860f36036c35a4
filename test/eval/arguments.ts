/** Values in the arguments of tool calls: what is rewritten must still be JSON of the same shape. */
import type { PluginSpec, TextView } from '../../core/engine/contract/plugin.ts'
import { chatCompletions } from '../../core/engine/dialects/chat-completions/dialect.ts'
import { NumbersAsText } from '../../core/engine/dialects/numbers-as-text.ts'
import { ToolCalls } from '../../core/engine/relay/stream/tool-calls.ts'
import { Continuation } from '../../core/engine/text/continued-view.ts'
import type { FieldView } from '../../core/engine/text/field-view.ts'
import { allSteps } from '../../core/engine/util/steps.ts'
import type { Corpus } from './corpus.ts'
import { Drive } from './drive.ts'
import { Random } from './random.ts'

export interface ArgumentsResult {
  readonly calls: number
  readonly rewritten: number
  /** Calls whose arguments no longer parse, or have other members in other places. */
  readonly broken: readonly string[]
}

export function measureArguments(specs: ReadonlyMap<string, PluginSpec>, corpora: readonly Corpus[]): ArgumentsResult {
  const random = new Random(7)
  const broken: string[] = []
  let calls = 0
  let rewritten = 0
  for (const corpus of corpora) {
    const drive = new Drive(specs.get(corpus.plugin)!, corpus.options)
    for (const { text } of corpus.cases().slice(0, 40)) {
      const args = argumentsOf(random, text)
      const out = through(drive, args, random)
      calls++
      if (out !== args) rewritten++
      if (!sameShape(args, out)) broken.push(`${args} → ${out}`)
    }
  }
  return { calls, rewritten, broken }
}

export interface SecretArguments {
  readonly values: number
  readonly found: number
  readonly missed: readonly string[]
}

/** Passwords are shorter than tokens, and nobody calls them so. */
const isLong = (value: string): boolean => value.length >= 16
const nameOf = (value: string): string => (isLong(value) ? 'SECRET' : 'PASSWORD')

/** Arguments as agents write them, with a secret in the text of a command or file, or as the value of a member. */
const CALLS: readonly ((text: string, value: string) => object)[] = [
  (text) => ({ command: text, timeout: 30 }),
  (text) => ({ path: 'notes/setup.txt', content: text }),
  (text) => ({ file: 'a.ts', edits: [{ old: 'x', new: text }] }),
  (_, value) => ({ env: { [`SERVICE_${nameOf(value)}`]: value }, args: ['run'] }),
  (_, value) => ({
    url: 'https://api.example.org/v1',
    headers: isLong(value) ? { Authorization: `Bearer ${value}` } : { 'X-Password': value },
  }),
  (_, value) => ({ payload: JSON.stringify({ user: 'jo', password: value }) }),
  (_, value) => ({ variables: [{ name: `CLIENT_${nameOf(value)}`, value }] }),
  (_, value) => ({ headers: [{ value, key: `X-Client-${nameOf(value)}` }] }),
  (_, value) => ({ headers: [[`X-Client-${nameOf(value)}`, value]] }),
  (_, value) => ({ selector: `#client-${nameOf(value).toLowerCase()}`, text: value }),
  (_, value) => ({ [isLong(value) ? 'api_keys' : 'passwords']: { crm: value } }),
  (_, value) => ({ path: 'secret/data/app', data: { [`client_${nameOf(value).toLowerCase()}`]: value } }),
  (_, value) => ({ command: 'app', args: ['run', `--client-${nameOf(value).toLowerCase()}`, value] }),
]
/** Cases of each corpus. */
const CASES = 300

/** How many secrets in the arguments of tool calls are found. */
export function measureSecretArguments(
  specs: ReadonlyMap<string, PluginSpec>,
  corpora: readonly Corpus[],
): SecretArguments {
  const random = new Random(11)
  const missed: string[] = []
  let values = 0
  for (const corpus of corpora) {
    if (corpus.plugin !== 'secrets' || corpus.kind !== 'positive') continue
    const drive = new Drive(specs.get(corpus.plugin)!, corpus.options)
    for (const { text, values: known = [] } of corpus.cases().slice(0, CASES)) {
      const [first] = known
      if (first === undefined) continue
      const value = text.slice(first.start, first.end)
      const args = JSON.stringify(random.pick(CALLS)(text, value))
      values++
      const out = through(drive.next(), args, random)
      if (strings(out).some((one) => one.includes(value))) missed.push(args)
    }
  }
  return { values, found: values - missed.length, missed }
}

/** All texts of arguments, those of JSON within them too. */
function strings(json: string): string[] {
  const all: string[] = []
  JSON.parse(json === '' ? '{}' : json, (key, value: unknown) => {
    if (typeof value !== 'string') return value
    all.push(value)
    if (key === 'payload') all.push(...strings(value))
    return value
  })
  return all
}

/** The text as a value, beside numbers, in lists, as JSON within JSON, spelled with escapes. */
function argumentsOf(random: Random, text: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 16)
  const number = /^[1-9]\d{5,}$/.test(digits) ? Number(digits) : 1
  const args = {
    to: text,
    list: [1, text, { deep: text, none: null }],
    number,
    ok: true,
    body: JSON.stringify({ text }),
  }
  const json = JSON.stringify(args, undefined, random.chance(0.5) ? 2 : undefined)
  if (random.chance(0.7)) return json
  return json.replace(/[@.-]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const WANTS = { choices: 1, includeUsage: false, stripsUsage: false, governs: true, asked: { tree: {}, json: {} } }

/** As the relay has it: fragments of a streamed call, inspected as a whole. */
function through(drive: Drive, args: string, random: Random): string {
  const call = new ToolCalls(chatCompletions, chatCompletions.openStream(WANTS), 0)
  const numbers = new NumbersAsText()
  const segments: { text: string }[] = []
  for (let at = 0; at < args.length; ) {
    const size = random.int(1, 12)
    const piece = {
      choice: 0,
      call: 'tool_calls.0',
      part: 'arguments',
      path: [],
      text: args.slice(at, at + size),
    } as const
    segments.push(call.add(piece, numbers))
    at += size
  }
  let id = 0
  const offered: TextView[] = []
  allSteps(call.offer(offered, drive.inspection, () => id++, new Continuation(), { call: () => {} }))
  for (const view of offered) drive.detect(view as FieldView)
  if (!allSteps(call.settle())) return ''
  return segments.map(({ text }) => text).join('')
}

function sameShape(before: string, after: string): boolean {
  try {
    return shapeOf(JSON.parse(before)) === shapeOf(JSON.parse(after))
  } catch {
    return false
  }
}

/** Everything but the texts; a number that was rewritten has become one. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value).map(([key, member]) => `${key}:${shapeOf(member)}`)}}`
  }
  return typeof value === 'number' ? 'string' : typeof value
}
