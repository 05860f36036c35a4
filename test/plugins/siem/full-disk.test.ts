/** A disk that fills up under the audit log, while a receiver is away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { respond } from 'governed-gateway/testing'
import { isTerminal, trail } from '../../core/services/audit/faults.ts'
import { asking, post, type TestGateway } from '../../helpers/gateway.ts'
import { smallDisk } from '../../helpers/small-disk.ts'
import { told, until } from '../../helpers/until.ts'
import { exporting } from './helpers.ts'

const logged = ({ log }: TestGateway, type: string): Promise<GovernanceEvent> => told(log, type)

test('a full disk refuses requests, delivers what waits, and loses and doubles nothing', async (t) => {
  const disk = smallDisk(t)
  const { receiver, gateway, provider } = await exporting(t, {}, { config: { store: `file:${disk.path}` } })
  const taken: GovernanceEvent[] = []
  const take: Parameters<typeof receiver.otherwise>[0] = (x) => {
    taken.push(...(x.request.json as unknown as GovernanceEvent[]))
    return respond(200)(x)
  }
  const arrived = (ids: readonly string[]): Promise<unknown> =>
    until(() => ids.every((id) => taken.some((event) => event.request_id === id && isTerminal(event as never))))
  const ask = async (stream = false) => {
    const reply = await post(gateway, asking('Hello', { stream }))
    await reply.text()
    return { status: reply.status, id: reply.headers['x-request-id'] as string }
  }

  receiver.otherwise(respond(503))
  const answered: string[] = []
  for (let i = 0; i < 6; i++) {
    const { status, id } = await ask(i % 2 === 1)
    assert.equal(status, 200)
    answered.push(id)
  }
  await receiver.next()
  disk.fill()
  const refused: string[] = []
  while (refused.length < 4) {
    const { status, id } = await ask(refused.length % 2 === 1)
    if (status === 503) refused.push(id)
    else answered.push(id)
  }
  const sent = provider.requests.length
  assert.equal(sent, answered.length)
  // The receiver is back before the disk is: delivery goes on, and is no reason to let requests through.
  receiver.otherwise(take)
  await arrived(answered)
  assert.equal((await ask()).status, 503)
  assert.equal(provider.requests.length, sent)

  disk.empty()
  await logged(gateway, 'store.recovered')
  const { status, id } = await ask()
  assert.equal(status, 200)
  await arrived([...refused, id])
  await gateway.close()
  const records = await trail(disk.path)
  const delivered = new Map(taken.map((event) => [event.id, event]))
  for (const event of taken) assert.deepEqual(event, delivered.get(event.id), 'what comes again is the same')
  assert.deepEqual([...delivered.keys()].toSorted(), records.map((record) => String(record.id)).toSorted())
  for (const one of [...answered, ...refused, id]) {
    const ends = [...delivered.values()].filter((event) => event.request_id === one && isTerminal(event as never))
    assert.deepEqual(
      ends.map(({ type }) => type),
      [refused.includes(one) ? 'request.rejected' : 'request.completed'],
    )
  }
})
