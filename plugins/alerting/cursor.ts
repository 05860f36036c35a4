import type { Services } from 'governed-gateway'
import type { AlertingSettings } from './schema.ts'

/**
 * Makes events durable as soon as alerting is on, and not before, in every process: also in those that do not send. The
 * cursor is made at once, so that what happens before the sender begins to read is read too.
 */
export class Cursor {
  readonly #services: Services<AlertingSettings>
  #made = false
  #unsubscribe: () => void = () => {}

  constructor(services: Services<AlertingSettings>) {
    this.#services = services
  }

  async start(): Promise<void> {
    const { settings, log } = this.#services
    this.#unsubscribe = settings.onChange(() => {
      this.#make().catch((error: unknown) => {
        log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'the audit log could not be opened')
      })
    })
    await this.#make()
  }

  stop(): void {
    this.#unsubscribe()
  }

  async #make(): Promise<void> {
    const wanted = this.#services.settings.current.enabled === true
    if (wanted === this.#made) return
    this.#made = wanted
    if (!wanted) return // The sender removes it.
    const consumer = this.#services.auditLog()
    const enough = new AbortController()
    // A read that waits for nothing: it makes the cursor, and what it may find comes again.
    const reading = consumer.read(1, enough.signal)
    enough.abort()
    await reading
    await consumer.close()
  }
}
