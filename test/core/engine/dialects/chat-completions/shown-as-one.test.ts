/** Content and refusal, which some clients show as one text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { delta, json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { asking, post, type Setup, setup } from '../../../../helpers/gateway.ts'
import { payloads } from '../../../../helpers/http.ts'

type Said = { content?: string; refusal?: string }

const ask = async (parts: Setup, deltas: readonly Said[]) => {
  parts.provider.reply(stream([...deltas.map((said) => delta({ ...said })), delta({}, 0, 'stop')]))
  const reply = await post(parts.gateway, asking('Hello', { stream: true }))
  const text = await reply.text()
  return { status: reply.status, text, payloads: payloads(text) }
}

/** As the AI SDK shows it. */
const shown = (events: readonly string[]): string =>
  events
    .filter((payload) => payload !== '[DONE]')
    .flatMap((payload) => (JSON.parse(payload) as { choices?: { delta: Said }[] }).choices ?? [])
    .map(({ delta: { content = '', refusal = '' } }) => content + refusal)
    .join('')

describe('a value cut over content and refusal', () => {
  const streams: readonly [name: string, deltas: readonly Said[]][] = [
    ['content, then refusal', [{ content: 'my sec' }, { refusal: 'ret is' }]],
    ['refusal, then content', [{ refusal: 'my sec' }, { content: 'ret is' }]],
    ['both in one event', [{ content: 'my sec', refusal: 'ret is' }]],
    ['both in one event, the other way round', [{ refusal: 'ret is', content: 'my sec' }]],
    [
      'in small pieces',
      [...[...'my sec'].map((content) => ({ content })), ...[...'ret is'].map((refusal) => ({ refusal }))],
    ],
  ]
  for (const [name, deltas] of streams) {
    it(`is redacted in a stream: ${name}`, async (t) => {
      const { status, payloads: events } = await ask(await running(t, [word('secret')]), deltas)
      assert.equal(status, 200)
      assert.equal(shown(events), 'my [WORD] is')
    })
  }

  it('is redacted to its end where it is long, and only the second part shows it', async (t) => {
    const token = [{ alg: 'RS512', typ: 'JWT' }, { sub: 'x1y2'.repeat(90) }]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .concat('Zk3q9RvB7w'.repeat(68))
      .join('.')
    const redacting = [{ use: 'secrets', options: { output: 'redact' } }]
    for (const size of [9, 60, 2000]) {
      const { provider, gateway } = await setup(t, { plugins: redacting })
      const pieces = token.match(new RegExp(`.{1,${size}}`, 'g'))!.map((refusal) => ({ refusal }))
      const { payloads: events } = await ask({ provider, gateway } as Setup, [{ content: 'abc' }, ...pieces])
      assert.equal(shown(events), 'abc[JWT]')
    }
  })

  for (const content of [
    'my sec',
    [
      { type: 'text', text: 'my ' },
      { type: 'text', text: 'sec' },
    ],
  ]) {
    it(`is redacted in a buffered reply, content ${typeof content}`, async (t) => {
      const { provider, gateway } = await running(t, [word('secret')])
      const message = { role: 'assistant', refusal: 'ret is', content }
      provider.reply(
        json({ id: 'chatcmpl-1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
      )
      const reply = (await (await post(gateway)).json()) as unknown as {
        choices: { message: { content: unknown; refusal: string } }[]
      }
      const said = reply.choices[0]!.message
      const texts =
        typeof said.content === 'string'
          ? said.content
          : (said.content as { text: string }[]).map(({ text }) => text).join('')
      assert.equal(texts + said.refusal, 'my [WORD] is')
    })
  }
})

it('each is also read by itself, and a value counts once', async (t) => {
  const {
    status,
    payloads: events,
    text,
  } = await ask(await running(t, [word('secret')]), [{ content: 'a secret' }, { refusal: 'secret or not' }])
  assert.equal(status, 200)
  assert.equal(shown(events), 'a [WORD][WORD] or not')
  assert.match(text, /"count":2/)
})

it('content that goes on behind a refusal is invalid: clients that show one of them would join what stands around the other', async (t) => {
  const deltas = [{ content: 'my sec' }, { refusal: 'no ' }, { content: 'ret is' }]
  const { text } = await ask(await running(t, [word('secret')]), deltas)
  assert.match(text, /"code":"upstream_invalid_response"|"error"/)
  assert.doesNotMatch(text, /ret is/)
})

it('harmless content and refusal arrive as they were said', async (t) => {
  const deltas = [{ content: 'Well, ' }, { content: 'now. ' }, { refusal: 'I cannot ' }, { refusal: 'do that.' }]
  const { payloads: events } = await ask(await running(t, [word('secret')]), deltas)
  assert.equal(shown(events), 'Well, now. I cannot do that.')
})
