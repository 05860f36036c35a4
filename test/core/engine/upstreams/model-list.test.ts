import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { bearer, startTestGateway, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

const NAMES = [
  'gpt-4o-2024-08-06',
  'gpt-4-0125-preview',
  'claude-3-5-sonnet-20241022',
  'claude@20250514',
  'command-r-08-2024',
  '@cf/meta/llama-3.1-8b-instruct',
  'ft:gpt-4o-mini-2024-07-18:acme:mail:abc123',
  'accounts/fireworks/models/qwen3-235b-a22b',
]
const VALUES = [
  '4111111111111111',
  'model-4111-1111-1111-1111',
  '078-05-1120',
  'DE89370400440532013000',
  '+14155552671',
  'AKIAIOSFODNN7EXAMPLQ',
  `ghp_${'A1b2C3d4E5f6'.repeat(3)}`,
  'jane.roe@example.com',
]

it('a list of models has names, and nothing that may be a value', async (t) => {
  const data = [
    ...[...NAMES, ...VALUES].map((id) => ({ id, object: 'model', owned_by: 'acme' })),
    ...VALUES.map((value, i) => ({ id: `m${i}`, owned_by: value, created: value, [value]: value, note: value })),
  ]
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ object: 'list', data }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const upstreamUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const gateway = await startTestGateway({ upstreamUrl })
  t.after(() => gateway.close())
  for (const form of [{}, { 'anthropic-version': '2023-06-01' }]) {
    const reply = await send(`${gateway.url}/v1/models?limit=1000`, { headers: { ...bearer(USER_KEY), ...form } })
    const text = await reply.text()
    assert.deepEqual(
      VALUES.filter((value) => text.includes(value)),
      [],
    )
    const listed = (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id)
    assert.deepEqual(listed.sort(), [...NAMES, ...VALUES.map((_, i) => `m${i}`)].sort())
  }
  for (const value of VALUES) {
    const reply = await send(`${gateway.url}/v1/models/${encodeURIComponent(value)}`, { headers: bearer(USER_KEY) })
    assert.equal(reply.status, 404)
    assert.ok(!(await reply.text()).includes(value))
  }
})
