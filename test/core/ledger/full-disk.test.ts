import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { GovernanceEvent } from '../../../core/plugin.ts'
import { verify } from '../../../core/store/canonical.ts'
import { GENESIS } from '../../../core/store/ops.ts'
import { chunks, stream } from '../../../core/testing/provider.ts'
import { asking, post, setup } from '../../helpers/gateway.ts'
import { isTerminal, reader, trail } from './faults.ts'

test('on a full disk what runs is recorded, nothing new is sent, and it heals by itself', async (t) => {
  const disk = mkdtempSync(join(tmpdir(), 'gg-ledger-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk], { stdio: 'pipe' })
  } catch (cause) {
    throw new Error('This test mounts a tmpfs and needs root; run the tests as root in a container.', { cause })
  }
  t.after(() => {
    execFileSync('umount', ['--lazy', disk])
    rmdirSync(disk)
  })
  const path = join(disk, 'data')
  const specs = new Map([['reader', reader]])
  const { gateway, provider } = await setup(t, {
    plugins: [{ use: 'reader' }],
    specs,
    config: { store: `file:${path}`, log: { level: 'silent' } },
  })
  const told = async (type: string): Promise<GovernanceEvent> => {
    for (;;) {
      const line = gateway.log.find(({ event }) => (event as GovernanceEvent | undefined)?.type === type)
      if (line !== undefined) return line.event as GovernanceEvent
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const go = Promise.withResolvers<void>()
  const [first, ...rest] = chunks('Hello there')
  provider.reply(stream([first as never, go.promise, ...(rest as never[])]))
  const running = await post(gateway, asking('Hello', { stream: true }))
  await running.event()

  const filler = join(disk, 'filler')
  for (const size of [1 << 20, 1 << 12, 1]) {
    const bytes = Buffer.alloc(size, 1)
    try {
      for (;;) appendFileSync(filler, bytes)
    } catch {
      // Smaller pieces until nothing fits.
    }
  }
  const refused: string[] = []
  while (refused.length < 3) {
    const reply = await post(gateway, asking('Hello'))
    await reply.text()
    if (reply.status === 503) refused.push(reply.headers['x-request-id'] as string)
    else assert.equal(reply.status, 200)
  }
  const sent = provider.requests.length
  await told('store.unavailable')
  go.resolve()
  assert.equal((await running.events()).at(-1), '[DONE]')
  assert.equal((await (await post(gateway)).json()).error !== undefined, true)
  assert.equal(provider.requests.length, sent)

  rmSync(filler)
  await told('store.recovered')
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
  const head = { seq: 0, hash: GENESIS }
  assert.deepEqual(
    records.flatMap((record) => verify(record, head) ?? []),
    [],
  )
})
