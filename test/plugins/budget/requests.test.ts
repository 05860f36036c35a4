import assert from 'node:assert/strict'
import { Agent, request as open } from 'node:http'
import { test } from 'node:test'
import { chat } from '../../../core/testing/provider.ts'
import { asking, bearer, setup, type TestGateway, USER_KEY } from '../../helpers/gateway.ts'

const limited = (limit: number, more: object = {}) => [
  {
    use: 'budget',
    options: { limits: [{ scope: 'key', unit: 'requests', limit, window: 'month' }], ...more },
  },
]

/** Sends over kept connections: two thousand new ones would measure the kernel. */
function sender(gateway: TestGateway, agent: Agent) {
  return (body: object) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    const text = JSON.stringify(body)
    const headers = {
      ...bearer(USER_KEY),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const request = open(`${gateway.baseURL}/chat/completions`, { agent, method: 'POST', headers })
    request.once('response', async (message) => {
      const chunks: Buffer[] = []
      for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
      resolve({ status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
    })
    request.once('error', reject)
    request.end(text)
    return promise
  }
}

for (const stream of [false, true]) {
  test(`of 2,000 requests at once against 500 exactly 500 are sent (stream: ${stream})`, async (t) => {
    const { provider, gateway } = await setup(t, { plugins: limited(500) })
    provider.otherwise(chat('Fine'))
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    t.after(() => agent.destroy())
    const send = sender(gateway, agent)
    const replies = await Promise.all(Array.from({ length: 2000 }, () => send(asking('Hello', { stream }))))
    const statuses = new Map<number, number>()
    for (const { status } of replies) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    assert.deepEqual([...statuses].sort(), [
      [200, 500],
      [403, 1500],
    ])
    assert.equal(provider.requests.length, 500)
    const { error } = JSON.parse((replies.find(({ status }) => status === 403) as { text: string }).text)
    assert.equal(error.type, 'policy_block')
    assert.equal(error.code, 'budget_exceeded')
    assert.deepEqual([error.limit, error.scope, error.unit, error.left], [500, 'key', 'requests', 0])
    assert.ok(Date.parse(error.resets_at) > Date.now())
  })
}
