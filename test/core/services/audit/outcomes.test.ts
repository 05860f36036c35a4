import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definePlugin, Stage } from 'governed-gateway'
import type { GovernanceEvent, PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { apiError, chunks, completion, hang, hangUp, type Script, stream } from '../../../../core/testing/provider.ts'
import { assertChained } from '../../../helpers/chain.ts'
import { NO_OPTIONS } from '../../../helpers/core.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, LIMITED_KEY, post, type Setup, setup } from '../../../helpers/gateway.ts'
import { until } from '../../../helpers/until.ts'
import { isTerminal, reader, trail } from './faults.ts'

const bytesOf = (streamed: boolean): string =>
  streamed
    ? `${chunks('From the cache')
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join('')}data: [DONE]\n\n`
    : JSON.stringify(completion('From the cache'))

/** Does what the prompt says. */
const moods = definePlugin({
  name: 'moods',
  schema: NO_OPTIONS,
  create: () => ({
    apply(hooks) {
      hooks.preRequest.tap('moods', async (x) => {
        await Promise.resolve()
        return says(x, 'reject') ? { error: 'GW_RATE_LIMITED', message: 'Too many', retryAfter: 1 } : undefined
      })
      hooks.block.tap('moods', (x) => (says(x, 'block') ? { reason: 'As asked' } : undefined))
      hooks.block.tap({ name: 'moods', stage: Stage.Final }, (x) => {
        if (!says(x, 'answer')) return undefined
        const contentType = x.request.stream ? 'text/event-stream' : 'application/json'
        return { answer: { contentType, body: Buffer.from(bytesOf(x.request.stream)) } }
      })
      hooks.onChunk.tap('moods', (views, x) => {
        if (views.some(({ text }) => text.includes('forbidden'))) x.reply.block({ reason: 'Forbidden' })
      })
      hooks.postResponse.tap('moods', async () => {
        await new Promise((resolve) => setImmediate(resolve))
      })
    },
  }),
}) as PluginSpec

const says = (x: { request: { json: object } }, word: string): boolean => JSON.stringify(x.request.json).includes(word)

interface Case {
  readonly what: string
  readonly script?: Script
  readonly say?: string
  readonly key?: string
  /** Leaves when the provider has the request, or after the first bytes. */
  readonly leaves?: 'waiting' | 'reading'
  readonly flags?: string
  readonly terminal: string
  readonly streamedOnly?: boolean
}

const cases: readonly Case[] = [
  { what: 'a whole reply', terminal: 'request.completed' },
  { what: 'with mode=off', flags: 'mode=off', terminal: 'request.completed' },
  { what: 'a block under monitor', say: 'block', flags: 'mode=monitor', terminal: 'request.completed' },
  { what: 'a rejection', say: 'reject', terminal: 'request.rejected' },
  { what: 'a model that the key may not use', key: LIMITED_KEY, terminal: 'request.rejected' },
  { what: 'a block', say: 'block', terminal: 'request.blocked' },
  { what: 'an answer without the model', say: 'answer', terminal: 'request.completed' },
  { what: 'an error of the provider', script: apiError(500), terminal: 'upstream.failed' },
  { what: 'a provider that hangs up', script: hangUp('reset'), terminal: 'upstream.failed' },
  {
    what: 'a block before the first byte',
    script: (x) =>
      (x.request.json as { stream?: boolean }).stream
        ? stream(chunks('forbidden'))(x)
        : x.response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify(completion('forbidden'))),
    terminal: 'response.blocked',
  },
  { what: 'a client that leaves early', script: hang(), leaves: 'waiting', terminal: 'stream.aborted' },
  {
    what: 'a client that leaves in mid-stream',
    script: stream([...chunks('Hello there').slice(0, 2)], { end: 'hang', done: false }),
    leaves: 'reading',
    terminal: 'stream.aborted',
    streamedOnly: true,
  },
  {
    what: 'a block in mid-stream',
    script: stream(chunks('This is quite a long reply that turns forbidden at its end')),
    terminal: 'response.blocked',
    streamedOnly: true,
  },
  {
    what: 'a provider that dies in mid-stream',
    script: stream(chunks('This is cut').slice(0, 2), { end: 'reset', done: false }),
    terminal: 'upstream.failed',
    streamedOnly: true,
  },
]

const specs = new Map([moods, reader].map((spec) => [spec.name, spec]))
const plugins = [{ use: 'flags' }, { use: 'moods' }, { use: 'reader' }]

/** Lives one exchange; returns its id once its terminal event was told. */
async function live({ gateway, provider }: Setup, one: Case, streamed: boolean): Promise<string> {
  const ended = () => gateway.log.filter(({ event }) => event !== undefined && isTerminal(event as GovernanceEvent))
  const before = ended().length
  const arrived = Promise.withResolvers<void>()
  const { script } = one
  if (script !== undefined) {
    provider.reply((x) => {
      arrived.resolve()
      return script(x)
    })
  }
  const leave = new AbortController()
  const key = one.key === undefined ? {} : { authorization: `Bearer ${one.key}` }
  const model = one.key === undefined ? {} : { model: 'other' }
  const asked = post(gateway, asking(one.say ?? 'Hello', { stream: streamed, ...model }), {
    signal: leave.signal,
    headers: { ...key, ...(one.flags && { 'x-service-flags': one.flags }) },
  })
  if (one.leaves === 'waiting') {
    asked.catch(() => {})
    await arrived.promise
    leave.abort()
  } else {
    const reply = await asked
    if (one.leaves === 'reading') {
      await reply.read()
      reply.destroy()
    } else await reply.text()
  }
  await until(() => ended().length > before)
  const events = ended().slice(before) as { event: GovernanceEvent }[]
  assert.deepEqual(
    events.map(({ event }) => event.type),
    [one.terminal],
  )
  return String(events[0]?.event.request_id)
}

test('every exchange has one last event in the log, whatever becomes of it; the chain verifies', async (t) => {
  const path = temporaryFolder()
  const config = {
    store: `file:${path}`,
    keys: [
      { id: 'user', key: 'sk-test-user-key-0123456789', flags_allow: ['mode=off', 'mode=monitor'] },
      { id: 'limited', key: LIMITED_KEY, models: ['gpt-*'] },
    ],
  }
  const parts = await setup(t, { plugins, specs, config })
  const expected: [string, string, string][] = []
  for (const one of cases) {
    for (const streamed of one.streamedOnly ? [true] : [false, true]) {
      const id = await live(parts, one, streamed)
      expected.push([`${one.what}, streamed: ${streamed}`, id, one.terminal])
    }
  }
  await parts.gateway.close()
  const records = await trail(path)
  const actual = expected.map(([what, id]) => {
    const types = records.filter((record) => record.request_id === id && isTerminal(record)).map(({ type }) => type)
    return [what, id, types.join(' and ')]
  })
  assert.deepEqual(actual, expected)
  assert.equal(records.filter(isTerminal).length, expected.length)
  assertChained(records)
  assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
  const own = records.map(({ type }) => String(type)).filter((type) => type.startsWith('service.'))
  assert.deepEqual(own, ['service.started', 'service.stopped'])
})
