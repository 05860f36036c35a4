/** Token probabilities that clients join over the events of a stream. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, type JsonObject, stream } from '../../../../core/testing/provider.ts'
import { redacting } from '../../../helpers/core.ts'
import { asking, post, type TestGateway } from '../../../helpers/gateway.ts'
import { complete, spelled } from '../dialects/completions/completing.ts'
import { eventsOf, message, respond } from '../dialects/responses/responding.ts'

interface Token {
  readonly token: string
  readonly bytes?: readonly number[] | null
}
/** A text of an event, and the tokens beside it; undefined: it has none. */
type Said = readonly [text: string, tokens?: readonly (string | Token)[] | undefined]

const listed = (tokens: readonly (string | Token)[]) =>
  tokens.map((one) => ({
    ...(typeof one === 'string' ? { token: one, bytes: [...Buffer.from(one)] } : one),
    logprob: -1,
    top_logprobs: [],
  }))
const part = (token: string, ...bytes: readonly number[]): Token => ({ token, bytes })

const CHAT_END = chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }])
const chat = (text: string, logprobs: object | null, more: object = {}, index = 0): JsonObject =>
  chunk([{ index, delta: { content: text, ...more }, logprobs, finish_reason: null }])
const told = (tokens: Said[1]) => (tokens === undefined ? null : { content: listed(tokens), refusal: null })

async function ofChat(gateway: TestGateway, more: object = {}): Promise<JsonObject[]> {
  const body = await (await post(gateway, asking('Hello', { stream: true, logprobs: true, ...more }))).text()
  return eventsOf(body) as JsonObject[]
}
// biome-ignore lint/suspicious/noExplicitAny: events of many forms.
const choicesOf = (events: readonly any[]): any[] => events.flatMap(({ choices }) => choices ?? [])
const tokensOf = (events: readonly JsonObject[], index = 0, list = 'content'): string[] =>
  choicesOf(events)
    .filter((choice) => choice.index === index)
    .flatMap(({ logprobs }) => (logprobs?.[list] ?? []).map(({ token }: Token) => token))

/** Each API: its stream of such events, and the tokens that a client joins. */
const APIS = {
  chat: {
    events: (all: readonly Said[]) => [...all.map(([text, tokens]) => chat(text, told(tokens))), CHAT_END],
    read: async (gateway: TestGateway) => tokensOf(await ofChat(gateway)),
  },
  completions: {
    events: (all: readonly Said[]) => [
      ...all.map(([text, tokens]) => ({
        ...{ id: 'cmpl-1', object: 'text_completion', created: 1793000000, model: 'gpt-test' },
        choices: [
          {
            ...{ index: 0, text, finish_reason: null },
            logprobs:
              tokens === undefined
                ? null
                : spelled(...tokens.map((one) => (typeof one === 'string' ? one : one.token))),
          },
        ],
      })),
      { id: 'cmpl-1', object: 'text_completion', choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
    ],
    read: async (gateway: TestGateway) => {
      const body = await (await complete(gateway, { prompt: 'Hello', stream: true, logprobs: 1 })).text()
      return choicesOf(eventsOf(body)).flatMap(({ logprobs }) => logprobs?.tokens ?? [])
    },
  },
  responses: {
    events: (all: readonly Said[]) => {
      let at = 0
      return message(all.map(([text]) => text)).map((event) =>
        event.type === 'response.output_text.delta' ? { ...event, logprobs: listed(all[at++]?.[1] ?? []) } : event,
      )
    },
    read: async (gateway: TestGateway) => {
      const events = eventsOf(await (await respond(gateway, { stream: true })).text())
      return events
        .filter(({ type }) => type === 'response.output_text.delta')
        .flatMap(({ logprobs }) => logprobs.map(({ token }: Token) => token))
    },
  },
} as const

for (const [api, { events, read }] of Object.entries(APIS)) {
  describe(`token probabilities of a stream: ${api}`, () => {
    const left = async (all: readonly Said[]): Promise<string> => {
      const { gateway, provider } = await redacting('secret', 'bad')
      provider.reply(stream(events(all), { done: api !== 'responses' }))
      return (await read(gateway)).join('|')
    }

    it('are over once a text came without them', async () => {
      for (const between of [[['um ']], [['um '], ['er '], ['so ']], [['um ', ['er']]]] as const) {
        const all: Said[] = [['my sec', ['my', ' sec']], ...between, ['ret is', ['ret', ' is']], [' it', [' it']]]
        assert.equal(await left(all), 'my| sec')
      }
    })

    it('are over once a text was rewritten', async () => {
      const all: Said[] = [
        ['my sec', ['my', ' sec']],
        ['bad', ['bad']],
        ['ret is', ['ret', ' is']],
      ]
      assert.equal(await left(all), 'my| sec')
    })

    it('begin with the first text that has them', async () => {
      assert.equal(
        await left([['um '], ['bad', ['bad']], ['er', ['no']], ['my ', ['my ']], ['own', ['own']]]),
        'my |own',
      )
    })

    it('stay where every text has them', async () => {
      assert.equal(await left([[''], ['my ', ['m', 'y ']], ['', []], [''], ['own', ['own']], ['', []]]), 'm|y |own')
      // An end token is no text.
      assert.equal(
        await left([
          ['my ', ['my ']],
          ['', ['<|end|>']],
          ['own', ['own']],
        ]),
        'my |own',
      )
    })
  })
}

describe('token probabilities of a stream', () => {
  const rig = async (all: readonly JsonObject[], more: object = {}) => {
    const { gateway, provider } = await redacting('secret')
    provider.reply(stream([...all, CHAT_END]))
    return ofChat(gateway, more)
  }

  it('stay if a character is told with its last token', async () => {
    const [a, b, c, d] = [...Buffer.from('😀')] as [number, number, number, number]
    for (const cut of [
      [part('\ufffd', a, b), part('\ufffd', c), part('\ufffd', d)],
      [part('\\xf0\\x9f', a, b), part('\\x98', c), part('\\x80', d)],
      // vLLM has no bytes of a part of a character.
      [part('\ufffd', 0xef, 0xbf, 0xbd), part('\ufffd', 0xef, 0xbf, 0xbd), part('\ufffd', 0xef, 0xbf, 0xbd)],
      [{ token: '\ufffd' }, { token: '\ufffd' }, { token: '\ufffd' }],
      [{ token: '' }, { token: '' }, { token: '😀' }],
    ] as const) {
      const all: Said[] = [
        ['Hi', ['Hi']],
        ['', [cut[0]]],
        ['', [cut[1]]],
        ['😀', [cut[2]]],
        [' é', [' é']],
        ['!', ['!']],
      ]
      const given = all.map(([text, tokens]) => chat(text, told(tokens)))
      const got = await rig(given)
      assert.deepEqual(
        choicesOf(got).map(({ logprobs }) => logprobs),
        choicesOf([...given, CHAT_END]).map(({ logprobs }) => logprobs),
      )
    }
  })

  it('go if what began is no part of the next character', async () => {
    for (const begun of [part('\ufffd', 0xf0, 0x9f), part('\ufffd', 0xef, 0xbf, 0xbd)]) {
      const all: Said[] = [
        ['a', ['a']],
        ['', [begun]],
        ['b', ['b']],
        ['c', ['c']],
      ]
      const got = await rig(all.map(([text, tokens]) => chat(text, told(tokens))))
      assert.deepEqual(tokensOf(got), ['a', begun.token])
    }
    const few: Said[] = [
      ['a', ['a']],
      ['xx', ['\ufffd']],
      ['b', ['b']],
    ]
    assert.deepEqual(tokensOf(await rig(few.map(([text, tokens]) => chat(text, told(tokens))))), ['a'])
  })

  it('of one choice do not end with those of another', async () => {
    const all = [chat('a', told(['a'])), chat('x', null, {}, 1), chat('b', told(['b'])), chat('y', told(['y']), {}, 1)]
    const got = await rig([...all, chunk([{ index: 1, delta: {}, finish_reason: 'stop' }])], { n: 2 })
    assert.deepEqual([tokensOf(got), tokensOf(got, 1)], [['a', 'b'], ['y']])
  })

  it('are over behind a text in parts, a refusal, a text that leaves in pieces or apart from another', async () => {
    const long = 'word '.repeat(400)
    for (const between of [
      chat('', null, { content: [{ type: 'text', text: 'um ' }] }),
      chat('', null, { content: 7 }),
      chat(`${long}se`, told([`${long}se`])),
      chat('um se', told(['um se']), { reasoning_content: 'hm se' }),
    ]) {
      const got = await rig([
        chat('my sec', told(['my sec'])),
        between,
        chat('ret', told(['ret'])),
        chat('!', told(['!'])),
      ])
      assert.ok(!tokensOf(got).join('').includes('secret'), JSON.stringify(between).slice(0, 200))
    }
  })

  it('of reasoning go without an effect on those of the content', async () => {
    const muse = chat('', told(['Hm']), { reasoning_content: 'Hm' })
    const got = await rig([muse, muse, chat('a', told(['a'])), muse, chat('b', told(['b']))])
    assert.deepEqual(tokensOf(got), ['a', 'b'])
  })

  it('of a refusal are read likewise', async () => {
    const refused = (refusal: string, tokens?: readonly string[]) =>
      chunk([
        {
          ...{ index: 0, delta: { refusal }, finish_reason: null },
          logprobs: tokens === undefined ? null : { content: null, refusal: listed(tokens) },
        },
      ])
    const whole = await rig([refused('No', ['No']), refused(' way', [' way'])])
    assert.deepEqual(tokensOf(whole, 0, 'refusal'), ['No', ' way'])
    const gap = await rig([refused('my sec', ['my sec']), refused('um '), refused('ret', ['ret'])])
    assert.deepEqual(tokensOf(gap, 0, 'refusal'), ['my sec'])
  })
})
