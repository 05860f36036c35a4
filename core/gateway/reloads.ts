import type { Logger } from '../services/logger.ts'

/**
 * Reloads on request, one at a time. Requests during a reload, however many, become one more; requests before `serve`
 * wait for it.
 */
export class Reloads {
  #why: string | undefined
  #run: ((why: string) => Promise<void>) | undefined
  #running = false

  /** `why` goes to the log. */
  ask(why: string): void {
    this.#why ??= why
    void this.#work()
  }

  serve(gateway: { reload(): Promise<unknown> }, logger: Logger): void {
    this.#run = async (why) => {
      try {
        await gateway.reload()
        logger.info({ why }, 'config reloaded')
      } catch (error) {
        logger.error({ why, err: error }, 'config not reloaded: the last good one stays in force')
      }
    }
    void this.#work()
  }

  /** A running reload continues. */
  stop(): void {
    this.#run = undefined
  }

  async #work(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#why !== undefined && this.#run !== undefined) {
      const why = this.#why
      this.#why = undefined
      await this.#run(why)
    }
    this.#running = false
  }
}
