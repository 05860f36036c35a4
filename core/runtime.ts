import type { IncomingMessage } from 'node:http'
import type { Keyring } from './auth.ts'
import type { Chain } from './chain.ts'
import type { Config } from './config.ts'
import type { Models } from './models.ts'
import type { Log } from './plugin.ts'
import type { RelaySettings } from './relay/context.ts'
import type { Routes } from './relay/route.ts'

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
  /** Running exchanges of this runtime; each settles when its connection or answer is over. */
  readonly exchanges: Set<Promise<void>>
  /** The client's address behind trusted proxies. */
  sourceIp(req: IncomingMessage): string | undefined
}
