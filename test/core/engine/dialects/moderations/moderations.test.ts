/** Moderations go the way of every exchange: what leaves for them is inspected like any prompt. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { moderations } from '../../../../../core/engine/dialects/moderations/dialect.ts'
import { json } from '../../../../../core/testing/provider.ts'
import { type Plugin, running, strict, word } from '../../../../helpers/core.ts'
import { bearer, LIMITED_KEY, type TestGateway, USER_KEY } from '../../../../helpers/gateway.ts'
import { type Reply, type SendOptions, send } from '../../../../helpers/http.ts'
import { blocksFindings, redacts, refuses, takesMany, WORD } from '../inputs.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../../fixtures/openai/${name}`, import.meta.url), 'utf8')
const JUDGED = JSON.parse(fixture('moderations.json')) as { results: [object] }

interface Told {
  readonly results?: unknown
  readonly service?: { readonly action: string; readonly warnings?: string[] }
  readonly error?: { readonly code: string; readonly param: string | null; readonly message: string }
}

const moderate = (gateway: TestGateway, body: object, options: SendOptions = {}): Promise<Reply> =>
  send(`${gateway.baseURL}/moderations`, { ...options, body, headers: { ...bearer(USER_KEY), ...options.headers } })

async function asked(
  t: Parameters<typeof running>[0],
  plugins: readonly Plugin[],
  body: object,
  reply: unknown = JUDGED,
) {
  const { provider, gateway, events } = await running(t, plugins)
  provider.otherwise(json(reply))
  const answer = await moderate(gateway, body)
  const text = await answer.text()
  const [request] = provider.requests
  const sent = request?.json as Record<string, unknown> | undefined
  return { status: answer.status, text, got: JSON.parse(text) as Told, sent, request, events: events() }
}

const image = (url: string) => ({ type: 'image_url', image_url: { url } })

describe('moderations', () => {
  it('pass as they are, with service beside the verdicts', async (t) => {
    const body = JSON.parse(fixture('moderations.request.json')) as object
    const { status, got, sent, request, events } = await asked(t, [redacts], body)
    const { service, ...rest } = got
    assert.deepEqual([status, request?.url, sent, rest], [200, '/v1/moderations', body, JUDGED])
    assert.deepEqual([service?.action, service?.warnings], ['allow', ['uninspected:image_url=1']])
    assert.equal(events.at(-1)?.type, 'request.completed')
  })

  it('are transparent without plugins, to the character', async (t) => {
    const text = fixture('moderations.json')
    assert.equal((await asked(t, [], { input: 'x' }, text)).text, text)
  })

  it('need no model, and a policy may choose one', async (t) => {
    const { status, sent } = await asked(t, [redacts], { input: 'x' })
    assert.deepEqual([status, sent], [200, { input: 'x' }])
    const seen: unknown[] = []
    const chooses: Plugin = {
      apply: (hooks) =>
        hooks.preRequest.tap('m', ({ request }) => {
          seen.push(request.model, request.maxOutputTokens)
          request.setModel('text-moderation-stable')
        }),
    }
    assert.deepEqual((await asked(t, [chooses], { input: 'x' })).sent, { input: 'x', model: 'text-moderation-stable' })
    const named = await asked(t, [chooses], { model: 'm', input: 'x' })
    assert.deepEqual(named.sent, { model: 'text-moderation-stable', input: 'x' })
    assert.deepEqual(seen, ['omni-moderation-latest', 0, 'm', 0])
  })

  for (const [name, input, sent] of [
    ['a string', `Ask ${WORD}!`, 'Ask [WORD]!'],
    ['a list', ['one', `Ask ${WORD}!`], ['one', 'Ask [WORD]!']],
    ['a part', [{ type: 'text', text: `Ask ${WORD}!` }], [{ type: 'text', text: 'Ask [WORD]!' }]],
    ['the address of an image', [image(`https://x.example/${WORD}`)], [image('https://x.example/[WORD]')]],
    ['a part that nobody knows', [{ type: 'note', vendor: WORD }], [{ type: 'note', vendor: '[WORD]' }]],
  ] as const) {
    it(`are redacted in ${name}`, async (t) => {
      const answered = await asked(t, [redacts], { input })
      assert.deepEqual([answered.status, answered.sent?.input, answered.got.service?.action], [200, sent, 'redact'])
    })
  }

  it('are redacted in members that nobody knows', async (t) => {
    const { sent } = await asked(t, [redacts], { input: 'x', vendor: { [WORD]: WORD } })
    assert.deepEqual(sent, { input: 'x', vendor: { '[WORD]': '[WORD]' } })
  })

  blocksFindings(asked, [
    ['a string', { input: WORD }],
    ['two inputs, cut between them', { input: ['Ask anna.berg@', 'example.com'] }],
    [
      'two parts, cut between them',
      {
        input: [
          { type: 'text', text: 'Ask anna.berg@' },
          { type: 'text', text: 'example.com' },
        ],
      },
    ],
  ])

  it('with pictures or parts that nobody knows are refused by strict', async (t) => {
    for (const part of [image('https://img.example.com/a.png'), { type: 'video', video: 'x' }]) {
      const { status, request } = await asked(t, [strict, redacts], { input: [part] })
      assert.deepEqual([status, request], [422, undefined])
    }
    assert.equal((await asked(t, [strict, redacts], { input: [{ type: 'text', text: 'x' }] })).status, 200)
  })

  it('show their texts and pictures to who counts them', () => {
    const data = 'https://img.example.com/a.png'
    const input = [{ type: 'text', text: 'one' }, image(data)]
    const prompt = moderations.promptOf({ input })
    assert.deepEqual([prompt.texts, prompt.media], [['one'], [{ kind: 'image', data }]])
    assert.deepEqual(moderations.messagesOf({ input: ['a', 'b'] })[0]?.texts, ['a', 'b'])
  })

  for (const [name, reply] of Object.entries({
    'a member of the reply': { ...JUDGED, note: WORD },
    'a member of a verdict': { ...JUDGED, results: [{ ...JUDGED.results[0], note: WORD }] },
    'a category': { ...JUDGED, results: [{ categories: { [WORD]: false } }] },
    'a score': { ...JUDGED, results: [{ category_scores: { hate: WORD } }] },
    'an input type': { ...JUDGED, results: [{ category_applied_input_types: { hate: [WORD] } }] },
    'a verdict that is a text': { ...JUDGED, results: [WORD] },
    'categories in a list': { ...JUDGED, results: [{ categories: [WORD] }] },
    'the model': { ...JUDGED, model: `of ${WORD}` },
  })) {
    it(`have their reply inspected in ${name}`, async (t) => {
      const { status, text } = await asked(t, [redacts], { input: 'x' }, reply)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /anna\.berg/)
    })
  }

  it('have scores that stay as they came, to the digit', async (t) => {
    const score = '{"results":[{"category_scores":{"hate":0.4111111111111111,"sexual":1.50e-7}}]}'
    const everything = word('4111111111111111')
    assert.ok((await asked(t, [everything], { input: 'x' }, score)).text.startsWith(score.slice(0, -1)))
  })

  refuses(asked, [
    ['nothing', {}, 'input'],
    ['an empty list', { input: [] }, 'input'],
    ['an object', { input: { text: 'x' } }, 'input'],
    ['tokens', { input: [1, 2] }, 'input[0]'],
    ['strings and parts', { input: ['x', { type: 'text', text: 'y' }] }, 'input[1]'],
    ['parts and strings', { input: [{ type: 'text', text: 'y' }, 'x'] }, 'input[1]'],
    ['too many', { input: Array.from({ length: 2049 }, () => 'x') }, 'input'],
    ['an empty model', { model: '', input: 'x' }, 'model'],
    ['a member in another case', { input: 'x', Input: 'y' }, 'Input'],
    ['a member of a part in another case', { input: [{ type: 'text', Text: 'y' }] }, 'input[0].Text'],
  ])

  it('are refused to a key that may not use the model, also one that nobody named', async (t) => {
    const { gateway, provider } = await running(t, [redacts])
    for (const body of [{ input: 'x' }, { model: 'omni-moderation-latest', input: 'x' }]) {
      assert.equal((await moderate(gateway, body, { headers: bearer(LIMITED_KEY) })).status, 403)
    }
    assert.equal(provider.requests.length, 0)
  })

  takesMany(asked, 'input')

  it('are nothing that the demo model has', async (t) => {
    const { gateway } = await running(t, [redacts], { config: { upstreams: { scripted: { kind: 'demo' } } } })
    const reply = await moderate(gateway, { input: 'x' })
    assert.deepEqual([reply.status, ((await reply.json()) as Told).error?.code], [404, 'model_not_served_here'])
  })
})
