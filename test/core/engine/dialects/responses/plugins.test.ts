/** The bundled plugins work with responses as they do with chat. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, type ScriptedExchange, stream } from '../../../../../core/testing/provider.ts'
import { bearer, setup, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'
import { eventsOf, message, respond, response, said, together, USAGE } from './responding.ts'

const EMAIL = 'anna.berg@example.com'
const inputOf = ({ request }: ScriptedExchange) => (request.json as { input: string }).input

describe('pii with tokens', () => {
  const plugins = [{ use: 'pii', options: { action: 'tokenize', restore_tool_arguments: true } }]

  it('restores values in the texts and arguments of a reply', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    let sent = ''
    provider.reply((exchange) => {
      sent = inputOf(exchange)
      const call = {
        id: 'fc_a1',
        type: 'function_call',
        call_id: 'call_1',
        name: 'mail',
        arguments: JSON.stringify({ to: sent }),
      }
      return json(response({ output: [said(`${sent} soon`), call] }))(exchange)
    })
    const { output } = (await (await respond(gateway, { input: EMAIL })).json()) as Record<string, never>
    assert.doesNotMatch(sent, /anna/)
    const [first, call] = output as unknown as [{ content: { text: string }[] }, { arguments: string }]
    assert.equal(first.content[0]?.text, `${EMAIL} soon`)
    assert.deepEqual(JSON.parse(call.arguments), { to: EMAIL })
  })

  it('restores values wherever a stream cuts the token, in every copy', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    for (let at = 1, length = 2; at < length; at++) {
      provider.reply((exchange) => {
        const text = inputOf(exchange)
        length = text.length
        return stream(message([text.slice(0, at), text.slice(at), ' soon']), { done: false })(exchange)
      })
      const reply = await respond(gateway, { input: `To ${EMAIL}`, stream: true })
      const { deltas, whole, items, output } = together(eventsOf(await reply.text()))
      const expected = `To ${EMAIL} soon`
      assert.deepEqual([[...deltas.values()], [...whole.values()]], [[expected], [expected]])
      assert.equal(items[0].content[0].text, expected)
      assert.deepEqual(items, output)
    }
  })
})

it('secrets are blocked in the input, wherever they are', async (t) => {
  const { provider, gateway } = await setup(t, { plugins: [{ use: 'secrets', options: { input: 'block' } }] })
  const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
  for (const body of [
    { input: `Use ${key}` },
    { instructions: `Use ${key}` },
    { input: [{ type: 'function_call_output', call_id: 'call_1', output: `token: ${key}` }] },
    { input: [{ type: 'custom_tool_call', call_id: 'call_1', name: 'x', input: `export T=${key}` }] },
  ]) {
    assert.equal((await respond(gateway, body)).status, 403, JSON.stringify(Object.keys(body)))
  }
  assert.equal(provider.requests.length, 0)
})

it('a budget counts the usage of responses, and caps the next one', async (t) => {
  const limits = [{ id: 'few', scope: 'key', unit: 'tokens', limit: 4000, window: 'day' }]
  const { provider, gateway } = await setup(t, { plugins: [{ use: 'budget', options: { limits } }] })
  provider.reply(stream(message(['fine']), { done: false }))
  await (await respond(gateway, { stream: true, max_output_tokens: 50 })).text()
  const usage = { ...USAGE, input_tokens: 3000, output_tokens: 985, total_tokens: 3985 }
  provider.reply(json(response({ output: [said('fine')], usage })))
  await (await respond(gateway, { max_output_tokens: 50 })).text()
  assert.equal((await respond(gateway, { max_output_tokens: 50 })).status, 403)
  assert.equal(provider.requests.length, 2)
})

it('stored responses cost nothing, are no turn, and count as requests', async (t) => {
  const plugins = [
    { use: 'sessions' },
    {
      use: 'ratelimit',
      options: { limits: [{ scope: 'key', requests_per_minute: 6, tokens_per_minute: 2000 }] },
    },
    {
      use: 'budget',
      options: {
        limits: [
          { id: 'few', scope: 'key', unit: 'tokens', limit: 4000, window: 'day' },
          { id: 'asked', scope: 'key', unit: 'requests', limit: 4, window: 'day' },
        ],
      },
    },
  ]
  const { provider, gateway } = await setup(t, { plugins })
  const usage = { ...USAGE, input_tokens: 3000, output_tokens: 1000, total_tokens: 4000 }
  const whole = response({ output: [said('fine')], usage })
  const headers = { ...bearer(USER_KEY), 'x-service-session-id': 's1' }
  const get = (path: string) => send(`${gateway.baseURL}/responses/${path}`, { method: 'GET', headers })
  provider.reply(json(whole), json(whole), stream(message(['fine', ' too']), { done: false }), json(whole))
  const made = await respond(gateway, { max_output_tokens: 50 }, { headers })
  assert.equal(made.headers['x-service-turn-index'], '0')
  for (const path of ['resp_a1', 'resp_a1?stream=true', 'resp_a1']) {
    const reply = await get(path)
    assert.deepEqual([reply.status, reply.headers['x-service-turn-index']], [200, undefined])
    await reply.text()
  }
  const beyond = await get('resp_a1')
  assert.equal(beyond.status, 403)
  assert.match(await beyond.text(), /asked/)
})

it('sessions count the turns of a conversation that the client sends in full', async (t) => {
  const { provider, gateway } = await setup(t, { plugins: [{ use: 'sessions' }] })
  const reply = () => json(response({ output: [said('Hello.')] }))
  provider.reply(reply(), reply())
  const first = await respond(gateway, { input: [{ role: 'user', content: 'Hi' }] })
  const second = await respond(gateway, {
    input: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'And?' },
    ],
  })
  assert.equal(second.headers['x-service-session-id'], first.headers['x-service-session-id'])
  assert.deepEqual(
    [first, second].map(({ headers }) => headers['x-service-turn-index']),
    ['0', '1'],
  )
})

it('strict refuses what cannot be inspected, and warns otherwise', async (t) => {
  const { provider, gateway } = await setup(t, { plugins: [{ use: 'flags' }, { use: 'pii' }] })
  const sealed =
    'rC2XUfOcYiIZNgZpggGmXqNIHeeuZRw7gacQzDb3eRwJ3ALjIDlE04PRTffAgEObCg1KIK7Ombm/pQL+o+iE64iw70vVrCezauMLU8ft'
  for (const [kind, body] of [
    [
      'image_url',
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://a.example/x.png' }] }] },
    ],
    ['file', { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file-a1' }] }] }],
    ['encrypted_content', { input: [{ type: 'reasoning', id: 'rs_a1', summary: [], encrypted_content: sealed }] }],
    ['prompt_template', { prompt: { id: 'pmpt_a1' } }],
    ['unknown_item', { input: [{ type: 'vendor_thing', note: 'x' }] }],
  ] as const) {
    provider.reply(json(response({ output: [said('ok')] })))
    const { service } = (await (await respond(gateway, body)).json()) as { service: { warnings: string[] } }
    assert.deepEqual(service.warnings, [`uninspected:${kind}=1`])
    const strict = await respond(gateway, body, { headers: { 'x-service-flags': 'mode=strict' } })
    assert.equal(strict.status, 422, kind)
  }
})
