/** What a client gets when the provider's stream fails: before its first event an HTTP error, later an error event. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { chunk, chunks, delta, json, named, raw, type Script, type Step, stream } from '../../core/testing/provider.ts'
import { assertError, type WireError } from '../helpers/errors.ts'
import { setup } from '../helpers/gateway.ts'
import type { Reply } from '../helpers/http.ts'
import { LARGE_JSON } from '../helpers/large-json.ts'
import { seenStream } from '../helpers/replies.ts'
import { assertValid } from '../helpers/schemas.ts'
import { ask, forEachConfig, TEXT } from '../helpers/streams.ts'

/** Asserts the catalogue's error in place of a stream. */
function fails(name: string, script: () => Script, code: Parameters<typeof assertError>[1], more: object = {}): void {
  forEachConfig(name, async (t, plugins) => {
    const parts = await setup(t, { plugins })
    await assertError(await ask(parts, script(), more), code)
  })
}

/** Asserts what came until the provider failed, then an error event, and an end without `[DONE]`. */
async function assertBroken(reply: Reply, code: string, whole: string): Promise<void> {
  assert.equal(reply.status, 200)
  const events = await reply.events()
  const last = JSON.parse(events.pop() ?? 'null') as { error: WireError }
  assertValid('error-body', last)
  assert.equal(last.error.type, 'upstream_error')
  assert.equal(last.error.code, code)
  assert.equal(last.error.request_id, reply.headers['x-request-id'])
  const seen = seenStream(200, events)
  assert.equal(seen.error, undefined)
  assert.equal(seen.done, false)
  assert.ok(seen.choices.every((choice) => choice.finish === null))
  const text = seen.choices[0]?.content ?? ''
  assert.ok(text.length > 0 && whole.startsWith(text), `not the beginning: ${text}`)
}

const plain = chunks(TEXT)

describe('streaming: a provider that dies is never a success', () => {
  const half = chunks(TEXT.repeat(3)).slice(0, 40)
  const torn: Step[] = [...half, raw('data: {"id":"chatcmpl-1","object":"chat.com')]
  const deaths: Record<string, () => Script> = {
    'closed between events': () => stream(half, { done: false, end: 'close' }),
    'closed inside an event': () => stream(torn, { done: false, end: 'close' }),
    'reset between events': () => stream(half, { done: false, end: 'reset' }),
    'reset inside an event': () => stream(torn, { done: false, end: 'reset' }),
    'a clean end without a finish': () => stream(half, { done: false }),
    'a clean end inside an event': () => stream(torn, { done: false }),
    'closed inside gzip': () => stream(half, { done: false, end: 'close', encoding: 'gzip' }),
  }
  for (const [name, script] of Object.entries(deaths)) {
    forEachConfig(name, async (t, plugins) => {
      const parts = await setup(t, { plugins })
      await assertBroken(await ask(parts, script()), 'upstream_disconnected', TEXT.repeat(3))
    })
  }

  forEachConfig('one of two choices never finished', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const content = TEXT.repeat(3)
    const steps = [delta({ role: 'assistant', content }), delta({ content: 'b' }, 1), delta({}, 0, 'stop')]
    const events = await (await ask(parts, stream(steps, { done: false }), { n: 2 })).events()
    assert.equal(JSON.parse(events.at(-1) ?? '').error.code, 'upstream_disconnected')
  })

  forEachConfig('an event that is not JSON', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    await assertBroken(
      await ask(parts, stream([...half, '<html>oops</html>'])),
      'upstream_invalid_response',
      TEXT.repeat(3),
    )
  })

  for (const [name, large] of Object.entries(LARGE_JSON)) {
    forEachConfig(`an event with ${name}`, async (t, plugins) => {
      const parts = await setup(t, { plugins })
      const event = JSON.stringify(delta({ content: 'late', x: null })).replace('null', large)
      await assertBroken(await ask(parts, stream([...half, event])), 'upstream_invalid_response', TEXT.repeat(3))
    })
  }

  forEachConfig('silence in mid-stream', async (t, plugins) => {
    const parts = await setup(t, { plugins, upstream: { idle_timeout_seconds: 0.2 } })
    const reply = await ask(parts, stream(half, { done: false, end: 'hang' }))
    await assertBroken(reply, 'upstream_timeout', TEXT.repeat(3))
    assert.equal(await (await parts.provider.next()).closed, 'aborted')
  })

  forEachConfig('a stream without end', async (t, plugins) => {
    const parts = await setup(t, { plugins, upstream: { total_timeout_seconds: 0.4 } })
    const reply = await ask(parts, stream(half, { done: false, end: 'hang' }))
    await assertBroken(reply, 'upstream_timeout', TEXT.repeat(3))
  })

  const error = { message: 'The model is overloaded', type: 'overloaded_error', code: 'overloaded', param: null }
  const errors: Record<string, Step> = {
    'an error event': { error },
    'an error event with a name': named('error', { error }),
    'an error event with a name and no `error`': named('error', error),
    'an error in a word': { error: error.message },
    'an error beside choices': chunk([], { error }),
  }
  for (const [name, event] of Object.entries(errors)) {
    for (const ends of [true, false])
      forEachConfig(`${name} is told and ends the stream${ends ? '' : ' without [DONE]'}`, async (t, plugins) => {
        const parts = await setup(t, { plugins })
        const late = delta({ content: 'late' })
        const events = await (await ask(parts, stream([...half, event, late], { done: ends }))).events()
        // The provider's own [DONE] may pass; none is made up, and nothing else follows the error.
        if (!ends) assert.ok(!events.includes('[DONE]'))
        else if (events.at(-1) === '[DONE]') events.pop()
        const last = JSON.parse(events.at(-1) ?? '')
        assertValid('error-body', last)
        assert.match(last.error.message, /The model is overloaded/)
        assert.equal(events.filter((one) => one.includes('"error"')).length, 1)
        const seen = seenStream(200, events.slice(0, -1))
        assert.ok(TEXT.repeat(3).startsWith(seen.choices[0]?.content ?? '?'))
      })
  }

  forEachConfig('an error event before anything else is an HTTP error', async (t, plugins) => {
    const parts = await setup(t, { plugins })
    const reply = await ask(parts, stream([{ error }]))
    assert.equal(reply.status, 502)
    assertValid('error-body', await reply.json())
  })

  fails('closed before the first event', () => stream([], { done: false, end: 'close' }), 'GW_UPSTREAM_DISCONNECTED')
  fails('a stream with nothing in it', () => stream([], { done: false }), 'GW_UPSTREAM_DISCONNECTED')
  fails('an unknown encoding', () => stream(plain, { encoding: 'unknown' }), 'GW_UPSTREAM_INVALID')
  fails('JSON where a stream was asked for', () => json({ id: 'x', choices: [] }), 'GW_UPSTREAM_INVALID')
  fails('a stream where JSON was asked for', () => stream(plain), 'GW_UPSTREAM_INVALID', { stream: false })
})
