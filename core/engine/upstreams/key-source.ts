import { GatewayError } from '../contract/errors.ts'
import type { Json } from '../contract/plugin.ts'

/** A key that may change while the gateway runs. */
export interface Credential {
  /** The current key; a promise while it is fetched. Throws or rejects with `GW_UPSTREAM_KEY`. */
  get(): string | Promise<string>
  close(): void
}

/** Why there is no new key. Never contains output of a command or content of a file. */
export type KeyFault = 'unreadable' | 'invalid' | 'not_found' | 'exit' | 'timeout'

/** Reports that the key could not be renewed. `usable`: the last one still serves. */
export type OnKeyFault = (fault: KeyFault, usable: boolean, more?: Readonly<Record<string, Json>>) => void

/** What providers take as a key: visible ASCII on one line. */
const KEY = /^[\x21-\x7e]{1,65536}$/

export const isKey = (text: string): boolean => KEY.test(text)

export const noKey = (name: string, retryAfter?: number): GatewayError =>
  new GatewayError('GW_UPSTREAM_KEY', `The gateway has no valid key for the upstream '${name}'.`, {
    ...(retryAfter !== undefined && { retryAfter }),
  })
