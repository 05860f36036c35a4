/** A gateway with the bundled plugins, asked in one API shape, buffered or streamed. */
import assert from 'node:assert/strict'
import { definePlugin, type GovernanceEvent } from 'governed-gateway'
import { json, type RecordedRequest, type Script, stream } from '../../../core/testing/provider.ts'
import { bearer, LIMITED_KEY, type Owner, type PluginEntry, setup, USER_KEY } from '../../helpers/gateway.ts'
import { type Reply, send } from '../../helpers/http.ts'
import type { Adapter, Body } from './adapter.ts'

export const FORMS = ['buffered', 'streamed'] as const
export type Form = (typeof FORMS)[number]

export interface Told {
  readonly status: number
  readonly headers: Reply['headers']
  /** Everything that the client got. */
  readonly raw: string
  /** What the client reads as the model's text. */
  readonly text: string
  /** The JSON body of a buffered reply or of an error. */
  readonly body: Body
  /** The request as the provider got it; undefined if it was not asked. */
  readonly sent: RecordedRequest | undefined
  /** Types and payloads of the exchange's events. */
  readonly events: readonly GovernanceEvent[]
}

export interface Asking {
  /** The provider's text, in pieces; or a text made of what the provider was asked. */
  readonly answer?: readonly string[] | ((asked: string) => string)
  /** What the provider does instead. */
  readonly script?: Script
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string
}

/** Keys that each may send one request, by plugin and form. */
export const onceKey = (plugin: 'budget' | 'ratelimit', form: Form): string => `sk-test-once-${plugin}-${form}-0123`
const onceIds = (plugin: 'budget' | 'ratelimit'): string[] => FORMS.map((form) => `once-${plugin}-${form}`)
const onceKeys = (plugin: 'budget' | 'ratelimit') =>
  FORMS.map((form) => ({ id: `once-${plugin}-${form}`, key: onceKey(plugin, form) }))

const plugins = (pii: object): PluginEntry[] => [
  { use: 'watch' },
  { use: 'flags' },
  { use: 'sessions' },
  { use: 'ratelimit', options: { limits: [{ scope: 'key', requests_per_minute: 1, keys: onceIds('ratelimit') }] } },
  { use: 'classification', options: { rules: [{ name: 'figures', label: 'RESTRICTED', keywords: ['Quarterly'] }] } },
  { use: 'policy', options: { rules: [{ name: 'no-falcon', keywords: ['Project Falcon'], action: 'block' }] } },
  { use: 'secrets', options: { input: 'block' } },
  { use: 'injection', options: { action: 'block' } },
  { use: 'pii', options: pii },
  {
    use: 'budget',
    options: { limits: [{ scope: 'key', unit: 'requests', limit: 1, window: 'day', match: onceIds('budget') }] },
  },
]

export class Rig {
  readonly #adapter: Adapter
  readonly #parts: Awaited<ReturnType<typeof setup>>
  readonly #events: GovernanceEvent[]
  #waiting: { type: string; found: (event: GovernanceEvent) => void } | undefined

  private constructor(adapter: Adapter, parts: Awaited<ReturnType<typeof setup>>, events: GovernanceEvent[]) {
    this.#adapter = adapter
    this.#parts = parts
    this.#events = events
  }

  static async open(owner: Owner, adapter: Adapter, pii: object): Promise<Rig> {
    const events: GovernanceEvent[] = []
    const rig: { opened?: Rig } = {}
    const watch = definePlugin({
      name: 'watch',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => ({
        apply: (hooks) =>
          hooks.onEvent.tap('watch', (event) => {
            events.push(event)
            rig.opened?.note(event)
          }),
      }),
    })
    const parts = await setup(owner, {
      plugins: plugins(pii),
      specs: new Map([['watch', watch as never]]),
      upstream: { max_classification: 'CONFIDENTIAL' },
      config: {
        keys: [
          { id: 'user', key: USER_KEY, flags_allow: ['mode=*'] },
          { id: 'limited', key: LIMITED_KEY, models: ['other-*'] },
          ...onceKeys('budget'),
          ...onceKeys('ratelimit'),
        ],
      },
    })
    rig.opened = new Rig(adapter, parts, events)
    return rig.opened
  }

  note(event: GovernanceEvent): void {
    if (event.type !== this.#waiting?.type) return
    this.#waiting.found(event)
    this.#waiting = undefined
  }

  async ask(
    form: Form,
    text: string,
    { answer = ['Fine.'], script = this.#script(form, answer), headers = {}, key = USER_KEY }: Asking = {},
  ): Promise<Told> {
    const { gateway, provider } = this.#parts
    const before = { events: this.#events.length, requests: provider.requests.length }
    provider.otherwise(script)
    const reply = await send(gateway.url + this.#adapter.path, {
      body: this.#request(form, text),
      headers: { ...bearer(key), ...headers },
    })
    const raw = await reply.text()
    const isStream = reply.headers['content-type']?.startsWith('text/event-stream') === true
    const body = isStream ? undefined : JSON.parse(raw)
    return {
      status: reply.status,
      headers: reply.headers,
      raw,
      text: reply.status === 200 ? this.#read(isStream, raw, body) : '',
      body,
      sent: provider.requests[before.requests],
      events: this.#events.slice(before.events),
    }
  }

  /**
   * Asks, and leaves as soon as the provider got the request, or with the first bytes of these pieces. Returns how both sides
   * ended.
   */
  async askAndLeave(
    form: Form,
    text: string,
    pieces?: readonly string[],
  ): Promise<{ ending: string; event: GovernanceEvent }> {
    const { gateway, provider } = this.#parts
    const { promise, resolve } = Promise.withResolvers<GovernanceEvent>()
    this.#waiting = { type: 'stream.aborted', found: resolve }
    const arrived = Promise.withResolvers<RecordedRequest>()
    provider.otherwise(async (exchange) => {
      arrived.resolve(exchange.request)
      const { events } = this.#adapter.stream ?? {}
      if (pieces && events) await stream(events(pieces).slice(0, -1), { done: false, end: 'hang' })(exchange)
      else await exchange.request.closed
    })
    const leave = new AbortController()
    const options = { body: this.#request(form, text), headers: bearer(USER_KEY), signal: leave.signal }
    const asking = send(gateway.url + this.#adapter.path, options)
    const request = await arrived.promise
    if (pieces) await (await asking).read()
    leave.abort()
    await asking.catch(() => undefined)
    return { ending: await request.closed, event: await promise }
  }

  /** The text as the provider got it. */
  asked({ sent }: Told): string {
    assert.ok(sent, 'the provider was asked')
    return this.#adapter.asked(sent.json)
  }

  #request(form: Form, text: string): object {
    return { ...this.#adapter.request(text), ...(form === 'streamed' && { stream: true }) }
  }

  #script(form: Form, answer: NonNullable<Asking['answer']>): Script {
    const { stream: streaming, reply, asked } = this.#adapter
    return (exchange) => {
      const pieces = typeof answer === 'function' ? [...answer(asked(exchange.request.json))] : answer
      if (form === 'buffered' || streaming === undefined) return json(reply(pieces.join('')))(exchange)
      return stream(streaming.events(pieces), { split: 'byte', done: streaming.done })(exchange)
    }
  }

  #read(isStream: boolean, raw: string, body: Body): string {
    const { stream: streaming, textOf } = this.#adapter
    return isStream ? (streaming?.textOf(eventsOf(raw)) ?? '') : (textOf?.(body) ?? '')
  }
}

/** The JSON of every event. */
export const eventsOf = (raw: string): Body[] =>
  raw.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
