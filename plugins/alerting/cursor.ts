import type { AuditConsumer, Services } from 'governed-gateway'
import { destinationsOf } from './destinations.ts'
import type { AlertingSettings } from './schema.ts'

/**
 * Makes events durable as long as somebody is to be told of them, in every process: also in those that do not send. The
 * cursor is made at once, so that what happens before the sender begins to read is read too.
 */
export class Cursor {
  readonly #services: Services<AlertingSettings>
  #held: AuditConsumer | undefined
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

  async stop(): Promise<void> {
    this.#unsubscribe()
    await this.#release()
  }

  async #make(): Promise<void> {
    const { auditLog, settings } = this.#services
    const wanted = settings.current.enabled === true && destinationsOf(settings.current).length > 0
    if (wanted === (this.#held !== undefined)) return
    if (!wanted) return await this.#release() // The sender removes the cursor.
    this.#held = auditLog()
    const consumer = auditLog()
    const enough = new AbortController()
    // A read that waits for nothing: it makes the cursor, and what it may find comes again.
    const reading = consumer.read(1, enough.signal)
    enough.abort()
    await reading.finally(() => consumer.close())
  }

  async #release(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    await held?.close()
  }
}
