/** How a stream ends that a policy blocks, that a plugin cuts, or that fails. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw, stream } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, word } from '../../../../helpers/core.ts'
import { eventsOf, fixture, framesOf, message, respond, streamed } from './responding.ts'

const CLEAN = 'All is well and nothing here needs a second look. '.repeat(8)
const late = message([CLEAN, 'a sec', 'ret.'])

describe('a streamed response ends', () => {
  it('by a block with an error in both forms, then as failed with what was released', async (t) => {
    const parts = await running(t, [word('secret', 'block')])
    const { status, text, events } = await streamed(parts, late)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /secret|ret\./)
    const [error, failed] = framesOf(text).slice(-2)
    assert.deepEqual([error?.name, failed?.name], ['error', 'response.failed'])
    assert.deepEqual([error?.data.code, error?.data.error.code], ['permission_denied', 'permission_denied'])
    assert.equal(error?.data.message, error?.data.error.message)
    const { response } = failed?.data ?? {}
    assert.deepEqual([response.status, response.error.code, response.id], ['failed', 'invalid_prompt', 'resp_a1'])
    assert.equal(response.error.message, error?.data.message)
    const shown = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
    assert.equal(response.output[0].content[0].text, shown.join(''))
    assert.equal(response.output[0].status, 'incomplete')
    assert.ok(response.service.blocked)
  })

  it('by a block as incomplete, if the config says so', async (t) => {
    const parts = await running(t, [word('secret', 'block')], { config: { stream: { block_signal: 'finish_reason' } } })
    const { text, events } = await streamed(parts, late)
    assert.doesNotMatch(text, /secret/)
    const { type, response } = events.at(-1)
    assert.deepEqual([type, response.incomplete_details], ['response.incomplete', { reason: 'content_filter' }])
    assert.ok(response.output[0].content[0].text.startsWith('All is well'))
  })

  it('by a plugin as incomplete at the token limit', async (t) => {
    const cuts: Plugin = {
      apply: (hooks) => {
        hooks.onChunk.tap('cuts', (views, x) => {
          if (views.some((view) => view.text.includes('well'))) x.reply.truncate()
        })
      },
    }
    const parts = await running(t, [cuts])
    const { events } = await streamed(parts, late)
    const { type, response } = events.at(-1)
    assert.deepEqual([type, response.incomplete_details], ['response.incomplete', { reason: 'max_output_tokens' }])
  })

  it('by an error that SDKs throw, if the exchange is cancelled, as when its key is revoked', async (t) => {
    let cancel: () => void = () => assert.fail('no exchange')
    const revokes: Plugin = {
      apply: (hooks) => {
        hooks.preRequest.tap('revokes', (x) => {
          cancel = () => x.cancel({ error: 'GW_INVALID_KEY', message: 'The API key is not valid.' })
        })
      },
    }
    const { provider, gateway } = await running(t, [revokes])
    const [created, ...rest] = late
    const arrived = Promise.withResolvers<void>()
    provider.reply(stream([created as never, arrived.promise, ...(rest as never[])], { done: false }))
    const reply = await respond(gateway, { stream: true })
    let text = String(await reply.read())
    cancel()
    arrived.resolve()
    text += await reply.text()
    const { name, data } = framesOf(text).at(-1) as { name: string; data: { error: object } & Record<string, unknown> }
    assert.deepEqual([name, data.type, data.code], ['error', 'error', 'invalid_api_key'])
    assert.equal((data.error as { code: string }).code, 'invalid_api_key')
    assert.doesNotMatch(text, /All is well/)
  })

  it('as an HTTP error, if it fails or is blocked before any text', async (t) => {
    const parts = await running(t, [word('Hello', 'block'), word('secret', 'block')])
    assert.equal((await streamed(parts, message(['secret']), { more: { input: 'x' } })).status, 403)
    const [created] = message([])
    const failure = { type: 'error', code: 'server_error', message: 'No luck', param: null, sequence_number: 1 }
    assert.equal((await streamed(parts, [created as never, failure], { more: { input: 'x' } })).status, 502)
  })

  for (const name of ['failed', 'error-mid-stream']) {
    it(`as the provider says: ${name}`, async (t) => {
      const { text } = await streamed(await running(t, [word('never there')]), fixture(`${name}.sse`))
      const [error, failed] = framesOf(text).slice(-2)
      assert.deepEqual([error?.name, failed?.name], ['error', 'response.failed'])
      assert.match(error?.data.message, /^The (?:model|server)/)
      assert.equal(failed?.data.response.error.code, 'server_error')
    })
  }

  it('with an error, if it is cut: without the last event, within one, after a wrong end marker', async (t) => {
    const parts = await running(t, [word('never there')])
    for (const steps of [
      late.slice(0, 4),
      [...late.slice(0, 4), raw('data: {"type":"resp')],
      [...late.slice(0, 4), '[DONE]'],
    ]) {
      const { text } = await streamed(parts, steps)
      assert.deepEqual(
        framesOf(text)
          .slice(-2)
          .map(({ name }) => name),
        ['error', 'response.failed'],
      )
    }
  })

  it('with an error, if text follows the last event', async (t) => {
    const parts = await running(t, [word('never there')])
    const { text } = await streamed(parts, [...late, late[3] as never])
    assert.equal(framesOf(text).at(-1)?.name, 'response.failed')
  })
})

describe('a block before the reply', () => {
  for (const [client, headers, status] of [
    ['an SDK', {}, 403],
    ['Codex', { originator: 'codex_exec' }, 400],
    ['Codex by its name', { 'user-agent': 'codex_cli_rs/0.169.0' }, 400],
  ] as const) {
    it(`is ${status} for ${client}, with the reason`, async (t) => {
      const parts = await running(t, [word('Hello', 'block')])
      const reply = await respond(parts.gateway, { stream: true }, { headers })
      const { error, service } = (await reply.json()) as {
        error: Record<string, string>
        service: { blocked: boolean }
      }
      assert.deepEqual([reply.status, error.code, service.blocked], [status, 'permission_denied', true])
      assert.equal(reply.headers['x-should-retry'], 'false')
      assert.equal(parts.provider.requests.length, 0)
    })
  }
})

it('an answer of the gateway itself is a response', async (t) => {
  const answers: Plugin = {
    apply: (hooks) => hooks.block.tap({ name: 'answers', stage: 100 }, (x) => x.answer('It is fine.')),
  }
  const parts = await running(t, [answers])
  const buffered = (await (await respond(parts.gateway)).json()) as { output: { content: { text: string }[] }[] }
  assert.equal(buffered.output[0]?.content[0]?.text, 'It is fine.')
  const events = eventsOf(await (await respond(parts.gateway, { stream: true })).text())
  assert.equal(events.at(-1).response.output[0].content[0].text, 'It is fine.')
  assert.deepEqual(
    events.map(({ sequence_number: n }) => n),
    events.map((_, i) => i),
  )
})
