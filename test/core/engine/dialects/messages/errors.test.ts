/** Errors of paths without a dialect have the form that their client reads. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { running } from '../../../../helpers/core.ts'
import { bearer, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'

for (const [method, path, key, status, type] of [
  ['GET', '/models/unknown', USER_KEY, 404, 'not_found_error'],
  ['GET', '/models', 'wrong', 401, 'authentication_error'],
  ['GET', '/messages/batches', USER_KEY, 404, 'not_found_error'],
  ['POST', '/messages/batches?limit=1', USER_KEY, 404, 'not_found_error'],
] as const) {
  it(`${method} ${path} answers ${status} in Anthropic's form to its clients, in that of OpenAI to others`, async (t) => {
    const { gateway } = await running(t, [])
    const ask = async (more: Record<string, string>) => {
      const headers = { ...bearer(key), ...more }
      const reply = await send(`${gateway.baseURL}${path}`, {
        method,
        headers,
        ...(method === 'POST' ? { body: {} } : {}),
      })
      return { status: reply.status, body: (await reply.json()) as { type?: string; error: { type: string } } }
    }
    const own = await ask({ 'anthropic-version': '2023-06-01' })
    assert.deepEqual([own.status, own.body.type, own.body.error.type], [status, 'error', type])
    const other = await ask({})
    assert.deepEqual([other.status, other.body.type], [status, undefined])
  })
}
