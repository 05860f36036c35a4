/** The bundled plugins govern messages as they govern chat. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { type JsonObject, json, stream } from '../../../../../core/testing/provider.ts'
import { bearer, type PluginEntry, setup, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'
import { message, SIGNATURE, textBlock, thinkingBlock, toolBlock, whole } from '../../../../helpers/messages.ts'
import { ask, recorded, request, together } from './messaging.ts'

const MAIL = 'anna.berg@example.com'
const tokenises: PluginEntry = { use: 'pii', options: { action: 'tokenize', restore_tool_arguments: true } }
const user = (content: unknown) => ({ role: 'user', content })

describe('pii', () => {
  it('tokenises the request, and restores text and calls, but not what is signed', async (t) => {
    const { gateway, provider } = await setup(t, { plugins: [{ use: 'sessions' }, tokenises] })
    let token = ''
    provider.reply((exchange) => {
      token = /EMAIL_\w+/.exec(JSON.stringify((exchange.request.json as { messages: unknown }).messages))?.[0] ?? ''
      const steps = whole([
        thinkingBlock([`Mail ${token}.`], SIGNATURE),
        textBlock([`To ${token.slice(0, 4)}`, `${token.slice(4)} now`], 1),
        toolBlock('send', [`{"to":"${token.slice(0, 3)}`, `${token.slice(3)}"}`], 2),
      ])
      return stream(steps, { done: false })(exchange)
    })
    const reply = await ask(gateway, request({ stream: true, messages: [user(`Write to ${MAIL}`)] }))
    const { blocks } = together(await reply.text())
    assert.notEqual(token, '')
    assert.deepEqual(
      blocks.map(({ thinking, text, input }) => thinking ?? text ?? input),
      [`Mail ${token}.`, `To ${MAIL} now`, { to: MAIL }],
    )
  })

  it('sends the provider the same bytes for the same conversation, in every turn and from every instance', async (t) => {
    const options = { plugins: [{ use: 'sessions' }, tokenises] }
    const [one, other] = [await setup(t, options), await setup(t, options)]
    const first = [
      user([{ type: 'text', text: `I am ${MAIL}, phone +49 30 901820.`, cache_control: { type: 'ephemeral' } }]),
    ]
    const answer = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: SIGNATURE },
        { type: 'text', text: `Hello ${MAIL}` },
      ],
    }
    const second = [...first, answer, user('And bob.berg@example.com?')]
    const prefixes: string[] = []
    for (const { gateway, provider } of [one, one, other]) {
      for (const messages of [first, second]) {
        provider.reply(json(message('fine')))
        await (await ask(gateway, request({ messages }))).text()
        const sent = (provider.requests.at(-1) as { json: JsonObject }).json.messages as JsonObject[]
        prefixes.push(JSON.stringify(sent[0]))
        if (sent.length > 1) assert.deepEqual((sent[1] as { content: JsonObject[] }).content[0], answer.content[0])
      }
    }
    assert.equal(new Set(prefixes).size, 1, prefixes.join('\n'))
    assert.doesNotMatch(prefixes[0] ?? '', /anna\.berg/)
  })

  for (const how of ['buffered', 'streamed'] as const) {
    it(`sends its own tokens back as they came, and makes others literal: ${how}`, async (t) => {
      const plugins = [{ use: 'sessions' }, { use: 'pii', options: { input: { action: 'tokenize' } } }]
      const { gateway, provider } = await setup(t, { plugins })
      const first = user(`Write to ${MAIL}`)
      provider.reply((exchange) => {
        const token = /EMAIL_\w+/.exec(JSON.stringify((exchange.request.json as JsonObject).messages))?.[0] as string
        const thinking = `Mail to ${token}, or ${token.toLowerCase()}.`
        const input = { to: token }
        if (how === 'streamed') {
          const blocks = [thinkingBlock([thinking], SIGNATURE), toolBlock('send', [JSON.stringify(input)], 1)]
          return stream(whole(blocks), { done: false })(exchange)
        }
        const call = { type: 'tool_use', id: 'toolu_01A1', name: 'send', input }
        return json(message([{ type: 'thinking', thinking, signature: SIGNATURE }, call]))(exchange)
      })
      const reply = await ask(gateway, request({ stream: how === 'streamed', messages: [first] }))
      const content =
        how === 'buffered'
          ? (await reply.json()).content
          : together(await reply.text()).blocks.map(({ json: _, stopped: __, ...block }) => block)
      const answer = { role: 'assistant', content: content as JsonObject[] }
      assert.match(JSON.stringify(answer), /"to":"EMAIL_[a-z2-7]{10}"/)
      const result = user([{ type: 'tool_result', tool_use_id: 'toolu_01A1', content: 'sent, not EMAIL_aaaaaaaaaa' }])
      const sent = async (body: object) => {
        provider.reply(json(message('fine')))
        const { service } = await (await ask(gateway, request(body))).json()
        const { messages } = (provider.requests.at(-1) as { json: JsonObject }).json
        return { messages: messages as JsonObject[], service: service as { detections: unknown } }
      }
      const { messages, service } = await sent({ messages: [first, answer, result] })
      assert.deepEqual(messages[1], answer)
      assert.match(JSON.stringify(messages[2]), /"sent, not LITERAL_[a-z2-7]{10}"/)
      assert.deepEqual(service.detections, [
        { type: 'email', direction: 'input', action: 'tokenize', count: 1 },
        { type: 'literal', direction: 'input', action: 'tokenize', count: 1 },
      ])
      // The value may stand behind its token.
      const later = await sent({ messages: [user('Go on'), answer, result], system: `Write to ${MAIL}` })
      assert.deepEqual(later.messages[1], answer)
      // Nothing remembers that the tokens were known once.
      const unknown = await sent({ messages: [user('Go on'), answer, result] })
      assert.match(JSON.stringify(unknown.messages[1]), /"to":"LITERAL_/)
      assert.doesNotMatch(JSON.stringify(unknown.messages[1]), /thinking/)
    })
  }

  it('explains its tokens where they begin, so that earlier turns stay what they were', async (t) => {
    const { gateway, provider } = await setup(t, { plugins: [tokenises] })
    const system = [{ type: 'text', text: 'Be brief.' }]
    const answer = (text: string) => ({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: SIGNATURE },
        { type: 'text', text },
      ],
    })
    const turns: unknown[] = [
      user('Hello'),
      answer('Yes?'),
      user(`Write to ${MAIL}`),
      answer(`To ${MAIL}.`),
      user('Thanks'),
    ]
    const sent: JsonObject[][] = []
    for (const length of [1, 3, 5]) {
      provider.reply(json(message('fine')))
      await (await ask(gateway, request({ system, messages: turns.slice(0, length) }))).text()
      const body = (provider.requests.at(-1) as { json: JsonObject }).json
      assert.deepEqual(body.system, system)
      sent.push(body.messages as JsonObject[])
    }
    const [first = [], second = [], third = []] = sent
    assert.deepEqual(second.slice(0, 1), first)
    assert.deepEqual(third.slice(0, 3), second)
    assert.match(
      String(second[2]?.content),
      /^Write to EMAIL_\w+\n\nSome values in this conversation are replaced by tokens/,
    )
  })
})

describe('all detectors together', () => {
  it('leave the request of an agent as it is', async (t) => {
    const plugins = ['flags', 'sessions', 'classification', 'pii', 'secrets', 'injection'].map((use) => ({ use }))
    const { gateway, provider } = await setup(t, { plugins })
    const body = { ...recorded('claude-code'), stream: false }
    provider.reply(json(message('fine')))
    const reply = await ask(gateway, body)
    const got = await reply.json()
    const first = (got.service as JsonObject).session_id
    assert.deepEqual(provider.requests[0]?.json, body)
    assert.equal((got.service as JsonObject).action, 'allow', JSON.stringify(got.service))
    assert.match(first as string, /^sess_[0-9a-f]{32}$/, 'no id of six digits in a row is shown')
  })
})

describe('sessions', () => {
  it('are named by the id of the user, where an agent writes them', async (t) => {
    const { gateway, provider } = await setup(t, { plugins: [{ use: 'sessions' }] })
    provider.otherwise(json(message('fine')))
    const session = 'b5a3c1de-4f6a-4b8c-9d0e-1f2a3b4c5d6e'
    const named = async (user_id: unknown) =>
      (await ask(gateway, request({ metadata: { user_id } }))).headers['x-service-session-id']
    assert.equal(await named(`user_0a_account_b_session_${session}`), session)
    assert.equal(await named(JSON.stringify({ device_id: 'a', session_id: session })), session)
    for (const other of ['anna', '{"session_id":5}', '{', JSON.stringify({ session_id: 'a b' }), null]) {
      assert.match(String(await named(other)), /^sess_[0-9a-f]{32}$/)
    }
  })
})

describe('JSON as the id of the user', () => {
  const written = async (t: TestContext, user: unknown) => {
    const { gateway, provider } = await setup(t, {
      plugins: [
        { use: 'secrets', options: { input: 'redact' } },
        { use: 'pii', options: { action: 'redact' } },
      ],
    })
    provider.otherwise(json(message('fine')))
    await ask(gateway, request({ metadata: { user_id: JSON.stringify(user) } }))
    const { metadata } = provider.requests[0]!.json as { metadata: { user_id: string } }
    return JSON.parse(metadata.user_id)
  }

  it('has names for its values', async (t) => {
    const user = { db_password: { value: ['gwuw8CMI37miuyd'] }, passport: { number: 'C01X00T47' } }
    assert.deepEqual(await written(t, user), {
      db_password: { value: ['[PASSWORD]'] },
      passport: { number: '[PASSPORT]' },
    })
  })

  it('keeps the ids that agents write', async (t) => {
    const user = {
      device_id: '9f2b6c0d1e3a4f5b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e7f6a5b',
      account_uuid: 'b5a3c1de-4f6a-4b8c-9d0e-1f2a3b4c5d6e',
      session_id: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
    }
    assert.deepEqual(await written(t, user), user)
  })
})

describe('budget', () => {
  it('takes the prices of what was read from and written to a cache, and nothing for counted tokens', async (t) => {
    const prices = [{ model: 'claude-*', input: 10, cached_input: 1, output: 100 }]
    const limits = [{ scope: 'key', unit: 'usd', limit: 1000, window: 'month' }]
    const { gateway, provider } = await setup(t, { plugins: [{ use: 'budget', options: { prices, limits } }] })
    const usage = {
      input_tokens: 100_000,
      cache_creation_input_tokens: 30_000,
      cache_creation: { ephemeral_5m_input_tokens: 20_000, ephemeral_1h_input_tokens: 10_000 },
      cache_read_input_tokens: 1_000_000,
      output_tokens: 10_000,
    }
    provider.reply(json(message('fine', { usage })))
    const reply = await ask(gateway)
    await reply.text()
    provider.reply(json({ input_tokens: 1000 }))
    const url = `${gateway.baseURL}/messages/count_tokens`
    const { max_tokens: _, ...counted } = request()
    await (await send(url, { body: counted, headers: bearer(USER_KEY) })).text()
    const ends = gateway.log.flatMap(({ event }) =>
      (event as { type: string })?.type === 'request.completed' ? [event] : [],
    )
    assert.deepEqual(
      ends.map((end) => (end as { cost: number }).cost),
      [1 + 0.25 + 0.2 + 1 + 1, 0],
    )
  })
})
