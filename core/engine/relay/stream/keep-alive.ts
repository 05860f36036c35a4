/** Writes at intervals while nothing else is written. */
export class KeepAlive {
  readonly #ms: number
  readonly #write: () => void
  #timer: NodeJS.Timeout | undefined = undefined
  /** Something was written since the last look. */
  wrote = false

  /** @param ms 0 to write nothing */
  constructor(ms: number, write: () => void) {
    this.#ms = ms
    this.#write = write
    this.#arm()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #arm(): void {
    if (this.#ms <= 0) return
    this.#timer = setTimeout(() => {
      this.#arm()
      if (!this.wrote) this.#write()
      this.wrote = false
    }, this.#ms)
  }
}
