import type { Log, PluginSpec } from '../contract/plugin.ts'
import { isoTime } from '../util/clock.ts'
import type { Emitter } from './emitter.ts'
import { type Payload, PluginEvents } from './payload.ts'

/** More events in one start are a plugin error. */
const MOST = 1000

/**
 * Keeps events that a plugin emits in `create` and `start`, and emits them with their original time once there is a
 * chain.
 */
export class EarlyEvents {
  readonly #spec: PluginSpec
  readonly #log: Log
  readonly #declared: PluginEvents
  readonly #waiting: { readonly type: string; readonly payload: Payload }[] = []
  #dropped = 0

  constructor(spec: PluginSpec, log: Log, onFault?: ConstructorParameters<typeof PluginEvents>[2]) {
    this.#spec = spec
    this.#log = log
    this.#declared = new PluginEvents([spec], log, onFault)
  }

  /** Throws like `emit` for a type that the plugin does not own. */
  add(type: string, given: object): void {
    const payload = this.#declared.admit(this.#spec.name, type, given)
    if (this.#waiting.length === MOST) this.#dropped++
    else this.#waiting.push({ type, payload: { ...payload, time: isoTime() } })
  }

  emitTo(events: Emitter): void {
    for (const { type, payload } of this.#waiting.splice(0)) events.emit(type, payload)
    if (this.#dropped > 0)
      this.#log.error({ dropped: this.#dropped }, 'the plugin emitted too many events in its start')
    this.#dropped = 0
  }
}
