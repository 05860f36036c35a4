/** What a request for completions says, and what of it goes on. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/cl100k_base'
import { completions } from '../../../../../core/engine/dialects/completions/dialect.ts'
import { json } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, strict } from '../../../../helpers/core.ts'
import { bearer, type Owner } from '../../../../helpers/gateway.ts'
import { blocksFindings, redacts, refuses, takesMany, WORD } from '../inputs.ts'
import { buffered, complete, MODEL, type Told } from './completing.ts'

/** What the provider got, and what the client got back. */
async function asked(t: Owner, plugins: readonly Plugin[], body: object, key?: string) {
  const { provider, gateway, events } = await running(t, plugins)
  provider.otherwise(json(buffered(['fine'])))
  const reply = await complete(gateway, body, key === undefined ? {} : { headers: bearer(key) })
  const got = (await reply.json()) as Told
  const [request] = provider.requests
  return {
    status: reply.status,
    got,
    sent: request?.json as Record<string, unknown> | undefined,
    request,
    events: events(),
  }
}

const capping = (tokens: number): Plugin => ({
  governs: 'usage',
  apply: (hooks) => hooks.preRequest.tap('c', (x) => x.request.capOutputTokens(tokens)),
})

describe('a request for completions', () => {
  it('passes as it is, and its event has the tokens', async (t) => {
    const body = { prompt: ['one', 'two'], n: 1, suffix: '.', echo: true, logprobs: 2, stop: ['\n'], vendor: { a: 1 } }
    const { status, got, sent, request, events } = await asked(t, [redacts], body)
    assert.deepEqual([status, request?.url], [200, '/v1/completions'])
    assert.deepEqual(sent, { model: MODEL, ...body })
    assert.equal(got.service?.action, 'allow')
    const last = events.at(-1)
    assert.deepEqual([last?.type, last?.tokens], ['request.completed', { prompt: 5, completion: 7 }])
  })

  for (const [name, prompt, sent] of [
    ['a string', `Ask ${WORD}!`, 'Ask [WORD]!'],
    ['a list', ['one', `Ask ${WORD}!`], ['one', 'Ask [WORD]!']],
    ['tokens', encode(`Ask ${WORD}!`), 'Ask [WORD]!'],
    ['lists of tokens', [encode('one'), encode(`Ask ${WORD}!`)], ['one', 'Ask [WORD]!']],
  ] as const) {
    it(`is redacted in ${name}`, async (t) => {
      const answered = await asked(t, [redacts], { prompt })
      assert.deepEqual([answered.status, answered.sent?.prompt], [200, sent])
      assert.equal(answered.got.service?.action, 'redact')
    })
  }

  for (const [name, body, sent] of [
    ['suffix', { suffix: ` of ${WORD}` }, { suffix: ' of [WORD]' }],
    ['user', { user: WORD }, { user: '[WORD]' }],
    ['stop', { stop: ['\n', WORD] }, { stop: ['\n', '[WORD]'] }],
    ['a member that nobody knows', { vendor: { [WORD]: [WORD] } }, { vendor: { '[WORD]': ['[WORD]'] } }],
    ['a bias by words', { logit_bias: { [WORD]: 1 } }, { logit_bias: { '[WORD]': 1 } }],
  ] as const) {
    it(`is redacted in ${name}`, async (t) => {
      const answered = await asked(t, [redacts], body)
      assert.deepEqual(answered.sent, { model: MODEL, prompt: 'Hello', ...sent })
    })
  }

  blocksFindings(asked, [
    ['a string', { prompt: WORD }],
    ['tokens', { prompt: encode(WORD) }],
    ['two prompts, cut between them', { prompt: ['Ask anna.berg@', 'example.com'] }],
    ['two lists of tokens, cut between them', { prompt: [encode('Ask anna.berg@'), encode('example.com')] }],
    ['prompt and suffix, cut between them', { suffix: 'example.com', prompt: 'Ask anna.berg@' }],
    ['the suffix', { suffix: WORD }],
  ])

  it('leaves tokens alone in which nothing was found, and may have no prompt', async (t) => {
    const prompt = [encode('one'), encode('two')]
    assert.deepEqual((await asked(t, [redacts], { prompt })).sent?.prompt, prompt)
    assert.equal((await asked(t, [redacts], { prompt: null })).sent?.prompt, null)
  })

  it('shows policies its texts, and how much may be written', async (t) => {
    const seen: unknown[] = []
    const policy: Plugin = {
      apply: (hooks) =>
        hooks.block.tap('p', ({ request }) => {
          seen.push(request.prompt.texts, request.messages, request.choices, request.maxOutputTokens)
          return { reason: 'No.' }
        }),
    }
    const body = { prompt: [encode('one'), encode('two')], suffix: 'end', n: 2, best_of: 3, max_tokens: 9 }
    assert.equal((await asked(t, [policy], body)).status, 403)
    const texts = ['one', 'two', 'end']
    assert.deepEqual(seen, [texts, [{ role: 'user', texts, callArguments: [] }], 6, 9])
  })

  it('of a model whose tokens nobody knows is told, counted by its ids, and refused by strict', async (t) => {
    const prompt = encode(WORD)
    const known = await asked(t, [redacts], { model: 'other', prompt })
    assert.deepEqual([known.status, known.got.service?.warnings], [200, ['uninspected:tokens=1']])
    assert.deepEqual(completions.promptOf({ model: 'other', prompt }).texts, [prompt.join(' ')])
    const refused = await asked(t, [strict, redacts], { model: 'other', prompt })
    assert.deepEqual([refused.status, refused.request], [422, undefined])
  })

  for (const [name, cap, sent, got] of [
    ['lowered', 5, 9, 5],
    ['left where it is lower', 20, 9, 9],
    ['left at zero, with an echo', 5, 0, 0],
    ['said where it is missing', 5, undefined, 5],
    ['never raised above what the API takes without one', 400, undefined, 16],
    ['said where it is null', 5, null, 5],
  ] as const) {
    it(`has its maximum ${name}`, async (t) => {
      const answered = await asked(t, [capping(cap)], sent === undefined ? {} : { max_tokens: sent })
      assert.equal(answered.sent?.max_tokens, got)
    })
  }

  refuses(asked, [
    ['an empty list', { prompt: [] }, 'prompt'],
    ['an object', { prompt: { text: 'x' } }, 'prompt'],
    ['too many prompts', { prompt: Array.from({ length: 2049 }, () => 'x') }, 'prompt'],
    ['strings and tokens', { prompt: ['x', [1]] }, 'prompt[1]'],
    ['a token that there is not', { prompt: [99_999_999] }, 'prompt'],
    ['a suffix that is no text', { suffix: ['x'] }, 'suffix'],
    ['n of nothing', { n: 0 }, 'n'],
    ['best_of beyond all', { best_of: 129 }, 'best_of'],
    ['more answers than can be told apart', { prompt: Array.from({ length: 2000 }, () => 'x'), n: 2 }, 'prompt'],
    ['a maximum below nothing', { max_tokens: -1 }, 'max_tokens'],
    ['stream as a word', { stream: 'yes' }, 'stream'],
    ['stream options as a word', { stream_options: 'yes' }, 'stream_options'],
    ['a member in another case', { Prompt: 'y' }, 'Prompt'],
    ['an empty model', { model: '' }, 'model'],
  ])

  takesMany(asked, 'prompt')

  it('is answered by the demo model', async (t) => {
    const { gateway } = await running(t, [redacts], { config: { upstreams: { scripted: { kind: 'demo' } } } })
    const reply = (await (await complete(gateway, { prompt: [`Ask ${WORD}`, 'two'], max_tokens: 64 })).json()) as Told
    assert.deepEqual(
      reply.choices?.map(({ text }) => text.split(' You said: ')[1]),
      ['Ask [WORD]', 'two'],
    )
  })
})
