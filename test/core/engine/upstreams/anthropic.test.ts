import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completion, json } from 'governed-gateway/testing'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { asking, bearer, post, setup, UPSTREAM_KEY, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

/** Chat is simpler to ask, and Anthropic serves it too. */
const upstream = { kind: 'anthropic', shapes: ['chat-completions'] }
const BETAS = [
  'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
  'thinking-token-count-2026-05-13, advanced-tool-use-2025-11-20',
  'fine-grained-tool-streaming-2025-05-14',
  'context-1m-2025-08-07',
  'oauth-2025-04-20',
  'max-tokens-3-5-sonnet-2024-07-15,token-efficient-tools-2025-02-19,output-128k-2025-02-19',
]

describe('an upstream of kind anthropic', () => {
  it("gets the upstream's key as x-api-key, a version, and nothing of the client's key", async (t) => {
    const { gateway, provider } = await setup(t, { upstream })
    for (const headers of [bearer(USER_KEY), { 'x-api-key': USER_KEY }, { 'api-key': USER_KEY }]) {
      const reply = await send(`${gateway.baseURL}/chat/completions`, { body: asking(), headers })
      assert.equal(reply.status, 200)
      await reply.text()
      const sent = await provider.next()
      assert.equal(sent.headers['x-api-key'], UPSTREAM_KEY)
      assert.equal(sent.headers['anthropic-version'], '2023-06-01')
      assert.equal(sent.headers.authorization, undefined)
      assert.equal(sent.headers['api-key'], undefined)
      assert.ok(!JSON.stringify(sent.rawHeaders).includes(USER_KEY))
      assert.equal(sent.headers['accept-encoding'], 'identity')
    }
  })

  it('gets no key when the config has none', async (t) => {
    const { gateway, provider } = await setup(t, { upstream: { ...upstream, key: undefined } })
    await (await post(gateway, asking(), { headers: { 'x-api-key': USER_KEY } })).text()
    const { headers } = await provider.next()
    assert.deepEqual(
      [headers.authorization, headers['x-api-key'], headers['api-key']],
      [undefined, undefined, undefined],
    )
  })

  it("gets the client's version and features, whole, in their shape", async (t) => {
    const { gateway, provider } = await setup(t, { upstream })
    for (const beta of BETAS) {
      const headers = { 'anthropic-beta': beta, 'anthropic-version': '2026-10-21' }
      await (await post(gateway, asking(), { headers })).text()
      const sent = await provider.next()
      assert.equal(sent.headers['anthropic-beta'], beta)
      assert.equal(sent.headers['anthropic-version'], '2026-10-21')
    }
    const repeated = { 'anthropic-beta': ['files-api-2025-04-14', 'mcp-client-2025-04-04'] }
    await (await post(gateway, asking(), { headers: repeated })).text()
    assert.equal((await provider.next()).headers['anthropic-beta'], 'files-api-2025-04-14, mcp-client-2025-04-04')
  })

  it('gets no value of the client in these headers, and the reply counts what was withheld', async (t) => {
    const specs = new Map([['none', { name: 'none', schema: EMPTY, create: () => ({ apply: () => {} }) } as never]])
    const { gateway, provider } = await setup(t, { upstream, plugins: [{ use: 'none' }], specs })
    const values = [
      '4111-1111-1111-1111',
      'a-2025-05-14-4111111111111111',
      'jane@example.org',
      USER_KEY,
      'two words',
      '',
    ]
    // Words that may be read in two ways, as many as fit: each must be read once.
    const ambiguous = Array.from({ length: 31 }, () => `a${'-a'.repeat(30)}!`).join(',')
    for (const value of [...values, 'x'.repeat(3000), 'files-api-2025-04-14,,', ambiguous]) {
      const headers = { 'anthropic-beta': value, 'anthropic-version': value.slice(0, 64) }
      const reply = await post(gateway, asking(), { headers })
      const { service } = (await reply.json()) as { service: { warnings?: string[] } }
      const sent = await provider.next()
      assert.equal(sent.headers['anthropic-beta'], undefined, value)
      assert.equal(sent.headers['anthropic-version'], '2023-06-01')
      assert.deepEqual(service.warnings, ['withheld_headers=2'], value)
    }
  })

  it("gets the config's version unless the client names one; its names of headers take any case", async (t) => {
    const headers = { 'Anthropic-Version': '2024-01-01', 'X-Api-Key': 'the key in the config wins' }
    const { gateway, provider } = await setup(t, { upstream: { ...upstream, headers } })
    await (await post(gateway)).text()
    const first = await provider.next()
    assert.equal(first.headers['anthropic-version'], '2024-01-01')
    assert.equal(first.headers['x-api-key'], UPSTREAM_KEY)
    await (await post(gateway, asking(), { headers: { 'anthropic-version': '2023-06-01' } })).text()
    assert.equal((await provider.next()).headers['anthropic-version'], '2023-06-01')
  })

  it('tells its request id and rate limits, in their shape', async (t) => {
    const { gateway, provider } = await setup(t, { upstream })
    const headers = {
      'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy',
      'anthropic-ratelimit-input-tokens-remaining': '39000',
      'anthropic-ratelimit-requests-reset': '2026-11-22T19:30:00Z',
      'anthropic-ratelimit-tokens-limit': '4111-1111-1111-1111',
      'anthropic-organization-id': '0f7f5d2c-89ab-4def-8123-456789abcdef',
    }
    provider.reply(json(completion('Hi'), { headers }))
    const reply = await post(gateway)
    await reply.text()
    assert.equal(reply.headers['x-upstream-request-id'], headers['request-id'])
    assert.equal(reply.headers['x-upstream-ratelimit-input-tokens-remaining'], '39000')
    assert.equal(reply.headers['x-upstream-ratelimit-requests-reset'], '2026-11-22T19:30:00Z')
    assert.doesNotMatch(JSON.stringify(reply.headers), /4111|anthropic-|0f7f5d2c/)
    for (const id of ['req_01411111111111111111', 'req_011CSHoEeqs5C35K2UUq 7Fy', '4111111111111111']) {
      provider.reply(json(completion('Hi'), { headers: { 'request-id': id } }))
      const other = await post(gateway)
      await other.text()
      assert.equal(other.headers['x-upstream-request-id'], undefined, id)
    }
  })

  it('lists its models', async (t) => {
    const { gateway, provider } = await setup(t, { upstream })
    const model = (id: string, created_at: string) => ({ type: 'model', id, display_name: 'Some name', created_at })
    const data = [model('claude-b', '2025-05-14T00:00:00Z'), model('claude-a', 'soon'), model('a secret?', '2025')]
    provider.reply(json({ data, has_more: false, first_id: 'claude-b', last_id: 'claude-a' }))
    const reply = await send(`${gateway.baseURL}/models`, { headers: { 'x-api-key': USER_KEY } })
    const list = (await reply.json()) as { data: { id: string; created: number }[] }
    assert.deepEqual(
      list.data.map(({ id, created }) => [id, created]),
      [
        ['claude-a', 0],
        ['claude-b', 1747180800],
      ],
    )
    const asked = await provider.next()
    assert.equal(asked.url, '/v1/models?limit=1000')
    assert.equal(asked.headers['x-api-key'], UPSTREAM_KEY)
    assert.equal(asked.headers['anthropic-version'], '2023-06-01')
  })

  it('needs a url, which ends with the version', () => {
    const problem = (member: string) => {
      try {
        parseConfig(`upstreams: { claude: { kind: anthropic${member} } }`, 'g.yaml', {})
      } catch (error) {
        return (error as Error).message
      }
      return undefined
    }
    assert.match(problem('') ?? '', /upstreams\.claude: needs "url", such as https:\/\/api\.anthropic\.com\/v1/)
    assert.match(
      problem(', url: https://api.anthropic.com/v1/messages') ?? '',
      /must end before \/messages: write it like https:\/\/api\.anthropic\.com\/v1/,
    )
    assert.equal(problem(', url: https://api.anthropic.com/v1'), undefined)
  })
})

const EMPTY = { type: 'object', properties: {}, additionalProperties: false }
