import type { IncomingMessage } from 'node:http'
import type { Callers } from '../access/callers.ts'
import type { Config } from '../config/types.ts'
import type { Log } from '../contract/plugin.ts'
import type { Chain } from '../exchange/chain.ts'
import type { IssuedIds } from '../exchange/issued-ids.ts'
import type { RelaySettings } from '../relay/context.ts'
import type { Load } from '../upstreams/load/load.ts'
import type { Routes } from '../upstreams/model-routes.ts'
import type { Models } from '../upstreams/models.ts'

/** Everything created from one config; a reload replaces it as a whole. An exchange keeps the runtime it began with. */
export interface Runtime {
  readonly config: Config
  readonly chain: Chain
  readonly callers: Pick<Callers, 'authenticate'>
  readonly routes: Routes
  readonly models: Models
  /** What this process knows of each upstream. */
  readonly loads: ReadonlyMap<string, Load>
  /** Which key made which content at a provider. */
  readonly ids: IssuedIds
  readonly log: Log
  readonly relaySettings: RelaySettings
  /** Maximum size of a plugin's answer, bytes. */
  readonly maxAnswerBytes: number
  readonly exchanges: Running
  /** Aborted when the drain time is over and running exchanges are cut. */
  readonly stopped: AbortSignal
  /** Aborted when the gateway begins to stop; copies end at once. */
  readonly leaving: AbortSignal
  /** The client's address, resolved through trusted proxies. */
  sourceIp(req: IncomingMessage): string | undefined
}

/** Counts running exchanges, and reports when none is left. */
export class Running {
  #count = 0
  #onIdle: (() => void) | undefined = undefined

  get count(): number {
    return this.#count
  }

  enter(): void {
    this.#count++
  }

  leave(): void {
    if (--this.#count === 0) this.#onIdle?.()
  }

  /** Settles when the count is, or falls to, zero. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onIdle = resolve
    })
  }
}
