/** What else clients send to the path of responses. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { it } from 'node:test'
import { running } from '../../../../helpers/core.ts'
import { bearer, USER_KEY } from '../../../../helpers/gateway.ts'
import { send } from '../../../../helpers/http.ts'

it('a WebSocket is refused with 426, which makes Codex use POST at once', async (t) => {
  const { gateway } = await running(t, [])
  const headers = { ...bearer(USER_KEY), connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const status = await new Promise((resolve, reject) => {
    const req = request(`${gateway.baseURL}/responses`, { headers }, (res) => resolve(res.resume().statusCode))
    req.on('upgrade', (_res, socket) => {
      socket.destroy()
      resolve(101)
    })
    req.on('error', reject).end()
  })
  assert.equal(status, 426)
})

it('a plain GET is not served', async (t) => {
  const { gateway } = await running(t, [])
  const headers = bearer(USER_KEY)
  assert.equal((await send(`${gateway.baseURL}/responses`, { method: 'GET', headers })).status, 405)
})

it('a query after the path does not matter', async (t) => {
  const { gateway, provider } = await running(t, [])
  const { json } = await import('../../../../../core/testing/provider.ts')
  provider.reply(json({ object: 'response', output: [] }))
  const body = { model: 'gpt-test', input: 'Hello' }
  const reply = await send(`${gateway.baseURL}/responses?beta=true`, { body, headers: bearer(USER_KEY) })
  assert.equal(reply.status, 200)
})
