import { GatewayError } from '../errors.ts'
import { isEventStream, isJson } from '../media-type.ts'
import type { Answer } from '../plugin.ts'
import type { ReplyContext } from './context.ts'
import { failExchange } from './endings.ts'
import { isField, isProtectedHeader } from './headers.ts'
import { JsonBody } from './relay.ts'
import type { Source } from './source.ts'
import { StreamReply } from './stream.ts'

/** Lets a plugin's pieces wait for a client that reads slowly. */
class Pace implements Source {
  /** Settles when the client has caught up; undefined while it keeps up. */
  wait: Promise<void> | undefined = undefined
  #go: (() => void) | undefined = undefined

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
    this.resume()
  }
}

/** Sends an answer that a plugin gave instead of the model, through the same inspection. */
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
    else {
      for await (const piece of pieces) {
        if (context.over) return
        body.onData(Buffer.from(piece))
        if (pace.wait !== undefined) await pace.wait
      }
    }
    body.onEnd()
  } catch (cause) {
    body.onError(unavailable('A plugin could not finish its answer.', cause))
  }
}

const unavailable = (message: string, cause?: unknown): GatewayError =>
  new GatewayError('GW_GUARDRAIL_UNAVAILABLE', message, { cause })

/** What describes the body or the connection is the gateway's to say. */
function ownHeaders(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (!isProtectedHeader(lower) && lower !== 'content-type' && isField(lower, value)) headers[lower] = value
  }
  return headers
}
