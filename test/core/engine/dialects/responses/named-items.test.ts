/** The provider looks up an item that comes with its id and without its content, so the key must have made it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonObject, json, type Script, stream } from '../../../../../core/testing/provider.ts'
import { running } from '../../../../helpers/core.ts'
import { ADMIN_KEY, bearer, setup, type TestGateway, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'
import { fixture, MODEL, message, respond, response, said } from './responding.ts'

const OUTPUT = [
  said('ok'),
  { id: 'rs_a1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Thought.' }] },
  { id: 'ig_a1', type: 'image_generation_call', status: 'completed', result: 'iVBORw0KGgo=' },
  { id: 'ws_a1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'tides' } },
  { id: 'fc_a1', type: 'function_call', call_id: 'call_a1', name: 'save', arguments: '{}', status: 'completed' },
  { id: 'mcpl_a1', type: 'mcp_list_tools', server_label: 'crm', tools: [{ name: 'get', input_schema: {} }] },
  { id: 'mcpr_a1', type: 'mcp_approval_request', server_label: 'crm', name: 'get', arguments: '{}' },
  { id: 'cmp_a1', type: 'compaction', encrypted_content: 'sealed' },
  { id: 'new_a1', type: 'new_item', note: 'x' },
] as unknown as JsonObject[]

const NAMED: readonly JsonObject[] = [
  { type: 'item_reference', id: 'rs_a1' },
  { type: 'reasoning', id: 'rs_a1', summary: [] },
  { type: 'reasoning', id: 'rs_a1', summary: [{ type: 'summary_text', text: 'Thought.' }], content: [] },
  { type: 'reasoning', id: 'rs_a1', summary: [], content: null, encrypted_content: null, status: null },
  { type: 'reasoning', id: 'rs_a1', summary: [], encrypted_content: '' },
  { type: 'reasoning', id: 'rs_a1', summary: [], arguments: '{}' },
  { type: 'image_generation_call', id: 'ig_a1' },
  { type: 'image_generation_call', id: 'ig_a1', status: 'completed', result: null, revised_prompt: 'A cat' },
  { type: 'image_generation_call', id: 'ig_a1', status: 'completed', result: '', content: 'x' },
  { type: 'message', role: 'assistant', id: 'msg_a1' },
  { role: 'assistant', id: 'msg_a1', content: null },
  { type: 'message', role: 'assistant', id: 'msg_a1', status: 'in_progress', content: [] },
  { type: 'web_search_call', id: 'ws_a1', status: 'completed' },
  { type: 'web_search_call', id: 'ws_a1', action: {} },
  { type: 'function_call', id: 'fc_a1', call_id: 'call_a1', name: 'save' },
  { type: 'mcp_list_tools', id: 'mcpl_a1', server_label: 'crm', tools: [] },
  { type: 'compaction', id: 'cmp_a1' },
  { type: 'compaction_trigger', id: 'cmp_a1' },
  { type: 'new_item', id: 'new_a1', status: 'completed', call_id: 'call_a1', note: null },
]

const ROUTES = ['', '/input_tokens', '/compact'] as const

/** What each route answers. */
const anyRoute: Script = (exchange) => {
  const path = exchange.request.url
  if (path.endsWith('/input_tokens')) return json({ object: 'response.input_tokens', input_tokens: 9 })(exchange)
  const object = path.endsWith('/compact') ? 'response.compaction' : 'response'
  return json(response({ id: 'resp_a2', object, output: [{ ...said('ok'), id: 'msg_a2' }] }))(exchange)
}

const made = (streamed: boolean): Script =>
  streamed ? stream(message(['ok'], { output: OUTPUT }), { done: false }) : json(response({ output: OUTPUT }))

interface Told {
  status: number
  error?: Record<string, unknown>
}

async function named(gateway: TestGateway, route: string, input: readonly JsonObject[], key = USER_KEY): Promise<Told> {
  const body = { model: MODEL, input: [{ role: 'user', content: 'Go on' }, ...input] }
  const reply = await send(`${gateway.baseURL}/responses${route}`, { body, headers: bearer(key) })
  const { error } = (await reply.json()) as { error?: Record<string, unknown> | null }
  return { status: reply.status, ...(error && { error: { ...error, request_id: undefined } }) }
}

describe('items that are only named', () => {
  for (const streamed of [false, true]) {
    for (const route of ROUTES) {
      it(`are the key's own, made ${streamed ? 'streamed' : 'buffered'}, on /responses${route}`, async (t) => {
        const { provider, gateway } = await running(t, [])
        provider.reply(made(streamed))
        await (await respond(gateway, { stream: streamed })).text()
        provider.otherwise(anyRoute)
        for (const item of NAMED) {
          const told = JSON.stringify(item)
          assert.deepEqual(await named(gateway, route, [item]), { status: 200 }, told)
          const before = provider.requests.length
          const foreign = await named(gateway, route, [item], ADMIN_KEY)
          const unknown = await named(gateway, route, [{ ...item, id: 'rs_nobody1' }], ADMIN_KEY)
          assert.deepEqual([foreign.status, foreign.error?.code], [404, 'reference_not_found'], told)
          assert.equal(foreign.error?.param, 'input[1].id')
          assert.deepEqual(foreign, unknown)
          assert.equal(provider.requests.length, before)
        }
      })
    }
  }

  it('are unknown if the client said that nothing is stored', async (t) => {
    const { provider, gateway } = await running(t, [])
    provider.reply(json(response({ output: OUTPUT })))
    await (await respond(gateway, { store: false })).text()
    for (const item of NAMED) assert.equal((await named(gateway, '', [item])).status, 404)
    assert.equal(provider.requests.length, 1)
  })

  it("are the key's own where they are approved", async (t) => {
    const { provider, gateway } = await running(t, [])
    provider.reply(json(response({ output: OUTPUT })))
    await (await respond(gateway)).text()
    provider.otherwise(anyRoute)
    const approval = { type: 'mcp_approval_response', approval_request_id: 'mcpr_a1', approve: true }
    assert.equal((await named(gateway, '', [approval])).status, 200)
    const { status, error } = await named(gateway, '', [approval], ADMIN_KEY)
    assert.deepEqual([status, error?.param], [404, 'input[1].approval_request_id'])
    const request = OUTPUT.find(({ id }) => id === 'mcpr_a1') as JsonObject
    assert.equal((await named(gateway, '', [request, approval], ADMIN_KEY)).status, 200)
    const only = { type: request.type as string, id: request.id as string }
    assert.equal((await named(gateway, '', [only, approval], ADMIN_KEY)).status, 404)
  })

  it('are refused in strict mode where they are pictures, and warned of otherwise', async (t) => {
    const { provider, gateway } = await setup(t, { plugins: [{ use: 'flags' }, { use: 'pii' }] })
    provider.reply(json(response({ output: OUTPUT })))
    await (await respond(gateway)).text()
    provider.otherwise(anyRoute)
    const body = { input: [{ type: 'image_generation_call', id: 'ig_a1' }] }
    const { service } = (await (await respond(gateway, body)).json()) as { service: { warnings: string[] } }
    assert.deepEqual(service.warnings, ['uninspected:image_url=1'])
    const headers = { 'x-service-flags': 'mode=strict' }
    assert.equal((await respond(gateway, body, { headers })).status, 422)
    const thought = { input: [{ type: 'reasoning', id: 'rs_a1', summary: [] }] }
    assert.equal((await respond(gateway, thought, { headers })).status, 200)
  })
})

describe('items with their content', () => {
  const NOT_WHOLE = new Set(['item_reference', 'compaction_trigger'])
  const { input } = JSON.parse(fixture('all-items.request.json')) as { input: JsonObject[] }
  const whole = input.filter(({ type, role }) => !(type === undefined ? role === undefined : NOT_WHOLE.has(`${type}`)))

  for (const route of ROUTES) {
    it(`pass with any id on /responses${route}`, async (t) => {
      const { provider, gateway } = await running(t, [])
      provider.otherwise(anyRoute)
      const items: JsonObject[] = [
        ...whole.map((item, i) => ({ id: `own_${i}`, ...item })),
        // Nothing said, nothing printed.
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'now', arguments: '' },
        { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: '' },
        { type: 'local_shell_call_output', id: 'call_2', output: '' },
        // Open models tell their reasoning.
        { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: 'Well' }] },
        // No id, so nothing that could be looked up.
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Well' }], encrypted_content: null },
        { type: 'reasoning', id: null, summary: [] },
        { type: 'reasoning', id: '', summary: [] },
      ]
      assert.deepEqual(await named(gateway, route, items), { status: 200 })
      const sent = provider.requests[0]?.json as { input: JsonObject[] } | undefined
      assert.deepEqual(sent?.input.slice(1), items)
    })
  }
})
