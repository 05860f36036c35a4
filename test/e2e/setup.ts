/** What the tests of all real clients share. */
import assert from 'node:assert/strict'
import {
  apiError,
  chunks,
  type Described,
  html,
  json,
  rateLimited,
  raw,
  type Script,
  stream,
} from '../../core/testing/provider.ts'
import { type Owner, type Setup, setup, type TestGatewayOptions } from '../helpers/gateway.ts'
import { pluginsFor } from './plugins.ts'

/** The word that the policy of these tests forbids, in prompts and in replies. */
export const FORBIDDEN = 'FORBIDDEN'
/** Longer than what a detector may hold back, so that a client has seen text before the block. */
export const CLEAN = 'All is well and nothing here needs a second look. '.repeat(8)
export const BLOCKED_LATE = `${CLEAN}Now ${FORBIDDEN} and more.`
export const REASON = /forbidden word/i

/** The plugins of the default config, with one rule; see `pluginsFor` for others. */
export function start(owner: Owner, config: TestGatewayOptions['config'] = {}): Promise<Setup> {
  const chosen = pluginsFor({ keywords: [FORBIDDEN], reason: 'A forbidden word was used' })
  return setup(owner, {
    plugins: chosen.plugins,
    config: {
      listen: { host: '127.0.0.1', port: 0, drain_seconds: 1, max_body_bytes: 65_536 },
      ...chosen.config,
      ...config,
    },
  })
}

export const WEATHER_ARGUMENTS = '{"city":"São Paulo","days":3,"note":"say \\"hi\\""}'
/** A reply with two tool calls. */
export const TOOL_CALLS: Described = {
  choices: [
    {
      toolCalls: [
        { name: 'get_weather', arguments: WEATHER_ARGUMENTS, id: 'call_a' },
        { name: 'get_time', arguments: '{}', id: 'call_b' },
      ],
    },
  ],
}

/** Errors of the provider, and what every client must be told. */
export const PROVIDER_ERRORS: readonly { name: string; script: () => Script; status: number; message: RegExp }[] = [
  { name: '400', script: () => apiError(400, { message: 'Bad thing' }), status: 400, message: /Bad thing/ },
  { name: '404', script: () => apiError(404, { message: 'No such model' }), status: 404, message: /No such model/ },
  { name: '409', script: () => apiError(409, { message: 'Held by another' }), status: 409, message: /Held by/ },
  { name: '422', script: () => apiError(422, { message: 'Odd entity' }), status: 422, message: /Odd entity/ },
  { name: '429', script: () => rateLimited('7'), status: 429, message: /Rate limit/ },
  // The gateway's own key is wrong: not the fault of the client, and never shown as such.
  { name: '401', script: () => apiError(401), status: 403, message: /\S/ },
  { name: '403', script: () => apiError(403), status: 403, message: /\S/ },
  { name: '500 as HTML', script: () => html(500), status: 500, message: /\S/ },
  { name: '503 as HTML', script: () => html(503), status: 503, message: /\S/ },
  {
    name: 'an error under 200',
    script: () => json({ error: { message: 'Something broke inside' } }),
    status: 502,
    message: /Something broke inside/,
  },
]

const half = chunks(CLEAN).slice(0, 40)
const torn = [...half, raw('data: {"id":"chatcm')]
/** Every way in which a provider fails to finish its stream; the client has seen some text before. */
export const CUT_STREAMS: Readonly<Record<string, Script>> = {
  'connection closed between events': stream(half, { done: false, end: 'close' }),
  'connection closed inside an event': stream(torn, { done: false, end: 'close' }),
  'connection reset': stream(half, { done: false, end: 'reset' }),
  'clean end without a finish': stream(half, { done: false }),
  'clean end inside an event': stream(torn, { done: false }),
}

/** A message that tells a person something, and not the provider's page or secrets. */
export function assertReadable(message: string): void {
  assert.match(message, /[A-Za-z]{3,} [A-Za-z]/, `not a sentence: ${message}`)
  assert.doesNotMatch(message, /<html|undefined|\[object|sk-test/)
}
