/** Bytes that are no UTF-8 in an event. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { delta, raw, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { asking, post } from '../../../../helpers/gateway.ts'

/** Broken bytes become U+FFFD when a stream is read. */
const streamed = async (t: Parameters<typeof running>[0], events: readonly object[]): Promise<string> => {
  const { provider, gateway } = await running(t, [word('secret')])
  provider.reply(stream([...(events as never[]), delta({}, 0, 'stop')]))
  return (await post(gateway, asking('Hello', { stream: true }))).text()
}

it('a stream is invalid whose event lost the name of its answer: the rest of a value would stand without its beginning', async (t) => {
  const { choices, ...rest } = delta({ content: 's' }) as unknown as { choices: object[] }
  const sent = await streamed(t, [{ ...rest, 'choice\ufffd(s': choices }, delta({ content: 'ecret' })])
  assert.match(sent, /"code":"upstream_invalid_response"/)
  assert.doesNotMatch(sent, /ecret/)
})

it('broken bytes in what a model says are left as they are', async (t) => {
  const sent = await streamed(t, [delta({ content: 'caf\ufffd is' }), delta({ content: ' open, no secret' })])
  assert.match(sent, /caf\ufffd is/)
  assert.match(sent, /open, no \[WORD\]/)
})

it('an escape of the sign in a name is no broken byte', async (t) => {
  const data = JSON.stringify({ ...delta({ content: 'no secret' }), x_note: 1 }).replace('x_note', 'x_\\ufffd')
  const sent = await streamed(t, [raw(`data: ${data}\n\n`) as object])
  assert.match(sent, /no \[WORD\]/)
  assert.doesNotMatch(sent, /upstream_invalid_response/)
})
