/**
 * A gateway in miniature, to be killed: begins and ends exchanges as fast as it can, and prints one line for each promise
 * the store has fulfilled. Arguments: the store's folder, a prefix for ids, the durability.
 */
import { StoreClient } from '../../core/services/store/client.ts'
import { type Durability, EmbeddedDriver } from '../../core/services/store/embedded/driver.ts'
import { say } from './say.ts'

const [folder = '', prefix = '', durability = 'stored'] = process.argv.slice(2)
const driver = await EmbeddedDriver.open({ folder, durability: durability as Durability, ballastBytes: 0 })
const store = new StoreClient(driver)
const scopes = [{ key: 'team', window: 'total' as const, limit: 1e12, amount: 10, due: 10 }]

let n = 0
async function work(): Promise<never> {
  for (;;) {
    const id = `${prefix}-${n++}`
    await store.begin({ id, leaseMs: 60_000, scopes, marker: { id }, events: [{ type: 'begin', id }] })
    say(`begin ${id}`)
    await store.end({ id, used: { team: 3 }, events: [{ type: 'end', id }] })
    say(`end ${id}`)
    say(`count ${await store.increment('count', 1)}`)
  }
}

await Promise.all(Array.from({ length: 16 }, work))
