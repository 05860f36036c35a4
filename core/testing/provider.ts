/**
 * A provider that speaks chat completions in true wire format and follows a test's script, on a real socket.
 *
 * @example
 * const provider = await startProvider()
 * provider.reply(chat('Hello there'))               // JSON or stream, as the request asks
 * provider.reply(stream(chunks('Hi'), { eol: '\r\n', split: 'byte', done: false }))
 * // … send a request through the gateway to provider.url …
 * const request = await provider.next()
 * assert.equal(request.headers.authorization, 'Bearer upstream-key')
 * await provider.close()
 */
import { chat, json } from './provider/scripts.ts'
import { type RecordedRequest, type Script, type ScriptedServer, startScriptedServer } from './provider/server.ts'
import { errorBody, modelList } from './provider/wire.ts'

export type { Encoding } from './provider/encoding.ts'
export * from './provider/scripts.ts'
export { type Ending, early, type RecordedRequest, type Script, type ScriptedExchange } from './provider/server.ts'
export { comment, type Framing, frame, generator, named, Raw, raw, type Split } from './provider/sse.ts'
export * from './provider/wire.ts'

export interface Provider extends ScriptedServer {
  /** Base URL for an SDK or an upstream: `http://127.0.0.1:<port>/v1`. */
  readonly url: string
  /** Models listed by `GET /v1/models`. Default `gpt-test`. */
  models: readonly string[]
}

/**
 * Starts a provider on a free loopback port. `GET /v1/models` answers with `models`. Every other request takes the next
 * queued script; without one it answers `Hello from the provider` in the requested form.
 */
export async function startProvider(): Promise<Provider> {
  const state = { models: ['gpt-test'] as readonly string[] }
  const server = await startScriptedServer({
    fallback: answer,
    route: (request) => (isModelList(request) ? json(modelList(state.models)) : undefined),
  })
  return Object.defineProperties(server, {
    url: { value: `${server.origin}/v1`, enumerable: true },
    models: {
      get: () => state.models,
      set: (models: readonly string[]) => {
        state.models = models
      },
      enumerable: true,
    },
  }) as Provider
}

const isModelList = (request: RecordedRequest): boolean => request.method === 'GET' && request.url === '/v1/models'

const answer: Script = (exchange) => {
  const { method, url } = exchange.request
  if (method === 'POST' && url === '/v1/chat/completions') return chat('Hello from the provider')(exchange)
  const message = `Invalid URL (${method} ${url})`
  return json(errorBody(message, 'invalid_request_error', 'unknown_url'), { status: 404 })(exchange)
}
