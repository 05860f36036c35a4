/** What an answer must look like, whatever it says, and what must arrive as it was said. */
import { isDeepStrictEqual } from 'node:util'
import { type Api, hasTypes } from './apis.ts'
import { assemble, type Texts } from './assemble.ts'
import type { Case } from './case.ts'
import type { Got } from './client.ts'
import { IN_PLACES } from './places-in.ts'
import { OUT_PLACES } from './places-out.ts'
import { sdkContent } from './sdk.ts'
import { SILENCE } from './wire.ts'

const STATUSES = new Set([200, 400, 403, 404, 422, 500, 502])

const LINES = /^(data: [^\r\n]+|:[^\r\n]*)$/
/** Only what is no name has no line of its own. */
const NAMED_LINES = /^(event: [^\r\n]+\ndata: [^\r\n]+|data: (?!\{"type":\s*"[\w.]+")[^\r\n]+|:[^\r\n]*)$/
const ENDS: Readonly<Record<Api, RegExp>> = {
  chat: /data: \[DONE\]\n\n$/,
  completions: /data: \[DONE\]\n\n$/,
  embeddings: /$/,
  moderations: /$/,
  messages: /"type":\s*"message_stop"|event: message_stop/,
  responses: /event: response\.(?:completed|incomplete|failed)\n/,
}

export function judgeShape(x: Case, api: Api, got: Got, faults: string[]): void {
  if (got.hangs) faults.push('shape:hangs')
  else if (
    !STATUSES.has(got.status) &&
    !(x.side === 'reply' && [402, 409, 413, 429, 503, 529].includes(got.status)) &&
    !(x.ending === SILENCE && got.status === 504)
  )
    faults.push(`shape:status ${got.status} ${got.body.slice(0, 200)}`)
  else if (got.status === 200 && x.stream) {
    if (!/^text\/event-stream/.test(String(got.headers['content-type']))) faults.push('shape:no event stream')
    const lines = hasTypes(api) ? NAMED_LINES : LINES
    for (const block of got.body.split('\n\n').slice(0, -1)) {
      if (!lines.test(block)) faults.push(`shape:event ${JSON.stringify(block.slice(0, 80))}`)
    }
    const isEnded = ENDS[api].test(got.body) || got.body.includes('"error"') || !got.complete
    if (!isEnded) faults.push('shape:stream without end')
    if (got.body.split('data: [DONE]').length > 2) faults.push('shape:two ends')
  } else {
    const body = parse(got.body) as { error?: { message?: string; type?: string } } | undefined
    if (body === undefined) faults.push('shape:no JSON')
    else if (got.status !== 200 && (!body.error?.message || !body.error.type)) faults.push('shape:error body')
  }
}

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the oracle's own whole replies say besides. */
const FILLERS = new Set(['Fine', '{}', 'AAAA'])

/** Members that are the same in a stream and in a whole reply, but for where they stand. */
const textsOf = (texts: Texts): Map<string, string> => {
  const some = new Map<string, string>()
  for (const [path, text] of texts) {
    if (!/\.(delta|message)\.|^\.x_|\.x_note$|\.text$/.test(path) || /\{\}|#$|\[\*\]|^~|role$|\.type$|\.id$/.test(path))
      continue
    if (text !== '') some.set(path.replace('.delta.', '.message.'), text)
  }
  return some
}

/** A stream that is read to its end says what the same reply says as a whole. `again` asks for the whole one. */
export async function judgeTwin(
  x: Case,
  api: Api,
  got: Got,
  again: () => Promise<Got>,
  faults: string[],
): Promise<number> {
  const place = OUT_PLACES[x.place]
  const isPlain = x.ending === 'normal' && x.indexes === 'normal' && x.mix === 'none' && x.coding === 'none'
  const { message, response } = place ?? {}
  const hasBoth = message
    ? message.beats && message.whole
    : response
      ? !response.isStreamOnly && response.events && response.output
      : place?.whole && place.stream
  if (x.side !== 'output' || !x.stream || !isPlain || !hasBoth || place?.once) return 0
  // The first characters of a run of base64 or hex may have left: docs/decisions/0028.
  if (/^(?:base64|hex)/.test(x.reading) || /^(?:base64|hex)/.test(x.outer)) return 0
  // A character that nobody sees, alone in a block, goes with the text before the block in a stream, and stays in a message.
  if (x.reading.startsWith('hidden') && /^messages-text-blocks/.test(x.place)) return 0
  // An escape that two texts of a reply cut: docs/threat-model.md, Unusual streams.
  if (/two-(?:items|parts)$/.test(x.place) && (x.reading !== 'plain' || x.outer !== 'plain')) return 0
  // Each piece is also read by itself: docs/decisions/0072.
  if (x.place === 'tool-call-vendor' && (x.cuts.length > 0 || x.pace !== 'cuts')) return 0
  // The SDK keeps the last piece of a compaction alone.
  if (
    /logprobs|token-ids|usage|^messages-compaction/.test(x.place) ||
    !ENDS[api].test(got.body) ||
    got.body.includes('"error":{')
  )
    return 0
  const other = await again()
  if (other.status !== 200) faults.push(`twin:status ${other.status}`)
  else if (hasTypes(api)) {
    const [streamed, said] = [await sdkContent(got, true, api), await sdkContent(other, false, api)]
    if (!isDeepStrictEqual(streamed, said))
      faults.push(`twin:content ${JSON.stringify(streamed)?.slice(-300)} ${JSON.stringify(said)?.slice(-300)}`)
  } else {
    const streamed = textsOf(assemble(got.body, true).texts)
    for (const [path, text] of textsOf(assemble(other.body, false).texts)) {
      // Only the first delta of a call names it.
      if (!FILLERS.has(text) && !path.includes('[#') && streamed.get(path) !== text)
        faults.push(
          `twin:${path} ${JSON.stringify(streamed.get(path))?.slice(-200)} ${JSON.stringify(text).slice(-200)}`,
        )
    }
  }
  return 1
}

/** Places of arguments that are JSON, and where these stand in what the client got. */
const JSON_PLACES =
  /^(?:tool-arguments|messages-tool-input|responses-arguments|content|messages-text|responses-text)(?:-number(?:-\w+)?)$|^(?:tool-arguments(?:-key|-nested)?|messages-tool-input(?:-key|-nested|-deep)?|responses-arguments(?:-key|-nested)?)$/
const JSON_PATH = /^\.choices.*\.arguments$|@\d+\.delta\.partial_json$|\.item\.arguments$/

/** Whoever calls a tool parses its arguments: what was JSON stays JSON. */
export function judgeArguments(x: Case, texts: Texts, faults: string[]): void {
  const isWhole = x.side === 'output' && x.ending === 'normal' && x.indexes === 'normal' && x.mix === 'none'
  if (!isWhole || !JSON_PLACES.test(x.place) || x.config === 'block' || x.config === 'guard') return
  for (const [path, text] of texts) {
    if (JSON_PATH.test(path) && text !== '' && parse(text) === undefined) faults.push(`shape:arguments:${path}`)
  }
}

/** What nobody minds is sent as it was given; what the gateway adds is known. */
export function judgeCleanInput(x: Case, request: string, sent: string, faults: string[]): void {
  // Probabilities go beside what is inspected.
  const isOther =
    x.place.startsWith('azure-') || ['model-name', 'stream-options-vendor', 'responses-logprobs'].includes(x.place)
  if (isOther || IN_PLACES[x.place]?.closed) return
  const have = parse(sent) as Record<string, unknown> | undefined
  if (have === undefined) return void faults.push('altered:not sent')
  const { stream_options: _added, ...rest } = have
  if (!isDeepStrictEqual(rest, JSON.parse(request))) faults.push('altered:request')
}

/** Places in the beginning of an item or a block, from where a text moves to its deltas: who joins both reads the same. */
const BEGINS =
  /^(?:messages-(?:text-start|text-start-then-deltas|text-blocks-(?:starts|mixed)|text-block-vendor|message-content|thinking-start)|responses-(?:text-added|text-part-added|shell-added))$/
const isJoined = (api: Api, path: string): boolean =>
  path === '~thought' || path === (api === 'messages' ? '~shown' : '~shown:begun')
/** Not compared by itself. */
const IS_OTHER = /logprobs|token_ids|service|usage|\{\}|#$|\[\*\]|^~/

/** Numbers of choices that leave as they came. */
const ORDINARY: ReadonlySet<Case['indexes']> = new Set(['normal', 'second-only', 'beside-a-finish'])

/** What nobody minds arrives as it was said. */
export function judgeClean(x: Case, api: Api, got: Got, said: string, faults: string[]): void {
  if (got.status !== 200 || x.ending !== 'normal' || !ORDINARY.has(x.indexes)) return
  if (OUT_PLACES[x.place]?.turns === true && got.body.includes('"error"')) return
  // A text before a refusal takes turns with it, and an error ends what is before it; behind deltas, a message is what they said so far.
  if (x.mix === 'learned' && /refusal|^error-|^message-in-stream/.test(x.place)) return
  // Oddities between events of these may end a reply; so do errors that it is told.
  if (hasTypes(api) && (x.mix !== 'none' || /"type":\s*"error"/.test(got.body))) return
  const want = assemble(said.replace(/^\ufeff/, ''), x.stream).texts
  const have = assemble(got.body, x.stream).texts
  for (const [path, text] of want) {
    // Elements without an index go on in the next event.
    if (x.place.startsWith('shown-list') && /\.content\[/.test(path)) continue
    if (BEGINS.test(x.place) ? !isJoined(api, path) : IS_OTHER.test(path) || isRepeated(x, path)) continue
    if (have.get(path) !== text) faults.push(`altered:${path}`)
  }
}

/** What stands in every event of a stream: how often it comes says nothing. */
const isRepeated = ({ stream }: Case, path: string): boolean =>
  stream &&
  (/^\.(id|object|model|system_fingerprint|service_tier)$/.test(path) ||
    /(role|finish_reason|\.type|\.item_id|\.obfuscation)$/.test(path))
