/** From members of events to the bytes of a reply, in every shape that providers were seen to send, and some more. */
import { type Api, ENTRIES } from './apis.ts'
import { BEGINNINGS, chatBegun, isBeginning } from './beginnings.ts'
import type { JsonObject } from './places-in.ts'
import type { Members, OutPlace } from './places-out.ts'
import type { Said } from './provider.ts'
import { respell, type Spelling } from './respell.ts'
import { Dice, STALLED } from './values.ts'
import { messageEvents, wholeMessage } from './wire-messages.ts'
import { responseEvents, wholeResponse } from './wire-responses.ts'

export const FRAMINGS = [
  'lf',
  'crlf',
  'cr',
  'bom',
  'no-space',
  'comments',
  'many-data-lines',
  'named',
  'ids',
  'mixed',
  'blank-lines',
  'padded',
  'type-behind',
  'empty-data',
] as const
export const SPLITS = ['events', 'whole', 'bytes', 'anywhere', 'pairs'] as const
export const ENDINGS = [
  'normal',
  'no-done',
  'no-finish',
  'done-twice',
  'text-after-done',
  'text-after-stop',
  'empty-finish-each',
  'odd-finish-each',
  'stop-each',
  'early-stop',
  'early-each',
  ...BEGINNINGS,
  'finish-beside-last',
  'breaks-off',
  'usage-after',
  'no-blank-line',
  'cut-close',
  'cut-end',
  'cut-reset',
  'cut-json',
  'cut-utf-8',
  'cut-error',
  'cut-error-end',
] as const
/** Nothing more comes, and the connection stays. */
export const SILENCE = 'cut-silence'
export const INDEXES = [
  'normal',
  'missing',
  'string',
  'two-choices',
  'second-only',
  'beside-a-finish',
  'no-id',
  'no-object',
] as const

/** What comes between the pieces of a text. */
export const MIXES = [
  'none',
  'reasoning',
  'other-choice',
  'empty',
  'null',
  'tool-call',
  'no-choices',
  'other-id',
  'roles',
  'learned',
  'again',
  'stalled',
  'mirrored',
] as const

export type Mix = (typeof MIXES)[number]
export type Framing = (typeof FRAMINGS)[number]
export type Split = (typeof SPLITS)[number]
export type Ending = (typeof ENDINGS)[number] | typeof SILENCE
export type Indexes = (typeof INDEXES)[number]

export interface Shape {
  /** Chat if absent. */
  api?: Api
  framing: Framing
  split: Split
  ending: Ending
  indexes: Indexes
  mix: Mix
  json: Spelling
  seed: number
}

const USAGE = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 }

const head = (indexes: Indexes, object: string): JsonObject => ({
  ...(indexes !== 'no-id' && { id: 'chatcmpl-oracle' }),
  ...(indexes !== 'no-object' && { object }),
  created: 1763676000,
  model: 'gpt-test',
})

/** @param finishesOther whether the first choice ends in this event, if the text is in the second */
function indexed(choice: JsonObject, indexes: Indexes, finishesOther = false): JsonObject[] {
  if (indexes === 'missing') return [choice]
  if (indexes === 'string') return [{ index: '0', ...choice }]
  if (indexes === 'second-only') return [{ index: 1, ...choice }]
  if (indexes === 'beside-a-finish') {
    const own = { index: 1, ...choice }
    return finishesOther
      ? [{ index: 0, ...('text' in choice ? { text: '' } : { delta: {} }), finish_reason: 'stop' }, own]
      : [own]
  }
  if (indexes === 'two-choices')
    return [
      { index: 0, ...choice },
      { index: 1, ...('text' in choice ? { text: 'aside ' } : { delta: { content: 'aside ' } }), finish_reason: null },
    ]
  return [{ index: 0, ...choice }]
}

const isSecond = (indexes: Indexes): boolean => indexes === 'second-only' || indexes === 'beside-a-finish'

function between(mix: Mix, indexes: Indexes, at: number): JsonObject | undefined {
  const aside = (choice: JsonObject, more: JsonObject = {}): JsonObject => ({
    ...head(indexes, 'chat.completion.chunk'),
    choices: [{ index: 0, finish_reason: null, ...choice }],
    ...more,
  })
  switch (mix) {
    case 'reasoning':
      return aside({ delta: { reasoning_content: 'hm ' } })
    case 'other-choice':
      return aside({
        index: isSecond(indexes) ? 0 : 1,
        delta: { content: 'aside ' },
      })
    case 'empty':
      return aside({ delta: {} })
    case 'null':
      return aside({ delta: { content: null, refusal: null } })
    case 'tool-call':
      return aside({ delta: { tool_calls: [{ index: 3, function: { arguments: ' ' } }] } })
    case 'no-choices':
      return { ...aside({}), choices: [] }
    case 'other-id':
      return aside({ delta: {} }, { id: `other-${at}`, created: at })
    case 'roles':
      return aside({ delta: { role: 'assistant', content: '' } })
    default:
      return undefined
  }
}

/** The same in a stream of texts, whose choices have no delta. */
function betweenTexts(mix: Mix, indexes: Indexes, at: number): JsonObject | undefined {
  const aside = between(mix, indexes, at)
  const [choice] = (aside?.choices ?? []) as JsonObject[]
  if (choice === undefined) return aside
  const { delta: _delta, ...rest } = choice
  const text = mix === 'null' ? null : mix === 'other-choice' ? 'aside ' : ''
  return { ...aside, object: 'text_completion', choices: [{ ...rest, text }] }
}

/** The payloads of a stream: a first delta with the role, the texts, and the end. */
function payloads(all: readonly Members[], { api, ending, indexes, mix }: Shape): string[] {
  const isText = api === 'completions'
  const begun = isBeginning(ending) && !isText ? chatBegun(all, ending) : undefined
  const texts = begun?.rest ?? all
  const object = isText ? 'text_completion' : 'chat.completion.chunk'
  const said = (delta: JsonObject): JsonObject => (isText ? { text: '' } : { delta })
  const chunk = (choices: JsonObject[], more: JsonObject = {}): string =>
    JSON.stringify({ ...head(indexes, object), choices, ...more })
  // Another choice says the same, one event later.
  const mirrored = (at: number): string[] => {
    const { choice, delta } = (mix === 'mirrored' && texts[at]) || {}
    const other = { index: isSecond(indexes) ? 0 : 1, ...said(delta ?? {}), finish_reason: null, ...choice }
    return delta || choice ? [chunk([other as JsonObject])] : []
  }
  const each = { 'empty-finish-each': '', 'odd-finish-each': 'eos_token', 'stop-each': 'stop' } as Record<
    string,
    string
  >
  const events = texts.flatMap(({ body, choice, delta }, at) => {
    const aside = at > 0 ? (isText ? betweenTexts : between)(mix, indexes, at) : undefined
    const isLast = at === texts.length - 1
    const finish = each[ending] ?? (ending === 'finish-beside-last' && isLast ? 'stop' : null)
    const soFar = ending === 'early-each' &&
      !isText && { message: chatBegun(texts.slice(0, at + 1), 'begins-full').message }
    const own = { ...soFar, ...said(delta ?? {}), finish_reason: finish, ...choice }
    const event = chunk(indexed(own, indexes, at % 2 === 1), body)
    return [...mirrored(at - 1), ...(aside ? [JSON.stringify(aside)] : []), event, ...(isLast ? mirrored(at) : [])]
  })
  const first = { ...said({ role: 'assistant', content: '' }), finish_reason: null }
  const before = (content: string) => (isText ? { text: content } : { delta: { content } })
  // What most events are, before those that are otherwise.
  const plain = chunk(indexed({ ...before('so '), finish_reason: null }, indexes))
  // What may begin a value waits in the other choice.
  const stalled = chunk([{ index: isSecond(indexes) ? 0 : 1, ...before(STALLED), finish_reason: null }])
  const ahead = mix === 'learned' ? Array<string>(4).fill(plain) : mix === 'stalled' ? [stalled] : []
  const role = chunk(indexed(begun ? { ...first, message: begun.message } : first, indexes))
  const finished = indexed({ ...said({}), finish_reason: 'stop' }, indexes, true).map((c) => ({
    ...c,
    ...said({}),
    finish_reason: 'stop',
  }))
  const stop = chunk(finished as JsonObject[])
  const done = '[DONE]'
  const opening = [role, ...ahead]
  switch (ending) {
    case 'no-done':
      return [...opening, ...events, stop]
    case 'no-finish':
    case 'finish-beside-last':
      return [...opening, ...events, done]
    case 'done-twice':
      return [...opening, ...events, stop, done, done]
    case 'text-after-done':
      return [...opening, stop, done, ...events, done]
    case 'text-after-stop':
      return [...opening, stop, ...events, done]
    case 'early-stop':
      return [...opening, ...events.slice(0, 1), stop, ...events.slice(1), done]
    case 'breaks-off':
      return [...opening, ...events]
    case 'usage-after':
      return [...opening, ...events, stop, chunk([], { usage: USAGE }), done]
    default:
      return [...opening, ...events, stop, done]
  }
}

/** @param name of the event, for APIs whose events have one */
function frame(payload: string, framing: Framing, at: number, name = ''): string {
  if (name !== '') return framing === 'named' ? `data: ${payload}\n\n` : namedFrame(payload, framing, at, name)
  const mixed = ['\r\n', '\n', '\r'][at % 3] as string
  const end = framing === 'crlf' ? '\r\n' : framing === 'cr' ? '\r' : framing === 'mixed' ? mixed : '\n'
  const line = framing === 'no-space' ? `data:${payload}` : `data: ${payload}`
  if (framing === 'blank-lines') return `\n\n${line}\n\n\n`
  if (framing === 'padded' && payload !== '[DONE]') return `data:  \t${payload} \n\n`
  if (framing === 'type-behind') return `${line}\nevent: message\nid\n\n`
  if (framing === 'empty-data' && payload !== '[DONE]') return `${line}\ndata\n\n`
  if (framing === 'comments') return `: keep-alive ${at}${end}${line}${end}${end}`
  if (framing === 'named') return `event: message${end}${line}${end}${end}`
  if (framing === 'ids') return `id: ${at}${end}retry: 10${end}${line}${end}${end}`
  if (framing === 'many-data-lines' && payload.startsWith('{')) {
    const lines = JSON.stringify(JSON.parse(payload), null, 1).split('\n')
    return `${lines.map((part) => `data: ${part}`).join(end)}${end}${end}`
  }
  return `${line}${end}${end}`
}

/** An event with its name; some write it behind the data, or elsewhere among other lines. */
function namedFrame(payload: string, framing: Framing, at: number, name: string): string {
  const plain = frame(payload, framing === 'type-behind' ? 'lf' : framing, at)
  const end = framing === 'cr' ? '\r' : framing === 'crlf' || (framing === 'mixed' && at % 3 === 0) ? '\r\n' : '\n'
  const line = `event: ${name}`
  if (framing === 'mixed') return frame(payload, 'lf', at).replace('data:', () => `${line}${end}data:`)
  if (framing === 'type-behind') return `${plain.trimEnd()}\n${line}\nid\n\n`
  if (framing === 'no-space') return `event:${name}\n${plain}`
  const from = plain.indexOf('data:')
  return `${plain.slice(0, from)}${line}${end}${plain.slice(from)}`
}

export function cut(bytes: Buffer, events: readonly Buffer[], split: Split, seed: number): Buffer[] {
  if (split === 'whole') return [bytes]
  if (split === 'events') return [...events]
  if (split === 'pairs')
    return events.flatMap((_, at) => (at % 2 === 0 ? [Buffer.concat(events.slice(at, at + 2))] : []))
  const d = new Dice(seed)
  const most = split === 'bytes' ? 3 + (bytes.length >> 11) : 1 + Math.ceil(bytes.length / 3)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + d.below(most)
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

export function streamOf(texts: readonly Members[], shape: Shape): Said {
  return framed(
    payloads(texts, shape).map((payload) => ({ name: '', payload })),
    shape,
  )
}

/** What an API with named events says in a stream. */
export function sceneStream(place: OutPlace, parts: readonly string[], shape: Shape): Said {
  const { message, response } = place
  const events = message ? messageEvents(message, parts, shape) : responseEvents(response ?? {}, parts, shape)
  return framed(
    events.map(({ name, event }) => ({ name, payload: typeof event === 'string' ? event : JSON.stringify(event) })),
    shape,
  )
}

/** The same as a whole. */
export const sceneReply = (
  api: Api,
  place: OutPlace | undefined,
  text: string,
  json: Spelling,
  parts: readonly string[] = [text],
): Said =>
  jsonSaid(
    api === 'messages' ? wholeMessage(place?.message, text, parts) : wholeResponse(place?.response, text, parts),
    json,
  )

function framed(list: readonly { name: string; payload: string }[], shape: Shape): Said {
  const events = list.map(({ name, payload }, at) =>
    Buffer.from(frame(respell(payload, shape.json), shape.framing, at, name)),
  )
  if (shape.framing === 'bom') events.unshift(Buffer.from('\ufeff'))
  if (shape.ending.startsWith('cut-')) return cutShort(events, shape)
  if (shape.ending === 'no-blank-line') events.push(Buffer.from((events.pop() as Buffer).toString().trimEnd()))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    pieces: cut(Buffer.concat(events), events, shape.split, shape.seed),
    ...(shape.ending === 'breaks-off' && { breaks: true }),
  }
}

/** The same until some place between the first event and the last one, where it goes wrong. */
function cutShort(events: readonly Buffer[], { ending, split, seed, api = 'chat' }: Shape): Said {
  const d = new Dice(seed + 3)
  const at = 1 + d.below(Math.max(1, events.length - 1))
  const before = events.slice(0, at)
  const behind = events.slice(at)
  const [next = Buffer.from('\n')] = behind
  const half = next.subarray(0, d.below(next.length))
  const error = { message: 'No', type: 'server_error', param: null, code: null }
  const typed = {
    type: 'error',
    ...(api === 'messages' ? { error } : { code: 'server_error', message: 'No', param: null }),
  }
  const failed =
    api === 'messages' || api === 'responses'
      ? `event: error\ndata: ${JSON.stringify(typed)}\n\n`
      : `data: ${JSON.stringify({ error })}\n\n`
  const odd: Partial<Record<Ending, readonly Buffer[]>> = {
    'cut-json': [Buffer.from('data: {"id":"chatcmpl-oracle","choi\n\n'), ...behind],
    'cut-utf-8': [Buffer.from([...next.subarray(0, 14), 0xc3, 0x28, ...next.subarray(14)]), ...behind.slice(1)],
    'cut-error': [Buffer.from(failed), ...behind],
    'cut-error-end': [Buffer.from(failed)],
  }
  const all = [...before, ...(odd[ending] ?? [half])]
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    pieces: cut(Buffer.concat(all), all, split, seed),
    ...(ending === 'cut-close' && { breaks: true }),
    ...(ending === 'cut-reset' && { resets: true }),
    ...(ending === SILENCE && { waits: true }),
  }
}

export function completionOf(
  { body, choice, delta }: Members,
  indexes: Indexes = 'normal',
  json: Spelling = 'plain',
  api: Api = 'chat',
): Said {
  if (api === 'messages' || api === 'responses') throw new TypeError('such replies are scenes')
  if (api !== 'chat') {
    const { list, object, entry } = ENTRIES[api]
    return jsonSaid({ ...head(indexes, object), [list]: [{ ...entry, ...choice }], ...body }, json)
  }
  const message = { role: 'assistant', content: 'Fine', ...delta }
  const value = {
    ...head(indexes, 'chat.completion'),
    choices: [{ ...(indexes !== 'missing' && { index: 0 }), message, finish_reason: 'stop', ...choice }],
    usage: USAGE,
    ...body,
  }
  return jsonSaid(value, json)
}

export const jsonSaid = (value: JsonObject, json: Spelling = 'plain'): Said => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  pieces: [Buffer.from(respell(JSON.stringify(value), json))],
})
