import type { Exchange } from 'governed-gateway'

/** Running exchanges by key, to end them when the key is revoked. */
export class RunningExchanges {
  readonly #byKey = new Map<string, Set<Exchange>>()

  add(x: Exchange): void {
    const { keyId } = x.caller
    const known = this.#byKey.get(keyId)
    if (known === undefined) this.#byKey.set(keyId, new Set([x]))
    else known.add(x)
  }

  delete(x: Exchange): void {
    this.#byKey.get(x.caller.keyId)?.delete(x)
  }

  /** Ends all of a key. */
  end(keyId: string): void {
    const running = this.#byKey.get(keyId)
    this.#byKey.delete(keyId)
    for (const x of running ?? []) x.cancel(REVOKED)
  }
}

/** The same error as for any key that is not valid. */
export const REVOKED = { error: 'GW_INVALID_KEY', message: 'The API key is not valid.' } as const
