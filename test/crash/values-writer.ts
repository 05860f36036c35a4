/**
 * Sets, prolongs and deletes values as fast as it can, each key by one worker, and prints a line before and after each
 * change. Arguments: the store's folder, and a seed.
 */
import { StoreClient } from '../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../core/services/store/embedded/driver.ts'
import { say } from './say.ts'

const [folder = '', seed = '1'] = process.argv.slice(2)
// A cache of two: most values are written without having been read.
const store = new StoreClient(await EmbeddedDriver.open({ folder, ballastBytes: 0, cached: 2 }))

/** Numerical Recipes' generator: the same changes for the same seed. */
let state = Number(seed)
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const changes: { readonly [kind: string]: (key: string, n: number) => Promise<unknown> } = {
  set: (key, n) => store.set(key, n),
  hold: (key, n) => store.set(key, n, { ttlMs: 3_600_000 + random(3) }),
  brief: (key, n) => store.set(key, n, { ttlMs: 1 + random(5) }),
  delete: (key) => store.delete(key),
  both: (key, n) => Promise.all([store.set(key, n, { ttlMs: 3_600_000 }), store.delete(key)]),
  again: (key, n) => Promise.all([store.set(key, -1), store.delete(key), store.set(key, n)]),
}
const kinds = Object.keys(changes)

let n = Number(seed) * 1_000_000
async function work(key: string): Promise<never> {
  for (;;) {
    const kind = kinds[random(kinds.length)]!
    const number = n++
    say(`try ${key} ${kind} ${number}`)
    await changes[kind]!(key, number)
    say(`done ${key} ${kind} ${number}`)
  }
}

await Promise.all(Array.from({ length: 16 }, (_, i) => work(`k${i}`)))
