/** What the tests of messages share: requests, and what a client makes of a reply. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type JsonObject, raw, type Split, type Step, stream } from '../../../../../core/testing/provider.ts'
import type { Running } from '../../../../helpers/core.ts'
import { barrier, bearer, type TestGateway, USER_KEY } from '../../../../helpers/gateway.ts'
import { type Reply, type SendOptions, send } from '../../../../helpers/http.ts'

export const MODEL = 'claude-test'
export const WORD = 'anna.berg@example.com'

const FIXTURES = new URL('../../../../fixtures/anthropic/', import.meta.url)
export const fixture = (name: string): string => readFileSync(new URL(name, FIXTURES), 'utf8')

/** The body of a recorded request. */
export function recorded(name: string): JsonObject {
  const { $headers, $query, ...body } = JSON.parse(fixture(`${name}.request.json`)) as JsonObject
  return body
}

export const request = (more: object = {}): JsonObject => ({
  model: MODEL,
  max_tokens: 64,
  messages: [{ role: 'user', content: 'Hello' }],
  ...more,
})

export const ask = (gateway: TestGateway, body: unknown = request(), options: SendOptions = {}): Promise<Reply> =>
  send(`${gateway.baseURL}/messages`, {
    ...options,
    body,
    headers: { ...bearer(USER_KEY), 'content-type': 'application/json', ...options.headers },
  })

export interface Block {
  readonly type: string
  text?: string
  thinking?: string
  signature?: string
  input?: unknown
  json?: string
  name?: string
  stopped?: boolean
  citations?: unknown[]
}

export interface Event {
  readonly type: string
  readonly index?: number
  readonly message?: JsonObject & { content: Block[] }
  readonly content_block?: Block
  readonly delta?: Record<string, string | null | object>
  readonly usage?: JsonObject
  readonly service?: { readonly action: string; readonly warnings?: string[]; readonly reason?: string }
  readonly error?: {
    readonly type: string
    readonly message: string
    readonly details?: JsonObject
    readonly reason?: string
  }
  readonly request_id?: string
}

/** Events of a stream. Each is named in a line of its own, as the SDKs need it. */
export const eventsOf = (text: string): Event[] =>
  text === ''
    ? []
    : text
        .replace(/\n\n$/, '')
        .split('\n\n')
        .map((block) => {
          const [, name, data] = /^event: ([a-z_.]+)\ndata: ([^\r\n]+)$/.exec(block) ?? []
          assert.ok(data !== undefined, `not an event: ${JSON.stringify(block)}`)
          const event = JSON.parse(data) as Event
          assert.equal(event.type, name)
          return event
        })

/** What a strict client puts together from a stream; fails on blocks out of order. */
export function together(text: string) {
  const events = eventsOf(text)
  const blocks: Block[] = []
  let began = false
  let stop: unknown
  let service: Event['service']
  let error: Event['error']
  let usage: JsonObject = {}
  let ended = false
  for (const event of events) {
    assert.ok(!ended, 'an event after the last one')
    const { type, index, delta } = event
    const block = index === undefined ? undefined : blocks[index]
    if (type.startsWith('content_block_')) assert.ok(began, 'a block before the message')
    if (type === 'message_start') {
      assert.ok(!began)
      began = true
      blocks.push(...(event.message?.content ?? []))
      usage = { ...(event.message?.usage as JsonObject) }
    } else if (type === 'content_block_start') {
      assert.equal(index, blocks.length)
      blocks.push({ ...(event.content_block as Block) })
    } else if (type === 'content_block_delta') {
      assert.ok(block !== undefined && !block.stopped, 'a delta of a block that is not open')
      if (delta?.type === 'text_delta') block.text += delta.text as string
      else if (delta?.type === 'thinking_delta') block.thinking += delta.thinking as string
      else if (delta?.type === 'signature_delta') block.signature = delta.signature as string
      else if (delta?.type === 'input_json_delta') block.json = (block.json ?? '') + (delta.partial_json as string)
      else if (delta?.type === 'citations_delta') block.citations = [...(block.citations ?? []), delta.citation]
    } else if (type === 'content_block_stop') {
      assert.ok(block !== undefined && !block.stopped, 'a block that ends twice')
      block.stopped = true
      if (block.json !== undefined && block.json !== '') block.input = JSON.parse(block.json)
    } else if (type === 'message_delta') {
      stop = delta?.stop_reason
      usage = { ...usage, ...event.usage }
      service = event.service ?? service
    } else if (type === 'message_stop') ended = true
    else if (type === 'error') {
      error = event.error
      service = event.service
      ended = true
    }
  }
  const said = blocks.map(({ text: words }) => words ?? '').join('')
  return { events, blocks, text: said, stop, service, error, usage, ended }
}

/** Asks once with this stream as the provider's answer. */
export async function streamed(parts: Running, steps: readonly Step[], more: object = {}, split: Split = 'event') {
  parts.provider.reply(stream(steps, { done: false, split }))
  const reply = await ask(parts.gateway, request({ stream: true, ...more }))
  const text = await reply.text()
  if (reply.status !== 200) {
    return { status: reply.status, body: JSON.parse(text) as Event, raw: text, headers: reply.headers, ...together('') }
  }
  return { status: 200, body: undefined, raw: text, headers: reply.headers, ...together(text) }
}

export const bytesOf = (text: string) => raw(text)

/** What the client has while the provider pauses behind the first steps, and what it has in the end. */
export async function inTwo({ provider, gateway }: Running, first: readonly Step[], then: readonly Step[]) {
  const [there, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  provider.reply(stream([...first, () => there.resolve(), go.promise, ...then], { done: false }))
  const reply = await ask(gateway, request({ stream: true }))
  let all = ''
  const end = (async () => {
    for (let bytes = await reply.read(); bytes !== undefined; bytes = await reply.read()) all += bytes.toString()
  })()
  await there.promise
  await barrier(gateway)
  const early = all
  go.resolve()
  await end
  return [early, all] as const
}
