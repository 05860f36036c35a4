import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import type { JsonObject } from '../../../../core/engine/contract/store.ts'
import { assertChained } from '../../../helpers/chain.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { asking, post, type Setup, setup, type TestGateway } from '../../../helpers/gateway.ts'
import { told as toldIn, until } from '../../../helpers/until.ts'
import { Faults, isTerminal, reader, requests, trail } from './faults.ts'

const specs = new Map([
  ['reader', reader],
  ['requests', requests(100)],
])

interface Rig extends Setup {
  readonly faults: Faults
  readonly path: string
}

async function rig(
  t: Parameters<typeof setup>[0] & { after(fn: () => void): void },
  config: object = {},
): Promise<Rig> {
  const path = temporaryFolder()
  const faults = new Faults(t)
  const parts = await setup(t, { plugins: [{ use: 'reader' }], specs, config: { store: `file:${path}`, ...config } })
  return { ...parts, faults, path }
}

/** The first event of a type that the gateway told. */
const told = ({ log }: TestGateway, type: string): Promise<GovernanceEvent> => toldIn(log, type)

const spilled = (path: string): string[] => (existsSync(join(path, 'spill')) ? readdirSync(join(path, 'spill')) : [])

/** One last event for each exchange, and no event twice. */
function assertWhole(records: readonly JsonObject[], ids: readonly (string | undefined)[]): void {
  for (const id of ids) {
    const last = records.filter((record) => record.request_id === id && isTerminal(record))
    assert.equal(last.length, 1, `${id}: ${last.map(({ type }) => type)}`)
  }
  assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
  assertChained(records)
}

for (const stream of [false, true]) {
  for (const fault of ['before', 'after'] as const) {
    test(`what cannot be begun is not sent; it is in the log later (${fault}, stream: ${stream})`, async (t) => {
      const { gateway, provider, faults, path } = await rig(t)
      faults.begin(fault)
      const reply = await post(gateway, asking('Hello', { stream }))
      assert.equal(reply.status, 503)
      assert.equal(reply.headers['retry-after'], '1')
      assert.equal(((await reply.json()) as { error: { code: string } }).error.code, 'audit_unavailable')
      assert.equal(provider.requests.length, 0)
      assert.equal((await told(gateway, 'store.unavailable')).audit, 'block')
      // An attempt to write begins a new file.
      assert.ok(spilled(path).length > 0)
      for (const file of spilled(path)) assert.equal(statSync(join(path, 'spill', file)).mode & 0o777, 0o600)
      faults.end()
      await told(gateway, 'store.recovered')
      assert.deepEqual(spilled(path), [])
      const next = await post(gateway, asking('Hello', { stream }))
      assert.equal(next.status, 200)
      await next.text()
      await gateway.close()
      const records = await trail(path)
      assertWhole(records, [reply.headers['x-request-id'] as string, next.headers['x-request-id'] as string])
      assert.ok(records.some(({ type }) => type === 'store.unavailable'))
      assert.ok(records.some(({ type }) => type === 'store.recovered'))
    })

    test(`on_error: allow goes on, and the log has it later (${fault}, stream: ${stream})`, async (t) => {
      const { gateway, faults, path } = await rig(t, { audit: { on_error: 'allow' } })
      faults.begin(fault)
      const replies = await Promise.all([1, 2, 3].map(() => post(gateway, asking('Hello', { stream }))))
      for (const reply of replies) {
        assert.equal(reply.status, 200)
        await reply.text()
      }
      faults.end()
      assert.equal((await told(gateway, 'store.recovered')).allowed, 3)
      await gateway.close()
      assertWhole(
        await trail(path),
        replies.map(({ headers }) => headers['x-request-id'] as string),
      )
    })

    test(`what cannot be ended is put by before the last byte (${fault}, stream: ${stream})`, async (t) => {
      const { gateway, faults, path } = await rig(t)
      faults.begin(fault, 'end', 'append', 'increment', 'renew')
      const reply = await post(gateway, asking('Hello', { stream }))
      const text = await reply.text()
      assert.equal(reply.status, 200)
      if (stream) assert.match(text, /data: \[DONE\]\n\n$/)
      assert.equal(spilled(path).length, 1)
      faults.end()
      await told(gateway, 'store.recovered')
      await gateway.close()
      assertWhole(await trail(path), [reply.headers['x-request-id'] as string])
    })
  }

  test(`what can neither be ended nor put by does not look whole (stream: ${stream})`, async (t) => {
    const { gateway, faults, path } = await rig(t)
    writeFileSync(join(path, 'spill'), 'in the way')
    faults.begin('before', 'end', 'append', 'increment', 'renew')
    const reply = await post(gateway, asking('Hello', { stream }))
    const text = await reply.text()
    if (stream) {
      assert.match(text, /"code":"audit_unavailable"/)
      assert.doesNotMatch(text, /\[DONE\]/)
    } else {
      assert.equal(reply.status, 503)
      assert.equal((JSON.parse(text) as { error: { code: string } }).error.code, 'audit_unavailable')
    }
    rmSync(join(path, 'spill'))
    faults.end()
    assert.equal((await told(gateway, 'store.recovered')).lost, 1)
    await gateway.close()
    const closed = await trail(path)
    assert.equal(closed.filter((record) => isTerminal(record)).length, 0)
  })
}

test('what a model name may hold for a line end does not cut what waits on disk', async (t) => {
  const { gateway, faults, path } = await rig(t)
  faults.begin('before', 'end', 'append', 'increment', 'renew')
  const reply = await post(gateway, asking('Hello', { model: 'm\u2028m\u2029m' }))
  assert.equal(reply.status, 200)
  await reply.text()
  assert.equal(spilled(path).length, 1)
  faults.end()
  await told(gateway, 'store.recovered')
  await gateway.close()
  assertWhole(await trail(path), [reply.headers['x-request-id'] as string])
})

test('what waits on disk is written by the next start, once', async (t) => {
  const first = await rig(t, { audit: { on_error: 'allow' } })
  const { faults, path } = first
  faults.begin('after', 'end', 'append', 'increment', 'renew')
  const reply = await post(first.gateway)
  await reply.text()
  await first.gateway.close()
  faults.end()
  assert.equal(spilled(path).length > 0, true)
  const second = await setup(t, { plugins: [{ use: 'reader' }], specs, config: { store: `file:${path}` } })
  await until(() => spilled(path).length === 0)
  await second.gateway.close()
  assertWhole(await trail(path), [reply.headers['x-request-id'] as string])
})

test('nothing is written, and nothing kept, when nobody reads the log', async (t) => {
  const path = temporaryFolder()
  const faults = new Faults(t)
  const { gateway } = await setup(t, { config: { store: `file:${path}` } })
  for (const stream of [false, true]) await (await post(gateway, asking('Hello', { stream }))).text()
  await gateway.close()
  const names = new Set(faults.calls.map(({ name }) => name))
  for (const name of ['begin', 'end', 'append', 'renew'] as const) assert.equal(names.has(name), false, name)
  assert.deepEqual(await trail(path), [])
})
