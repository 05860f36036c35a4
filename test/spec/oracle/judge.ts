/** Runs one case and says everything that is wrong with what came of it. */

import { USER_KEY } from '../../helpers/gateway.ts'
import { type Api, hasStreams, hasTypes, PATHS, plainAsk } from './apis.ts'
import { assemble, flatten, type Texts } from './assemble.ts'
import { ASKS, REPLIES } from './attacks.ts'
import { carry } from './carriers.ts'
import type { Case } from './case.ts'
import { ask, type Got } from './client.ts'
import { encoded } from './codings.ts'
import { CONFIGS } from './configs.ts'
import { judgeArguments, judgeClean, judgeCleanInput, judgeShape, judgeTwin } from './judge-form.ts'
import { judgeTokens } from './judge-tokens.ts'
import { eachOf, writePair } from './pairs.ts'
import { IN_PLACES, type JsonObject } from './places-in.ts'
import { OUT_PLACES, type OutPlace } from './places-out.ts'
import type { Asked, Said } from './provider.ts'
import { canRead, has } from './reader.ts'
import { respell } from './respell.ts'
import { ROUTE_ASKS, type Routed } from './routes.ts'
import { sdkTexts } from './sdk.ts'
import { TALKING, type TalkingApi } from './talk-forms.ts'
import { EXAMPLE, LINK_FORMS, TOKEN } from './tokens.ts'
import { type Canary, Dice, makeCanary, PII_KINDS, squeeze } from './values.ts'
import { warmUp } from './warm.ts'
import { completionOf, jsonSaid, sceneReply, sceneStream, streamOf } from './wire.ts'
import { SETTINGS_SECRETS, type World } from './world.ts'

export interface Judgement {
  readonly canary: Canary
  /** Empty when all is well. Each begins with its class. */
  readonly faults: string[]
  /** What was sent and what came, for the report. */
  readonly request: string
  readonly sent: string
  readonly said: string
  readonly got: Got
  /** Exchanges that must have a last event each. */
  readonly exchanges: number
  /** What else was planted. */
  readonly others?: readonly Canary[]
}

const CLEAN = 'Grüße aus 世界 😀: a reply of some length, with 12 words & <tags> in it. '

/** More characters than this do not come one by one. */
const MOST_STEPS = 4000

export function pieces(text: string, { cuts, pace, value }: Pick<Case, 'cuts' | 'pace' | 'value'>): string[] {
  const list = pace === 'units' ? text.split('') : [...text]
  if (pace !== 'cuts' && list.length < MOST_STEPS) {
    const d = new Dice(value)
    const steps: string[] = []
    for (let at = 0; at < list.length; ) {
      const size = pace === 'characters' ? 1 : 1 + d.below(pace === 'units' ? 3 : 6)
      steps.push(list.slice(at, at + size).join(''))
      at += size
    }
    return steps
  }
  const places = [...new Set(cuts.map((cut) => Math.floor((cut * list.length) / 1000)))].sort((a, b) => a - b)
  return [0, ...places].map((from, at) => list.slice(from, places[at] ?? list.length).join('')).filter((p) => p !== '')
}

const OTHERS = ['note', 'x', 'a longer text that says something else'] as const

/** What the events of a place say in turn. The text alone stands behind one to six others and before one more. */
function partsOf(place: OutPlace | undefined, text: string, x: Case): string[] {
  if (!place?.amid) return place?.once ? [text] : pieces(text, x)
  const other = OTHERS[x.value % OTHERS.length] as string
  return [...Array<string>(1 + (x.value % 6)).fill(other), text, other]
}

/** The text of a case: the value as it is written, in a sentence. */
export function textOf(x: Case, canary: Canary): string {
  if (x.side.startsWith('clean')) return CLEAN.repeat(1 + (x.value % 4))
  return carry(x.carrier, writePair(x, canary))
}

/** What comes between pieces of another choice. */
const OF_TWO: ReadonlySet<Case['mix']> = new Set(['other-choice', 'stalled', 'mirrored'])

/** Sides without a place of one API are played on each of those that hold talks. */
const OF_ANY: ReadonlySet<Case['side']> = new Set(['token', 'reply', 'talk', 'foreign'])

/** Sides whose place is one of a reply. */
const SPEAKING: ReadonlySet<Case['side']> = new Set(['output', 'clean', 'return'])

export const apiOf = ({ side, place, value }: Case): Api => {
  if (OF_ANY.has(side)) return TALKING[value % TALKING.length] as Api
  if (side === 'input' || side === 'clean-input') return IN_PLACES[place]?.api ?? 'chat'
  return (SPEAKING.has(side) ? OUT_PLACES[place]?.api : undefined) ?? 'chat'
}

function requestOf(x: Case, canary: Canary): JsonObject {
  const api = apiOf(x)
  const isOfTwo = OF_TWO.has(x.mix) || ['two-choices', 'second-only', 'beside-a-finish'].includes(x.indexes)
  const more = hasTypes(api) ? {} : { n: 2 }
  const stream = {
    ...(x.stream && { stream: true, ...(isOfTwo && more) }),
    // Half of the responses are stored.
    ...(api === 'responses' && x.value % 2 === 0 && { store: false }),
  }
  const place = x.side === 'input' || x.side === 'clean-input' ? IN_PLACES[x.place] : undefined
  if (!place) {
    const content = x.side === 'token' || x.side === 'return' ? `My value is ${canary.value} you know` : 'Hello there'
    const n = OF_TWO.has(x.mix) ? more : {}
    return { ...plainAsk(api, content), ...n, ...stream }
  }
  const text = textOf(x, canary)
  return {
    ...place.put(place.identifier ? (x.side === 'input' ? identifierOf(x, canary) : 'plain') : text, pieces(text, x)),
    ...stream,
  }
}

const PREFIXES = ['call_', 'toolu_', 'file-', 'resp_', 'msg_', 'fc_', 'chatcmpl-', 'call_00_']

/** What stands in a place of identifiers: an account as the rest of one, any other value as it is. */
const identifierOf = (x: Case, { kind, value }: Canary): string =>
  kind === 'iban' ? `${PREFIXES[x.value % PREFIXES.length]}${value.replaceAll(' ', '')}` : value

export function replyOf(x: Case, canary: Canary, asked: Asked): Said {
  // An aside within the very text that has the value would take the value apart.
  const mix = x.mix === 'reasoning' && x.place.startsWith('reasoning') ? 'none' : x.mix
  const api = apiOf(x)
  const shape = {
    api,
    framing: x.framing,
    split: x.split,
    ending: x.ending,
    indexes: x.indexes,
    mix,
    json: x.json,
    seed: x.value,
  }
  if (x.side === 'reply') {
    const say = REPLIES[api as TalkingApi][x.place] as (text: string, isStream: boolean) => Said
    return say(textOf(x, canary), x.stream)
  }
  const isOut = SPEAKING.has(x.side)
  const place = OUT_PLACES[isOut ? x.place : api === 'completions' ? 'completions-text' : 'content']
  let text = x.side === 'return' ? returned(x, tokenIn(asked)) : isOut ? textOf(x, canary) : 'All is well with that.'
  if (x.side === 'token') text = (LINK_FORMS[x.place] as (t: string) => string)(tokenIn(asked))
  if (isOut && place?.identifier)
    text = x.side === 'clean' ? 'call_plain' : x.side === 'return' ? tokenIn(asked) : identifierOf(x, canary)
  text = place?.wrap?.(text) ?? text
  if (!isOut && !hasStreams(api)) return completionOf({}, x.indexes, x.json, api)
  if (hasTypes(api)) {
    if (/count_tokens$|input_tokens$/.test(asked.url))
      return jsonSaid({ object: 'response.input_tokens', input_tokens: 9 })
    if (asked.url.endsWith('compact')) return jsonSaid(COMPACTION)
    const scene = isOut && place ? place : (OUT_PLACES[`${api}-text`] as OutPlace)
    if (!x.stream) return sceneReply(api, scene, text, x.json, pieces(text, x))
    return sceneStream(scene, partsOf(scene, text, x), shape)
  }
  const all = pieces(text, x)
  if (!x.stream) return completionOf(place?.whole?.(text, all) ?? {}, x.indexes, x.json, api)
  return streamOf(
    partsOf(place, text, x).map((piece, at) => place?.stream?.(piece, at, all) ?? {}),
    shape,
  )
}

/** The token that stands for the value in what the provider was asked; none of its note. */
export const tokenIn = ({ body }: Asked): string =>
  body.match(TOKEN)?.findLast((one) => !one.startsWith('LITERAL_') && one !== EXAMPLE) ?? 'EMAIL_aaaaaaaaaa'

const FORMS = Object.values(LINK_FORMS)
/** What the model says with a token: half of it in prose, by the value. */
function returned({ value }: Case, token: string): string {
  const form = (value & 1) === 0 ? undefined : FORMS[(value >> 1) % FORMS.length]
  return form?.(token) ?? `I wrote to ${token} about it.`
}

const COMPACTION = { id: 'resp_2', object: 'response.compaction', created_at: 1, output: [], usage: null }

export const HEADERS = { authorization: `Bearer ${USER_KEY}` }

export async function judge(world: World, given: Case): Promise<Judgement> {
  if (given.side === 'route') return judgeRoute(world, given)
  const api = apiOf(given)
  const { path: special } = (given.side.endsWith('input') && IN_PLACES[given.place]) || {}
  const x = hasStreams(api) && special === undefined ? given : { ...given, stream: false }
  const canary = makeCanary(x.kind, x.value)
  const faults: string[] = []
  let said = ''
  let exchanges = x.side === 'ask' ? 0 : 1
  const { promise: isAsked, resolve: onAsked } = Promise.withResolvers<void>()
  const reply = (asked: Asked): Said => encoded(replyOf(x, canary, asked), x.coding, x.value)
  const raw = x.side === 'ask' ? ASKS[x.place]?.(textOf(x, canary)) : undefined
  const body = raw?.body ?? respell(JSON.stringify(requestOf(x, canary)), x.side === 'input' ? x.json : 'plain')
  const path = raw?.path ?? special ?? PATHS[api]
  const headers = raw?.headers ?? HEADERS
  world.newLog()
  world.provider.expect(reply)
  exchanges += await warmUp(world.gateway.url, x, { path, headers, body })
  world.provider.expect((asked) => {
    const one = reply(asked)
    onAsked()
    said = Buffer.concat(one.pieces).toString()
    return one
  })
  const got = await ask(world.gateway.url + path, headers, body, x.leaves, isAsked)
  const sent = world.provider.asked.map((one) => one.body).join('\n')
  if (got.left) faults.length = 0
  else if (x.side !== 'ask') judgeShape(x, api, got, faults)
  else if (got.hangs || (got.status >= 500 && x.coding === 'none')) faults.push(`shape:status ${got.status}`)
  const planted = eachOf(x, canary)
  for (const [one, value] of planted) {
    judgeProvider(world, one, value, faults)
    await judgeClient(one, value, got, faults)
  }
  if (x.side === 'clean-input') judgeCleanInput(x, body.toString(), sent, faults)
  if (x.side === 'clean' && !got.left) judgeClean(x, api, got, said, faults)
  if (!x.side.startsWith('clean')) {
    const log = world.newLog().join('\n')
    for (const [, { needles }] of planted) if (has(log, needles)) faults.push('leak:log')
  }
  judgeSecrets(got, world, faults)
  const again = () => {
    const whole = { ...x, stream: false }
    world.provider.expect((asked) => replyOf(whole, canary, asked))
    return ask(world.gateway.url + PATHS[api], HEADERS, JSON.stringify(requestOf(whole, canary)))
  }
  if (x.twin && !got.left && faults.length === 0) exchanges += await judgeTwin(x, api, got, again, faults)
  return {
    canary,
    faults,
    request: body.toString(),
    sent,
    said,
    got,
    exchanges,
    others: planted.slice(1).map(([, one]) => one),
  }
}

export function judgeProvider(world: World, x: Case, canary: Canary, faults: string[]): void {
  const { input } = CONFIGS[x.config] as { input: readonly string[] }
  if (x.side === 'output' || x.side === 'reply' || x.side.startsWith('clean') || !input.includes(x.kind)) return
  for (const { body, headers, url } of world.provider.asked) {
    const texts: Texts = new Map()
    flatten(JSON.parse(body), '', texts)
    for (const [path, text] of texts) if (canRead(text, canary.needles)) faults.push(`leak:provider:${path}`)
    if (has(`${JSON.stringify(headers)} ${url}`, canary.needles)) faults.push('leak:provider:head')
  }
}

/**
 * A number or an address that ends with the reply is no value before its end, and is none that a detector could know. Where
 * a reply ends in the middle of one, only the whole value is a leak. Likewise of a member whose first value has left.
 */
const needlesOf = (
  { side, place, ending, mix }: Case,
  { body }: Got,
  { kind, value, needles }: Canary,
): readonly string[] => {
  if (side === 'output' && OUT_PLACES[place]?.replaced) return [squeeze(value)]
  // Of a member that nobody knows, what other blocks said before has left: docs/decisions/0023.
  if ((mix === 'other-choice' || mix === 'reasoning') && /^messages-.*vendor/.test(place)) return [squeeze(value)]
  // Deltas without the first piece of their text say no value whose label or beginning stands there: docs/decisions/0125.
  if (ending === 'begins-half' && /^(?:get )?responses/.test(place)) return [squeeze(value)]
  const isCut = ending.startsWith('cut-') || (ending === 'early-stop' && body.includes('"type":"response.failed"'))
  // A text is over where another item's begins; what was no value by then has left: docs/decisions/0062.
  const isOver = mix === 'other-choice' && /^(?:get )?responses/.test(place)
  return isCut && (isOver || PII_KINDS.includes(kind)) ? [squeeze(value)] : needles
}

export async function judgeClient(x: Case, planted: Canary, got: Got, faults: string[]): Promise<void> {
  const canary = { ...planted, needles: needlesOf(x, got, planted) }
  const { output } = CONFIGS[x.config] as { output: readonly string[] }
  const isStream = /event-stream/.test(String(got.headers['content-type']))
  const { texts, rest } = assemble(got.body, isStream)
  if (x.side === 'token' || x.side === 'return') return judgeTokens(x, texts, canary, faults)
  if (x.side.startsWith('clean') || (['output', 'reply'].includes(x.side) && !output.includes(x.kind))) return
  const isMonitored = x.config === 'monitor'
  for (const [path, text] of texts) {
    if (!isMonitored && canRead(text, canary.needles)) faults.push(`leak:client:${path}`)
  }
  for (const text of await sdkTexts(got, isStream, apiOf(x)))
    if (!isMonitored && canRead(text, canary.needles)) faults.push('leak:client:SDK')
  judgeArguments(x, texts, faults)
  if (has(rest.join('\n'), canary.needles)) faults.push('leak:client:between events')
  const head = JSON.stringify([got.reason, got.hints, got.headers, got.trailers])
  if (has(head, canary.needles)) faults.push('leak:client:head')
}

/** An operator's request is refused, or not; its words are in no log, nor in what is kept of it. */
async function judgeRoute(world: World, x: Case): Promise<Judgement> {
  const canary = makeCanary(x.kind, x.value)
  const faults: string[] = []
  const { method, path, headers, body } = (ROUTE_ASKS[x.place] as (text: string) => Routed)(textOf(x, canary))
  world.newLog()
  world.provider.expect(() => jsonSaid({}))
  const got = await ask(world.gateway.url + path, headers, body, 'stays', undefined, method)
  if (got.hangs || got.status >= 500) faults.push(`shape:status ${got.status}`)
  if (has(world.newLog().join('\n'), canary.needles)) faults.push('leak:log')
  judgeSecrets(got, world, faults)
  const request = `${method} ${path} ${JSON.stringify(headers)} ${body.toString()}`
  return { canary, faults, request, sent: '', said: '', got, exchanges: 0 }
}

export function judgeSecrets(got: Got, world: World, faults: string[]): void {
  const seen = {
    client: `${got.body}${JSON.stringify(got.headers)}`,
    provider: world.provider.asked.map((one) => one.body).join(''),
  }
  for (const [who, text] of Object.entries(seen)) {
    for (const [what, secret] of Object.entries(SETTINGS_SECRETS))
      if (text.includes(secret)) faults.push(`settings:${who}:${what}`)
  }
  for (const { headers } of world.provider.asked) {
    const head = JSON.stringify(headers)
    for (const [what, secret] of Object.entries(SETTINGS_SECRETS))
      if (what !== 'key of the upstream' && head.includes(secret)) faults.push(`settings:provider head:${what}`)
  }
}
