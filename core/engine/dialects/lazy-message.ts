import type { RequestMessage } from '../contract/plugin.ts'

/**
 * A message that is read when something else than its role is asked for. All share two getters: those of a literal would be
 * new functions for each message, take four times as long to make and outlive it.
 */
export class LazyMessage implements RequestMessage {
  static readonly #texts: PropertyDescriptor = {
    enumerable: true,
    get(this: LazyMessage) {
      return this.#made.texts
    },
  }
  static readonly #callArguments: PropertyDescriptor = {
    enumerable: true,
    get(this: LazyMessage) {
      return this.#made.callArguments
    },
  }

  readonly role: string
  declare readonly texts: readonly string[]
  declare readonly callArguments: readonly string[]
  readonly #index: number
  readonly #read: (index: number) => RequestMessage
  #message: RequestMessage | undefined = undefined

  constructor(role: string, index: number, read: (index: number) => RequestMessage) {
    this.role = role
    this.#index = index
    this.#read = read
    // Its own, as of any message: a plugin may copy them.
    Object.defineProperty(this, 'texts', LazyMessage.#texts)
    Object.defineProperty(this, 'callArguments', LazyMessage.#callArguments)
  }

  get #made(): RequestMessage {
    this.#message ??= this.#read(this.#index)
    return this.#message
  }
}
