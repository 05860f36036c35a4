import type { Services } from 'governed-gateway'
import { AuditCursor } from 'governed-gateway/kit'
import { destinationsOf } from './destinations.ts'
import type { AlertingSettings } from './schema.ts'

/**
 * Makes events durable as long as somebody is to be told of them, in every process: also in those that do not send. The
 * cursor is made at once, so that what happens before the sender begins to read is read too.
 */
export class Cursor {
  readonly #services: Services<AlertingSettings>
  readonly #cursor: AuditCursor
  #unsubscribe: () => void = () => {}

  constructor(services: Services<AlertingSettings>) {
    this.#services = services
    this.#cursor = new AuditCursor(services.auditLog)
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
    await this.#cursor.close()
  }

  async #make(): Promise<void> {
    const { current, unreadable } = this.#services.settings
    const wanted = current.enabled === true && (destinationsOf(current).length > 0 || unreadable.length > 0)
    // Not wanted any more: the sender removes the cursor.
    if (wanted) await this.#cursor.hold()
    else this.#cursor.release()
  }
}
