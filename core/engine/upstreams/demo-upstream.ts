import type { UpstreamConfig } from '../config/types.ts'
import type { JsonObject } from '../json/strict.ts'
import { ANSWERS } from './demo-answers.ts'
import type { Upstream } from './http-upstream.ts'
import type { Sink, Source, UpstreamRequest } from './source.ts'

/** The built-in model: answers in this process, through the same relay as a provider. */
export class DemoUpstream implements Upstream {
  readonly name: string
  readonly config: UpstreamConfig
  readonly headers = {}

  constructor(name: string, config: UpstreamConfig) {
    this.name = name
    this.config = config
  }

  send(request: UpstreamRequest, sink: Sink): Source {
    const answers = request.method === 'POST' ? ANSWERS[request.path] : undefined
    if (answers === undefined) return new DemoSource(404, false, [NO_SUCH], sink)
    const body = JSON.parse(request.body.toString('utf8')) as JsonObject
    const { stream, namesEvents = false } = answers
    if (body.stream !== true || stream === undefined) {
      return new DemoSource(200, false, [JSON.stringify(answers.reply(body))], sink)
    }
    return new DemoSource(200, true, framed(stream(body), namesEvents), sink)
  }

  async close(): Promise<void> {}
}

const NO_SUCH = JSON.stringify({
  error: {
    message: 'The demo model answers chats, messages, responses and completions, and keeps nothing.',
    type: 'invalid_request_error',
    param: null,
    code: 'unknown_url',
  },
})

class DemoSource implements Source {
  readonly #events: Iterator<string>
  readonly #sink: Sink
  #paused = false
  #over = false
  #scheduled: NodeJS.Immediate | undefined = undefined

  constructor(status: number, stream: boolean, events: Iterable<string>, sink: Sink) {
    this.#sink = sink
    this.#events = events[Symbol.iterator]()
    this.#scheduled = setImmediate(() => {
      sink.onHeaders(status, { 'content-type': stream ? 'text/event-stream; charset=utf-8' : 'application/json' })
      this.#next()
    })
  }

  #next(): void {
    this.#scheduled = undefined
    if (this.#paused || this.#over) return
    const { value, done } = this.#events.next()
    if (done === true) {
      this.#over = true
      this.#sink.onEnd()
      return
    }
    this.#sink.onData(Buffer.from(value))
    if (!this.#over) this.#scheduled ??= setImmediate(() => this.#next())
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#scheduled ??= setImmediate(() => this.#next())
  }

  abort(): void {
    this.#over = true
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled)
  }
}

function* framed(payloads: Iterable<string>, namesEvents: boolean): Generator<string, undefined> {
  for (const payload of payloads) {
    const name = namesEvents ? `event: ${(JSON.parse(payload) as { type: string }).type}\n` : ''
    yield `${name}data: ${payload}\n\n`
  }
  return undefined
}
