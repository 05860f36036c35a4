import type { IncomingMessage } from 'node:http'
import type { Keyring } from '../access/keyring.ts'
import type { Config } from '../config/types.ts'
import type { Log } from '../contract/plugin.ts'
import type { Chain } from '../exchange/chain.ts'
import type { RelaySettings } from '../relay/context.ts'
import type { Routes } from '../upstreams/model-routes.ts'
import type { Models } from '../upstreams/models.ts'

/** Everything that one config makes, swapped as a whole on reload. An exchange keeps the one it began with. */
export interface Runtime {
  readonly config: Config
  readonly chain: Chain
  readonly keyring: Keyring
  readonly routes: Routes
  readonly models: Models
  readonly log: Log
  readonly relaySettings: RelaySettings
  /** Longest answer that a plugin may give, bytes. */
  readonly maxAnswerBytes: number
  readonly exchanges: Running
  /** Aborted when the time to drain is over and what still runs is cut. */
  readonly stopped: AbortSignal
  /** The client's address behind trusted proxies. */
  sourceIp(req: IncomingMessage): string | undefined
}

/** Counts what runs, and tells when nothing does. */
export class Running {
  #count = 0
  #onIdle: (() => void) | undefined = undefined

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
