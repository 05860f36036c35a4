import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import type { Store } from '../../core/engine/contract/store.ts'
import { StoreClient } from '../../core/services/store/client.ts'
import { type Durability, EmbeddedDriver } from '../../core/services/store/embedded/driver.ts'
import { allRecords } from '../core/services/store/faults.ts'
import { assertChained } from '../helpers/chain.ts'
import { temporaryFolder } from '../helpers/folder.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4)

interface Acknowledged {
  readonly begun: Set<string>
  readonly ended: Set<string>
  count: number
}

/** Lets a writer run until it has said so many lines, kills it, and returns what it was promised. */
async function killWriter(
  folder: string,
  prefix: string,
  durability: Durability,
  lines: number,
): Promise<Acknowledged> {
  const script = join(import.meta.dirname, 'writer.ts')
  const args = [...process.execArgv.filter((arg) => !arg.startsWith('--test')), script, folder, prefix, durability]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const said: Acknowledged = { begun: new Set(), ended: new Set(), count: 0 }
  let heard = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, value, end] = line.split(' ') as [string, string, string]
    // The last line may be cut off.
    if (end !== '.') continue
    if (what === 'begin') said.begun.add(value)
    else if (what === 'end') said.ended.add(value)
    else said.count = Math.max(said.count, Number(value))
    if (++heard === lines) child.kill('SIGKILL')
  }
  assert.deepEqual(await gone, [null, 'SIGKILL'])
  return said
}

describe('kill -9 under load', () => {
  const root = temporaryFolder()

  for (const durability of ['stored', 'synced'] as const) {
    it(`loses nothing that was acknowledged (${durability})`, async () => {
      const folder = join(root, durability)
      const expected: Acknowledged = { begun: new Set(), ended: new Set(), count: 0 }
      for (let round = 0; round < ROUNDS; round++) {
        const said = await killWriter(folder, `r${round}`, durability, 200 + 677 * round)
        for (const id of said.begun) expected.begun.add(id)
        for (const id of said.ended) expected.ended.add(id)
        expected.count = said.count
        const store = new StoreClient(await EmbeddedDriver.open({ folder, ballastBytes: 0 }))
        await check(store, expected)
        await store.close()
      }
    })
  }

  async function check(store: Store, expected: Acknowledged): Promise<void> {
    const records = await allRecords(store)
    const ids = (type: string): Set<unknown> => new Set(records.filter((r) => r.type === type).map((r) => r.id))
    const [begun, ended, aborted] = [ids('begin'), ids('end'), ids('aborted')]
    assert.deepEqual(
      [...expected.begun].filter((id) => !begun.has(id)),
      [],
    )
    assert.deepEqual(
      [...expected.ended].filter((id) => !ended.has(id)),
      [],
    )
    assert.ok(Number(await store.get('count')) >= expected.count)

    assertChained(records)

    // An exchange is either whole or open: its reservation, events and marker were one write.
    const open = [...begun].filter((id) => !ended.has(id) && !aborted.has(id))
    const lost = await store.lapsed(1000, 1000)
    assert.deepEqual(new Set(lost.map(({ id }) => id)), new Set(open))
    const [team] = await store.inspect([{ key: 'team', window: 'total' }])
    assert.deepEqual([team!.spent, team!.reserved], [3 * ended.size + 10 * (begun.size - ended.size), 0])
    for (const { id } of lost) await store.end({ id, events: [{ type: 'aborted', id }] })
    assert.deepEqual(await store.lapsed(1000, 1000), [])
  }
})
