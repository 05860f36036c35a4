/** Texts that a provider tells in `message` in a stream, beside deltas or in their place. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { chunk, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { asking, post } from '../../../../helpers/gateway.ts'
import { payloads } from '../../../../helpers/http.ts'

interface Body {
  readonly role?: string
  readonly content?: string
  readonly thoughts?: string
}

interface Choice {
  readonly delta?: Body
  readonly message?: Body
  readonly finish_reason?: string | null
}

const role = 'assistant'
const saying = (content: string) => ({ role, content })

async function streamed(t: Parameters<typeof running>[0], choices: readonly Choice[]) {
  const parts = await running(t, [word('secret')])
  const events = choices.map((choice) => ({ ...chunk([]), choices: [{ index: 0, finish_reason: null, ...choice }] }))
  parts.provider.reply(stream(events))
  const text = await (await post(parts.gateway, asking('Hello', { stream: true }))).text()
  const told = text.startsWith('data:') ? payloads(text).filter((payload) => payload !== '[DONE]') : []
  const got = told.flatMap((payload) => (JSON.parse(payload) as { choices?: Choice[] }).choices ?? [])
  return { text, got, deltas: got.map(({ delta }) => delta?.content ?? '').join('') }
}

it('a text so far is left out beside deltas; the whole text leaves with the finish', async (t) => {
  const { got, deltas } = await streamed(t, [
    { delta: saying('my sec'), message: saying('my sec') },
    { delta: saying('ret'), message: saying('my secret') },
    { delta: saying(' is out'), message: saying('my secret is out') },
    { delta: {}, message: saying('my secret is out'), finish_reason: 'stop' },
  ])
  assert.equal(deltas, 'my [WORD] is out')
  const messages = got.flatMap(({ message }) => message?.content ?? [])
  assert.deepEqual(messages, ['my [WORD] is out'])
  assert.ok(got.some(({ message }) => message !== undefined && message.role === role && message.content === undefined))
})

it('messages without deltas stay what they are', async (t) => {
  const { got } = await streamed(t, [
    { message: saying('my secret') },
    { message: saying(' is out') },
    { delta: {}, finish_reason: 'stop' },
  ])
  assert.equal(got.map(({ message }) => message?.content ?? '').join(''), 'my [WORD] is out')
})

for (const member of ['content', 'thoughts']) {
  it(`deltas behind a message end the reply, for some clients join them to it: ${member}`, async (t) => {
    const { text } = await streamed(t, [
      { delta: saying(''), message: { role, [member]: 'my sec' } },
      { delta: { [member]: 'ret' } },
      { delta: {}, finish_reason: 'stop' },
    ])
    assert.doesNotMatch(text, /"ret"/)
    assert.match(text, /"error"/)
  })
}

it('a message without the text of the deltas stays', async (t) => {
  const { got, deltas } = await streamed(t, [
    { delta: saying(''), message: { role, thoughts: 'a plan' } },
    { delta: saying('my secret') },
    { delta: {}, finish_reason: 'stop' },
  ])
  assert.equal(deltas, 'my [WORD]')
  assert.ok(got.some(({ message }) => message?.thoughts === 'a plan'))
})
