/** Embeddings go the way of every exchange: inspected, limited, recorded; their vectors stay as they came. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/cl100k_base'
import { json } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, strict } from '../../../../helpers/core.ts'
import { bearer, type Owner, type TestGateway, USER_KEY } from '../../../../helpers/gateway.ts'
import { type Reply, send } from '../../../../helpers/http.ts'
import { blocksFindings, redacts, refuses, takesMany, WORD } from '../inputs.ts'

const MODEL = 'text-embedding-3-small'
const VECTOR = Buffer.from(Float32Array.from({ length: 256 }, (_, i) => Math.sin(i) / 16).buffer).toString('base64')
const list = {
  object: 'list',
  model: MODEL,
  data: [{ object: 'embedding', index: 0, embedding: VECTOR }],
  usage: { prompt_tokens: 7, total_tokens: 7 },
}

const embed = (gateway: TestGateway, body: object, key = USER_KEY): Promise<Reply> =>
  send(`${gateway.baseURL}/embeddings`, { body: { model: MODEL, ...body }, headers: bearer(key) })

interface Answered {
  readonly data: { readonly embedding: unknown }[]
  readonly service?: { readonly action: string; readonly warnings?: string[] }
  readonly error?: { readonly code: string; readonly param: string | null; readonly reason?: string }
}

/** What the provider got as input, and what the client got back. */
async function asked(t: Owner, plugins: readonly Plugin[], body: object) {
  const { provider, gateway, events } = await running(t, plugins)
  provider.otherwise(json(list))
  const reply = await embed(gateway, body)
  const got = (await reply.json()) as unknown as Answered
  const [request] = provider.requests
  return { status: reply.status, got, sent: request?.json as { input: unknown } | undefined, request, events: events() }
}

describe('embeddings', () => {
  it('pass as they are, with service beside the vectors', async (t) => {
    const body = { input: ['one', 'two'], encoding_format: 'base64', dimensions: 256, vendor: 1 }
    const { status, got, sent, request, events } = await asked(t, [redacts], body)
    assert.deepEqual([status, request?.url], [200, '/v1/embeddings'])
    assert.deepEqual(sent, { model: MODEL, ...body })
    assert.equal(got.data[0]?.embedding, VECTOR)
    assert.equal(got.service?.action, 'allow')
    const last = events.at(-1)
    assert.deepEqual([last?.type, last?.tokens], ['request.completed', { prompt: 7, completion: 0 }])
  })

  it('are transparent without plugins, numbers to the digit', async (t) => {
    const { provider, gateway } = await running(t, [])
    const text = '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1.50,-0.0,1e-7]}],"model":"m"}'
    provider.otherwise(json(text))
    const reply = await embed(gateway, { input: 'x' })
    assert.equal(await reply.text(), text)
  })

  for (const [name, input, sent] of [
    ['a string', `Ask ${WORD}!`, 'Ask [WORD]!'],
    ['a list', ['one', `Ask ${WORD}!`], ['one', 'Ask [WORD]!']],
    ['tokens', encode(`Ask ${WORD}!`), 'Ask [WORD]!'],
    ['lists of tokens', [encode('one'), encode(`Ask ${WORD}!`)], ['one', 'Ask [WORD]!']],
  ] as const) {
    it(`are redacted in ${name}`, async (t) => {
      const answered = await asked(t, [redacts], { input })
      assert.deepEqual([answered.status, answered.sent?.input], [200, sent])
      assert.equal(answered.got.service?.action, 'redact')
      assert.equal(answered.got.data[0]?.embedding, VECTOR)
    })
  }

  blocksFindings(asked, [
    ['a string', { input: WORD }],
    ['tokens', { input: encode(WORD) }],
    ['two inputs, cut between them', { input: ['Ask anna.berg@', 'example.com'] }],
    ['two lists of tokens, cut between them', { input: [encode('Ask anna.berg@'), encode('example.com')] }],
  ])

  it('leave lists of tokens alone in which nothing was found', async (t) => {
    const input = [encode('one'), encode('two')]
    assert.deepEqual((await asked(t, [redacts], { input })).sent?.input, input)
  })

  it('show policies their texts, and that they have no output', async (t) => {
    const policy: Plugin = {
      apply(hooks) {
        hooks.block.tap('p', (x) => {
          const [message] = x.request.messages
          assert.deepEqual(
            [x.request.prompt.texts, message?.texts],
            [
              ['one', 'two'],
              ['one', 'two'],
            ],
          )
          assert.equal(x.request.maxOutputTokens, 0)
          return { reason: 'No.' }
        })
      },
    }
    const { status, got } = await asked(t, [policy], { input: [encode('one'), encode('two')] })
    assert.deepEqual([status, got.error?.reason], [403, 'No.'])
  })

  it('of a model whose tokens nobody knows are told, and refused by strict', async (t) => {
    const known = await asked(t, [redacts], { model: 'other', input: encode(WORD) })
    assert.deepEqual([known.status, known.got.service?.warnings], [200, ['uninspected:tokens=1']])
    const refused = await asked(t, [strict, redacts], { model: 'other', input: encode(WORD) })
    assert.deepEqual([refused.status, refused.request], [422, undefined])
  })

  refuses(asked, [
    ['nothing', { input: undefined }, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an object', { input: { text: 'x' } }, 'input'],
    ['too many', { input: Array.from({ length: 2049 }, () => 'x') }, 'input'],
    ['strings and tokens', { input: ['x', [1]] }, 'input[1]'],
    ['tokens and strings', { input: [[1], 'x'] }, 'input[1]'],
    ['a token below zero', { input: [[-1]] }, 'input[0]'],
    ['a token that there is not', { input: [99_999_999] }, 'input'],
    ['a member in another case', { input: 'x', Input: 'y' }, 'Input'],
  ])

  takesMany(asked, 'input')

  it('may have as many tokens as the API allows: 300,000 in 2,048 lists', async (t) => {
    const sizes = Array.from({ length: 2048 }, (_, i) => (i < 992 ? 147 : 146))
    const input = sizes.map((size) => Array.from({ length: size }, (_, j) => 1000 + j))
    assert.equal(input.flat().length, 300_000)
    const { status, sent } = await asked(t, [], { input })
    assert.equal(status, 200)
    assert.deepEqual(sent?.input, input)
  })

  it('are nothing that the demo model has', async (t) => {
    const { gateway } = await running(t, [redacts], { config: { upstreams: { scripted: { kind: 'demo' } } } })
    const reply = await embed(gateway, { input: 'x' })
    const { error } = (await reply.json()) as unknown as Answered
    assert.deepEqual([reply.status, error?.code], [404, 'model_not_served_here'])
  })

  it('have every text of a reply inspected that is no vector', async (t) => {
    const { gateway, provider } = await running(t, [redacts])
    provider.otherwise(json({ ...list, note: `for ${WORD}`, data: [{ embedding: WORD }] }))
    assert.doesNotMatch(await (await embed(gateway, { input: 'x' })).text(), /anna\.berg/)
  })
})
