import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it } from 'node:test'
import { StoreClient } from '../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../core/services/store/embedded/driver.ts'
import { temporaryFolder } from '../helpers/folder.ts'

const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 4)
const root = temporaryFolder()

type Value = number | undefined

/** What a change leaves behind; one that gave its value a brief time to live leaves it or nothing. */
function left(kind: string, number: number): Value[] {
  if (kind === 'brief') return [number, undefined]
  return kind === 'delete' || kind === 'both' ? [undefined] : [number]
}

/** Lets a writer run until it has said so many lines, kills it, and says what each key may be now. */
async function killWriter(folder: string, seed: number, lines: number, now: ReadonlyMap<string, Value[]>) {
  const script = join(import.meta.dirname, 'values-writer.ts')
  const args = [...process.execArgv.filter((arg) => !arg.startsWith('--test')), script, folder, String(seed)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const sure = new Map(now)
  const tried = new Map<string, Value[]>()
  let heard = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [what, key = '', kind = '', number, end] = line.split(' ')
    // The last line may be cut off.
    if (end === '.') {
      if (what === 'try') tried.set(key, left(kind, Number(number)))
      else {
        sure.set(key, left(kind, Number(number)))
        tried.delete(key)
      }
    }
    if (++heard === lines) child.kill('SIGKILL')
  }
  assert.deepEqual(await gone, [null, 'SIGKILL'])
  return (key: string): Value[] => [...(sure.get(key) ?? [undefined]), ...(tried.get(key) ?? [])]
}

it('keeps the last value that was acknowledged of each key, and deletes what was deleted', async () => {
  const folder = join(root, 'store')
  const now = new Map<string, Value[]>()
  for (let round = 1; round <= ROUNDS; round++) {
    const allowed = await killWriter(folder, round, 300 + ((round * 1237) % 4000), now)
    const store = new StoreClient(await EmbeddedDriver.open({ folder, ballastBytes: 0 }))
    try {
      for (let i = 0; i < 16; i++) {
        const key = `k${i}`
        const value = await store.get<number>(key)
        assert.ok(allowed(key).includes(value), `round ${round}: ${key} is ${value}, may be ${allowed(key)}`)
        // A brief value may end before the next round looks.
        now.set(key, value === undefined || (await store.entry(key))?.expiresAt === null ? [value] : [value, undefined])
      }
    } finally {
      await store.close()
    }
  }
})
