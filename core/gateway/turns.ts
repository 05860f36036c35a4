import type { Prepared } from './running-gateway.ts'

/** Changes of a running gateway, one at a time: each is prepared against what the one before left. */
export class Turns {
  #last: Promise<void> = Promise.resolve()

  async run<T>(work: () => Promise<T>): Promise<T> {
    const done = await this.#take()
    try {
      return await work()
    } finally {
      done()
    }
  }

  /** The turn lasts until what was prepared is committed or discarded. */
  async until(prepare: () => Promise<Prepared>): Promise<Prepared> {
    const done = await this.#take()
    try {
      const { commit, discard } = await prepare()
      return { commit: () => commit().finally(done), discard: () => discard().finally(done) }
    } catch (error) {
      done()
      throw error
    }
  }

  async #take(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}
