/** A worker process of the tests in `remote.test.ts`: does what it is told over the store it gets from its parent. */
import { StoreClient } from '../../../../core/services/store/client.ts'
import { RemoteDriver } from '../../../../core/services/store/remote.ts'
import { scope } from './harness.ts'

const store = new StoreClient(await RemoteDriver.open())
const [name = 'w'] = process.argv.slice(2)

process.on('message', (message: { job?: string; count?: number; leaseMs?: number }) => {
  if (message.job === 'reserve') void reserve(message.count ?? 0, message.leaseMs ?? 60_000)
  else if (message.job === 'exchanges') void exchanges(message.count ?? 0)
  else if (message.job === 'read') void read()
  else if (message.job === 'lock') void store.acquire('job', name, 60_000).then((got) => process.send?.({ got }))
})

async function reserve(count: number, leaseMs: number): Promise<void> {
  const tries = Array.from({ length: count }, (_, i) =>
    store.reserve({ id: `${name}-${i}`, leaseMs, scopes: [scope(500, 1, { window: 'total' })] }),
  )
  const passed = (await Promise.all(tries)).filter((answer) => answer.ok).length
  process.send?.({ passed })
}

/** Begins as many and ends the first. */
async function exchanges(count: number): Promise<void> {
  const scopes = [scope(500, 1, { window: 'total' })]
  for (let n = 0; n < count; n++) await store.begin({ id: `${name}-${n}`, leaseMs: 60_000, scopes, marker: { n } })
  await store.end({ id: `${name}-0` })
  process.send?.({ begun: count })
}

async function read(): Promise<void> {
  const records = await store.consumer('audit', 'siem', { pollMs: 60_000 }).read(10)
  process.send?.({ read: records.map(({ record }) => record.n) })
}

process.send?.({ ready: true })
