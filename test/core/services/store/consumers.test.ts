import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Consumer } from '../../../../core/engine/contract/store.ts'
import { embeddedStores } from './faults.ts'

const { stores } = embeddedStores()
const COUNT = 600

/** Reads and acknowledges until it has seen the last record, or has read so often. */
async function read(consumer: Consumer, seen: number[], times: number): Promise<void> {
  for (let i = 0; i < times && !seen.includes(COUNT); i++) {
    const records = await consumer.read(7)
    if (records.length === 0) return
    for (const { record } of records) seen.push(record.n as number)
    // Half of them: the rest comes again to whoever takes over.
    const half = records[Math.floor(records.length / 2)]!
    await consumer.ack(i % 2 === 0 ? half.cursor : records.at(-1)!.cursor)
  }
}

for (const [name, make] of stores) {
  it(`gives a group every record, in order, over takeovers, gathering and trims (${name})`, async () => {
    const store = await make()
    const options = { gatherMs: 3, pollMs: 2, leaseMs: 60_000 }
    const seen: number[] = []
    const writing = (async () => {
      for (let n = 1; n <= COUNT; n += 3) await store.append('audit', [{ n }, { n: n + 1 }, { n: n + 2 }])
    })()
    let removed = 0
    let done = false
    const trimming = (async () => {
      while (!done) {
        const trimmed = await store.trim('audit', { keep: 5 })
        assert.deepEqual(trimmed.unread, {})
        removed += trimmed.removed
        await store.stats('audit')
        await new Promise((next) => setImmediate(next))
      }
    })()
    // The next one waits already while the one before it reads, and takes over when that closes.
    let holder = store.consumer('audit', 'siem', options)
    await read(holder, seen, 1)
    while (!seen.includes(COUNT)) {
      const next = store.consumer('audit', 'siem', options)
      const takeover = read(next, seen, 1)
      await read(holder, seen, 8)
      await holder.close()
      if (seen.includes(COUNT)) await next.close()
      await takeover
      holder = next
    }
    done = true
    await Promise.all([writing, trimming])
    const start = Math.min(...seen)
    const missing = Array.from({ length: COUNT + 1 - start }, (_, i) => start + i).filter((n) => !seen.includes(n))
    assert.deepEqual(missing, [])
    // What comes again goes back to what was acknowledged, not further, and never skips.
    for (const [i, n] of seen.entries()) assert.ok(i === 0 || n <= seen[i - 1]! + 1, `${n} after ${seen[i - 1]}`)
    removed += (await store.trim('audit', { keep: 5 })).removed
    assert.ok(removed > 0)
    await store.close()
  })
}
