/** Buffered completions: every string that a client could read is inspected. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Stage } from '../../../../../core/engine/contract/plugin.ts'
import { json } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, word } from '../../../../helpers/core.ts'
import type { Owner } from '../../../../helpers/gateway.ts'
import { buffered, complete, spelled, type Told } from './completing.ts'

const redacts = word('secret')
const fixture = (name: string) => readFileSync(new URL(`../../../../fixtures/openai/${name}`, import.meta.url), 'utf8')

async function answered(t: Owner, plugins: readonly Plugin[], body: unknown, more: object = {}) {
  const { provider, gateway, events } = await running(t, plugins)
  provider.otherwise(json(body))
  const reply = await complete(gateway, more)
  const text = await reply.text()
  return { status: reply.status, text, got: JSON.parse(text) as Told, events: events() }
}

describe('a buffered completion', () => {
  it('is transparent without plugins, to the character', async (t) => {
    const text = fixture('completions-echo.json')
    assert.equal((await answered(t, [], text)).text, text)
  })

  it('passes clean with service beside it, without alternatives', async (t) => {
    const given = JSON.parse(fixture('completions-echo.json')) as { choices: [{ logprobs: object }] }
    const { status, got } = await answered(t, [redacts], given)
    const { service, ...rest } = got
    given.choices[0].logprobs = { ...given.choices[0].logprobs, top_logprobs: null }
    assert.deepEqual([status, service?.action, rest], [200, 'allow', given])
  })

  it('is redacted in each choice, and its probabilities go where it was', async (t) => {
    const choices = [
      { text: 'the secret', logprobs: spelled('the', ' sec', 'ret') },
      { text: 'nothing', logprobs: spelled('no', 'thing') },
    ]
    const { got, text } = await answered(t, [redacts], buffered(choices), { n: 2 })
    assert.deepEqual(
      got.choices?.map((choice) => [choice.text, choice.logprobs === null, choice.finish_reason]),
      [
        ['the [WORD]', true, 'stop'],
        ['nothing', false, 'stop'],
      ],
    )
    assert.doesNotMatch(text, /sec|alternative/)
  })

  it('loses the ids of the tokens where it is rewritten', async (t) => {
    const choices = [
      { text: 'the secret', token_ids: [1820, 6367] },
      { text: 'nothing', token_ids: [42593] },
    ]
    const { got } = await answered(t, [redacts], buffered(choices), { n: 2 })
    const left = got.choices?.map((choice) => (choice as { token_ids?: unknown }).token_ids)
    assert.deepEqual(left, [null, [42593]])
  })

  for (const [name, body] of Object.entries({
    'a member of the reply': buffered(['x'], { note: 'secret' }),
    'the name of a member': buffered(['x'], { secret: 1 }),
    'a member of a choice': buffered([{ text: 'x', vendor: { a: ['secret'] } }]),
    'a message beside the text': buffered([{ text: 'x', message: { content: 'secret' } }]),
    'a text in parts': buffered([{ text: [{ text: 'secret' }] }]),
    'a choice that is a text': { ...buffered(['x']), choices: ['secret'] },
    'a finish reason': buffered([{ text: 'x', finish_reason: 'secret' }]),
    'the id': buffered(['x'], { id: 'secret' }),
    usage: buffered(['x'], { usage: { note: 'secret' } }),
    'probabilities in another form': buffered([{ text: 'x', logprobs: { content: [{ token: 'secret' }] } }]),
    'probabilities that are a text': buffered([{ text: 'x', logprobs: 'secret' }]),
    'a list of probabilities': buffered([{ text: 'x', logprobs: ['secret'] }]),
    'a member of the probabilities': buffered([{ text: 'x', logprobs: { ...spelled('x'), vendor: 'secret' } }]),
    'other tokens than the text': buffered([{ text: 'x', logprobs: spelled('sec', 'ret') }]),
    'tokens told by their bytes': buffered([
      { text: 'x', logprobs: spelled(...[...'secret'].map((c) => `bytes:\\x${c.charCodeAt(0).toString(16)}`)) },
    ]),
    'the place of a number': buffered([{ text: 'x', logprobs: { ...spelled('x'), token_logprobs: ['secret'] } }]),
    'an alternative': buffered([{ text: 'x', logprobs: { ...spelled('x'), top_logprobs: [{ secret: -1 }] } }]),
  })) {
    it(`is inspected in ${name}`, async (t) => {
      const { status, text } = await answered(t, [redacts], body)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /secret|\\\\x73|"sec"/)
    })
  }

  it('keeps the tokens that spell the text, and what stands beside them', async (t) => {
    const { got } = await answered(t, [redacts], buffered([{ text: 'xy', logprobs: spelled('x', 'y', '<end>') }]))
    assert.deepEqual(got.choices?.[0]?.logprobs, { ...spelled('x', 'y'), top_logprobs: null })
  })

  it('is blocked by a finding, and by a policy on the request', async (t) => {
    const { status, text, events } = await answered(t, [word('secret', 'block')], buffered(['a', 'the secret']), {
      n: 2,
    })
    assert.equal(status, 403)
    assert.doesNotMatch(text, /secret/)
    assert.ok(events.some(({ type }) => type === 'response.blocked'))
  })

  it('has only the service of the gateway', async (t) => {
    const { got } = await answered(t, [redacts], buffered(['x'], { service: { action: 'fake' } }))
    assert.equal(got.service?.action, 'allow')
  })

  it('is inspected in turns, where it is large', async (t) => {
    const choices = Array.from({ length: 100 }, (_, i) => `${'text '.repeat(400)}${i === 50 ? 'secret' : i}`)
    const { got } = await answered(t, [redacts], buffered(choices), { n: 100 })
    assert.match(got.choices?.[50]?.text ?? '', /\[WORD\]$/)
  })

  it('may come from a plugin', async (t) => {
    const plugin: Plugin = {
      apply: (hooks) => hooks.block.tap({ name: 'a', stage: Stage.Final }, (x) => x.answer('cached')),
    }
    const { provider, gateway } = await running(t, [plugin])
    const got = (await (await complete(gateway, { prompt: ['a', 'b'] })).json()) as unknown as Told & { object: string }
    assert.deepEqual(
      [got.object, got.choices?.map(({ index, text }) => [index, text])],
      [
        'text_completion',
        [
          [0, 'cached'],
          [1, 'cached'],
        ],
      ],
    )
    assert.equal(provider.requests.length, 0)
  })
})
