import assert from 'node:assert/strict'
import { it } from 'node:test'
import { respond, startReceiver } from '../../../core/testing/receiver.ts'
import { send } from '../../helpers/http.ts'

it('the receiver records deliveries and answers as told', async (t) => {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const gate = Promise.withResolvers<void>()
  receiver.reply(
    respond(503, 'busy', { 'retry-after': '1' }),
    respond(202, { ok: true }),
    respond(200, '', {}, gate.promise),
  )

  const refused = await send(receiver.url, { body: [{ id: 1 }] })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(await refused.text(), 'busy')
  assert.deepEqual((await receiver.next()).json, [{ id: 1 }])

  assert.deepEqual(await (await send(receiver.url, { body: {} })).json(), { ok: true })
  await receiver.next()

  const slow = send(receiver.url, { body: {} })
  await receiver.next()
  assert.equal(receiver.open, 1)
  gate.resolve()
  assert.equal((await slow).status, 200)
  assert.equal((await send(receiver.url, { body: {} })).status, 200)
})

it('the receiver rejects a pending next when it closes', async () => {
  const receiver = await startReceiver()
  const next = receiver.next()
  await Promise.all([receiver.close(), assert.rejects(next, /closed/)])
})
