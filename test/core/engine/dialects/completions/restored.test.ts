/** Tokens of `pii` that a model continues, or repeats with `echo`, become the values they stand for. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, type ScriptedExchange, stream } from '../../../../../core/testing/provider.ts'
import { setup } from '../../../../helpers/gateway.ts'
import { buffered, complete, finish, said, spelled, type Told, together } from './completing.ts'

const plugins = [{ use: 'pii', options: { action: 'tokenize' } }]
const EMAIL = 'anna.berg@example.com'
const promptOf = ({ request }: ScriptedExchange) => (request.json as { prompt: string }).prompt

describe('completions with tokens in place of values', () => {
  it('have their values back, without the probabilities', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    let sent = ''
    provider.reply((exchange) => {
      sent = promptOf(exchange)
      return json(buffered([{ text: `${sent} soon`, logprobs: spelled(sent, ' soon') }]))(exchange)
    })
    const reply = await complete(gateway, { prompt: `Write to ${EMAIL}`, echo: true, logprobs: 0 })
    const text = await reply.text()
    const [choice] = (JSON.parse(text) as Told).choices ?? []
    assert.doesNotMatch(sent, /anna/)
    assert.deepEqual([choice?.text, choice?.logprobs], [`Write to ${EMAIL} soon`, null])
  })

  it('have their values back wherever a stream cuts the token', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    const prompt = `Write to ${EMAIL}`
    for (let at = 1, length = 2; at < length; at++) {
      provider.reply((exchange) => {
        const text = promptOf(exchange)
        length = text.length
        const parts = [text.slice(0, at), text.slice(at), ' soon']
        return stream([...parts.map((part) => said(part, 0, { logprobs: spelled(part) })), finish()])(exchange)
      })
      const reply = await complete(gateway, { prompt, stream: true, echo: true, logprobs: 0 })
      const { texts, finishes, done } = together(await reply.events())
      assert.deepEqual([texts, finishes, done], [[`${prompt} soon`], ['stop'], true])
    }
  })
})
