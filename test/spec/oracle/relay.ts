/** Several upstreams in one provider: the first fails now and then, the second takes over, and the third gets copies. */
import type { PluginEntry } from '../../helpers/gateway.ts'
import type { Asked, FakeProvider, Said } from './provider.ts'

const FAILURES: readonly ((text: string) => Said | undefined)[] = [
  () => undefined,
  (message) => failing(503, { error: { message, type: 'server_error', code: message.slice(0, 60), param: null } }),
  (message) => failing(429, { error: { message }, request_id: message, detail: [message] }),
  (message) => ({
    status: 500,
    headers: { 'content-type': 'text/html', 'retry-after': '0' },
    pieces: [Buffer.from(message)],
  }),
  () => ({ status: 200, headers: { 'content-type': 'application/json' }, pieces: [], resets: true }),
]

const failing = (status: number, body: object): Said => ({
  status,
  headers: { 'content-type': 'application/json', 'retry-after': '0' },
  pieces: [Buffer.from(JSON.stringify(body))],
})

/** Keeps what the copies say. */
export function relaying(provider: FakeProvider, copies: string[]): FakeProvider {
  let turn = 0
  return {
    ...provider,
    get asked() {
      return provider.asked
    },
    expect(say) {
      provider.expect((asked: Asked): Said => {
        const reply = say({ ...asked, url: asked.url.replace(/^\/(?:spare|shadow)/, '') })
        if (asked.url.startsWith('/shadow'))
          copies.push(`${JSON.stringify({ ...asked.headers, authorization: '' })} ${asked.body}`)
        if (!asked.url.startsWith('/v1')) return reply
        turn += 1
        const text = Buffer.concat(reply.pieces).toString()
        return FAILURES[turn % FAILURES.length]?.(text) ?? reply
      })
    },
  }
}

/** Members of the config, and a plugin that takes notes of it all. */
export const relayConfig = (url: string, key: string, shapes: readonly string[]): object => {
  const { origin } = new URL(url)
  return {
    upstreams: {
      spare: { url: `${origin}/spare/v1`, key, shapes, idle_timeout_seconds: 3 },
      shadow: { url: `${origin}/shadow/v1`, key, shapes },
    },
    routes: [
      {
        model: '*',
        to: ['scripted', 'spare'],
        may_charge_twice: true,
        mirror: { upstream: 'shadow', share: 1, max_concurrent: 100 },
      },
    ],
  }
}

export const notes = (host: string): PluginEntry => ({
  use: 'otel',
  options: { endpoint: `http://${host}`, encoding: 'json', sample_ratio: 1, record_prompts: true, flush_seconds: 0.1 },
})
