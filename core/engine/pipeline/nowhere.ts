import type { ChatExchange } from '../exchange/exchange.ts'
import type { Output } from '../relay/responder.ts'

/** The client of a mirror's reply: takes everything, keeps nothing. */
export class Nowhere implements Output {
  readonly id: string
  readonly gone = false
  committed = false
  readonly #x: ChatExchange
  readonly #onEnd: () => void

  constructor(x: ChatExchange, onEnd: () => void) {
    this.id = x.id
    this.#x = x
    this.#onEnd = onEnd
  }

  get plain(): Output {
    return this
  }

  onClose(): void {}

  onDrain(): void {}

  openStream(): void {
    this.committed = true
    this.#x.reply.committed = true
    this.#x.firstByteAt ??= performance.now()
  }

  json(): void {
    this.openStream()
    this.#onEnd()
  }

  error(): void {
    this.#onEnd()
  }

  write(): boolean {
    return true
  }

  end(): void {
    this.#onEnd()
  }

  destroy(): void {
    this.#onEnd()
  }
}
