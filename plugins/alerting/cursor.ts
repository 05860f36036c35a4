import type { AuditConsumer, Services } from 'governed-gateway'
import { destinationsOf } from './destinations.ts'
import type { AlertingSettings } from './schema.ts'

/** How long events stay durable once nobody is to be told: the one that tells of it is written after the change. */
const RELEASE_MS = 1000

/**
 * Makes events durable as long as somebody is to be told of them, in every process: also in those that do not send. The
 * cursor is made at once, so that what happens before the sender begins to read is read too.
 */
export class Cursor {
  readonly #services: Services<AlertingSettings>
  #held: AuditConsumer | undefined
  #releasing: NodeJS.Timeout | undefined
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
    clearTimeout(this.#releasing)
    await this.#held?.close()
    this.#held = undefined
  }

  async #make(): Promise<void> {
    const { auditLog, settings } = this.#services
    const wanted = settings.current.enabled === true && destinationsOf(settings.current).length > 0
    if (!wanted) return this.#release() // The sender removes the cursor.
    clearTimeout(this.#releasing)
    this.#releasing = undefined
    if (this.#held !== undefined) return
    this.#held = auditLog()
    const consumer = auditLog()
    const enough = new AbortController()
    // A read that waits for nothing: it makes the cursor, and what it may find comes again.
    const reading = consumer.read(1, enough.signal)
    enough.abort()
    await reading.finally(() => consumer.close())
  }

  #release(): void {
    this.#releasing ??= setTimeout(() => {
      this.#releasing = undefined
      this.#held?.close().catch(() => {})
      this.#held = undefined
    }, RELEASE_MS).unref()
  }
}
