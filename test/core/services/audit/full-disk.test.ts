import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chunks, stream } from '../../../../core/testing/provider.ts'
import { assertChained } from '../../../helpers/chain.ts'
import { asking, post, setup } from '../../../helpers/gateway.ts'
import { smallDisk } from '../../../helpers/small-disk.ts'
import { told as toldIn } from '../../../helpers/until.ts'
import { isTerminal, reader, trail } from './faults.ts'

test('on a full disk what runs is recorded, nothing new is sent, and it heals by itself', async (t) => {
  const disk = smallDisk(t)
  const { path } = disk
  const specs = new Map([['reader', reader]])
  const { gateway, provider } = await setup(t, {
    plugins: [{ use: 'reader' }],
    specs,
    config: { store: `file:${path}`, log: { level: 'silent' } },
  })
  const go = Promise.withResolvers<void>()
  const [first, ...rest] = chunks('Hello there')
  provider.reply(stream([first as never, go.promise, ...(rest as never[])]))
  const running = await post(gateway, asking('Hello', { stream: true }))
  await running.event()

  disk.fill()
  const refused: string[] = []
  while (refused.length < 3) {
    const reply = await post(gateway, asking('Hello'))
    await reply.text()
    if (reply.status === 503) refused.push(reply.headers['x-request-id'] as string)
    else assert.equal(reply.status, 200)
  }
  const sent = provider.requests.length
  await toldIn(gateway.log, 'store.unavailable')
  go.resolve()
  assert.equal((await running.events()).at(-1), '[DONE]')
  assert.equal((await (await post(gateway)).json()).error !== undefined, true)
  assert.equal(provider.requests.length, sent)

  disk.empty()
  await toldIn(gateway.log, 'store.recovered')
  const next = await post(gateway)
  assert.equal(next.status, 200)
  await next.text()
  await gateway.close()
  const records = await trail(path)
  const ids = [running, next].map(({ headers }) => headers['x-request-id'] as string)
  for (const id of [...ids, ...refused]) {
    const last = records.filter((record) => record.request_id === id && isTerminal(record)).map(({ type }) => type)
    assert.deepEqual(last, [ids.includes(id) ? 'request.completed' : 'request.rejected'], id)
  }
  assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
  assertChained(records)
})

for (const left of [500_000, 10_000_000]) {
  test(`a start on a disk with ${left} bytes left warns`, async (t) => {
    const disk = smallDisk(t)
    const config = { store: `file:${disk.path}` }
    const first = await setup(t, { config })
    assert.deepEqual(first.gateway.log.filter(told), [])
    await first.gateway.close()
    rmSync(join(disk.path, 'store.db-ballast'))
    disk.fill(left)
    const { gateway } = await setup(t, { config })
    const [line, ...more] = gateway.log.filter(told)
    assert.deepEqual([line?.level, more.length], ['warn', 0])
    assert.match(String(line?.problem), /store\.db.*Free space there/)
    disk.empty()
  })
}

const told = ({ msg }: Record<string, unknown>): boolean => String(msg).startsWith('the store has no room')
