/**
 * A scripted HTTP receiver for webhooks.
 *
 * @example
 * const receiver = await startReceiver()
 * receiver.reply(respond(503, '', { 'retry-after': '1' }), respond(204))
 * // … make something deliver to receiver.url …
 * assert.deepEqual((await receiver.next()).json, […])
 * await receiver.close()
 */
import { type Script, type ScriptedServer, startScriptedServer } from './provider/server.ts'

export interface Receiver extends ScriptedServer {
  /** `http://127.0.0.1:<port>/hook`; other paths are answered, too. */
  readonly url: string
}

/** Starts a receiver on a free loopback port. It answers 200 with an empty body if no script is queued. */
export async function startReceiver(): Promise<Receiver> {
  const server = await startScriptedServer({ fallback: respond(200) })
  return Object.defineProperties(server, {
    url: { value: `${server.origin}/hook`, enumerable: true },
  }) as Receiver
}

/**
 * Answers with a status and a body; an object becomes JSON. With `until`, first waits for that promise: a slow receiver
 * without a timer.
 */
export const respond =
  (
    status: number,
    body: string | object = '',
    headers: Readonly<Record<string, string>> = {},
    until?: PromiseLike<unknown>,
  ): Script =>
  async (exchange) => {
    if (until) await exchange.wait(until)
    if (exchange.over) return
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    exchange.response.writeHead(status, { ...(text !== '' && { 'content-type': type }), ...headers })
    exchange.response.end(text)
  }
