import { setImmediate } from 'node:timers/promises'
import { GatewayError } from '../contract/errors.ts'
import { isField, isProtectedHeader } from '../contract/header-rules.ts'
import type { Answer } from '../contract/plugin.ts'
import type { Source } from '../upstreams/source.ts'
import { isEventStream, isJson } from '../util/media-type.ts'
import { JsonBody } from './attempt.ts'
import type { ReplyContext } from './context.ts'
import { failExchange } from './endings.ts'
import { StreamReply } from './stream/reply.ts'

/** What reading returns when the client no longer reads the answer. */
const OVER = { done: true, value: undefined } as const

/** Pauses a plugin's pieces for a slow client. */
class Pace implements Source {
  /** Settles when the client caught up; undefined while it keeps up. */
  wait: Promise<void> | undefined = undefined
  /** Settles when the client no longer reads the answer. */
  readonly gone: Promise<typeof OVER>
  readonly #leave: (over: typeof OVER) => void
  #go: (() => void) | undefined = undefined

  constructor() {
    const { promise, resolve } = Promise.withResolvers<typeof OVER>()
    this.gone = promise
    this.#leave = resolve
  }

  pause(): void {
    this.wait ??= new Promise((resolve) => {
      this.#go = resolve
    })
  }

  resume(): void {
    this.#go?.()
    this.wait = undefined
  }

  abort(): void {
    this.#leave(OVER)
    this.resume()
  }
}

/** Sends a plugin's answer instead of the model's, with the same inspection. */
export async function relayAnswer(context: ReplyContext, { answer }: Answer, maxBytes: number): Promise<void> {
  const { contentType, body: pieces } = answer
  const stream = isEventStream(contentType)
  if (stream !== context.x.request.stream || !(stream || isJson(contentType))) {
    const wanted = context.x.request.stream ? 'an event stream' : 'JSON'
    return failExchange(context, unavailable(`A plugin answered with a content type that is not ${wanted}.`))
  }
  const headers = ownHeaders(answer.headers)
  const pace = new Pace()
  context.source = pace
  const body = stream
    ? new StreamReply(context, pace, headers, maxBytes, 'answered')
    : new JsonBody(context, headers, maxBytes, pace, 'answered')
  try {
    if (pieces instanceof Uint8Array) body.onData(Buffer.from(pieces))
    else if (!(await feed(context, pieces, pace, (piece) => body.onData(piece)))) return
    body.onEnd()
  } catch (cause) {
    body.onError(unavailable('A plugin could not finish its answer.', cause))
  }
}

/** Limits of an answer's silence and total time, milliseconds; the same as for a provider. */
const SILENCE_MS = 60_000
const WHOLE_MS = 900_000
/** Pieces to take before yielding to other exchanges. */
const IN_A_ROW = 64

/**
 * Takes a plugin's pieces one by one. Does not use `for await`, which waits for an iterator that may never end. Returns
 * false if the client no longer reads.
 */
async function feed(
  context: ReplyContext,
  pieces: AsyncIterable<Uint8Array>,
  pace: Pace,
  take: (piece: Buffer) => void,
): Promise<boolean> {
  const iterator = pieces[Symbol.asyncIterator]()
  const end = performance.now() + WHOLE_MS
  try {
    for (let taken = 1; ; taken++) {
      const { done, value } = await soon([iterator.next(), pace.gone], Math.min(SILENCE_MS, end - performance.now()))
      if (context.over) return false
      if (done === true) return true
      if (!(value instanceof Uint8Array)) throw new TypeError('A piece of an answer is no Uint8Array.')
      take(Buffer.from(value))
      if (pace.wait !== undefined) await pace.wait
      if (taken % IN_A_ROW === 0) await setImmediate()
    }
  } finally {
    leave(iterator)
  }
}

async function soon<T>(first: Promise<T>[], ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('An answer took too long.')), Math.max(0, ms))
  })
  try {
    return await Promise.race([...first, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Starts an iterator's cleanup without waiting for it. */
function leave(iterator: AsyncIterator<Uint8Array>): void {
  void (async () => await iterator.return?.())().catch(() => {})
}

const unavailable = (message: string, cause?: unknown): GatewayError =>
  new GatewayError('GW_GUARDRAIL_UNAVAILABLE', message, { cause })

/** Removes headers of the body and the connection: only the gateway sets them. */
function ownHeaders(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!isProtectedHeader(lower) && lower !== 'content-type' && isField(lower, value)) headers[lower] = value
  }
  return headers
}
