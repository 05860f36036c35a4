/** The HTTP API of the Presidio analyzer: `POST /analyze`. The only file that knows of a network. */
import { GatewayError, type Services } from 'governed-gateway'
import { EgressError } from 'governed-gateway/kit'
import { codePoints } from './offsets.ts'

/** One finding as the analyzer tells it. Offsets count code points of the text, as Python does. */
export interface Entity {
  readonly entity_type: string
  readonly start: number
  readonly end: number
  readonly score: number
}

/** Sends one JSON body and gives back status and text. Injected, so that another transport can take its place. */
export type Post = (
  url: string,
  init: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
    readonly maxBytes: number
  },
) => Promise<{ readonly status: number; readonly text: string }>

export interface AnalyzerSettings {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly language: string
  readonly entities: readonly string[]
  readonly scoreThreshold: number
  readonly timeoutMs: number
  readonly batchSize: number
}

const MAX_RESPONSE = 8 * 1024 * 1024

export class Analyzer {
  readonly #settings: AnalyzerSettings
  readonly #endpoint: string
  readonly #post: Post

  constructor(settings: AnalyzerSettings, post: Post) {
    this.#settings = settings
    this.#endpoint = `${settings.url.replace(/\/+$/, '')}/analyze`
    this.#post = post
  }

  /** The findings of each text, in the order of the texts. Fails as a whole. */
  async analyze(texts: readonly string[]): Promise<Entity[][]> {
    const { batchSize } = this.#settings
    const calls: Promise<Entity[][]>[] = []
    for (let i = 0; i < texts.length; i += batchSize) calls.push(this.#call(texts.slice(i, i + batchSize)))
    return (await Promise.all(calls)).flat()
  }

  async #call(texts: readonly string[]): Promise<Entity[][]> {
    const { headers, language, entities, scoreThreshold, timeoutMs } = this.#settings
    // A single text goes as a string, which every version of the analyzer takes.
    const single = texts.length === 1
    const body = JSON.stringify({
      text: single ? texts[0] : texts,
      language,
      score_threshold: scoreThreshold,
      ...(entities.length > 0 && { entities }),
    })
    const { status, text } = await this.#send({
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      timeoutMs,
      maxBytes: MAX_RESPONSE,
    })
    if (status !== 200) throw unavailable(`answered with status ${status}`)
    const results = parse(text)
    const lists = single ? [results] : results
    if (!Array.isArray(lists) || lists.length !== texts.length)
      throw unavailable(`answered for another number of texts than the ${texts.length} it was given`)
    return lists.map((list, i) => entityList(list, texts[i] as string))
  }

  async #send(init: Parameters<Post>[1]): ReturnType<Post> {
    try {
      return await this.#post(this.#endpoint, init)
    } catch (cause) {
      // The cause of a network error may quote what was sent.
      throw unavailable(isTimeout(cause) ? `did not answer within ${init.timeoutMs} ms` : 'could not be reached')
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unavailable('answered with something that is not JSON')
  }
}

/** An answer with one finding that cannot be is no answer: what it was about may be anywhere. */
function entityList(list: unknown, text: string): Entity[] {
  const end = codePoints(text)
  if (!Array.isArray(list) || !list.every((one) => isEntity(one) && one.end <= end))
    throw unavailable('answered with something that is not a list of entities of the text')
  return list
}

function isEntity(value: unknown): value is Entity {
  if (typeof value !== 'object' || value === null) return false
  const { entity_type, start, end, score } = value as Record<string, unknown>
  return typeof entity_type === 'string' && isOffset(start) && isOffset(end) && start < end && isScore(score)
}

const isScore = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const unavailable = (what: string): GatewayError =>
  new GatewayError('GW_GUARDRAIL_UNAVAILABLE', `The Presidio analyzer ${what}.`)

const isTimeout = (error: unknown): boolean => error instanceof EgressError && error.category === 'timeout'

/** The default transport: the gateway's own, with its guard. */
export function postVia(fetch: Services['fetch']): Post {
  return async (url, { headers, body, timeoutMs, maxBytes }) => {
    const reply = await fetch(url, { method: 'POST', headers, body, timeoutMs, maxBytes })
    const text = await reply.text()
    if (reply.truncated) throw new Error('response too large')
    return { status: reply.status, text }
  }
}
