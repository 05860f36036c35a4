/**
 * One store for the processes of a cluster. The primary owns it; workers use their existing IPC channel. Fork workers
 * with `serialization: 'advanced'`, which avoids copying messages through JSON.
 */

import type { StoreStatus } from '../../engine/contract/store.ts'
import { unavailable } from '../../engine/contract/store-errors.ts'
import { CallDriver, type CallOptions } from './calls.ts'
import type { Driver } from './ops.ts'
import type { Call, Replies } from './protocol.ts'

/** One client's connection to a store: accepts calls, and sends replies through the function given to `connect`. */
export interface Port {
  receive(calls: readonly Call[]): void
  /** Releases what the client claimed. */
  close(): void
}

/** A store that can be shared. */
export interface Shareable extends Driver {
  connect(send: (replies: Replies) => void): Port
}

/** Both ends of an IPC channel: `process` in a worker, a `ChildProcess` or `cluster.Worker` in the primary. */
export interface Channel {
  send?(message: unknown): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'disconnect', listener: () => void): unknown
  off(event: 'message', listener: (message: unknown) => void): unknown
  readonly connected?: boolean
}

const TAG = 'governed-gateway.store'

type Message =
  | { readonly [TAG]: 'hello' }
  | {
      readonly [TAG]: 'welcome'
      readonly kind: Driver['kind']
      readonly reach: Driver['reach']
      readonly status: StoreStatus
    }
  | { readonly [TAG]: 'calls'; readonly calls: readonly Call[] }
  | { readonly [TAG]: 'replies'; readonly replies: Replies }

const ours = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && Object.hasOwn(message, TAG)

/** Primary: serves the store to a worker until it exits. */
export function serve(driver: Shareable, worker: Channel): void {
  const send = (message: Message): void => {
    if (worker.connected !== false) worker.send?.(message)
  }
  const port = driver.connect((replies) => send({ [TAG]: 'replies', replies }))
  worker.on('message', (message) => {
    if (!ours(message)) return
    if (message[TAG] === 'calls') port.receive(message.calls)
    else if (message[TAG] === 'hello') {
      const { kind, reach, status } = driver
      send({ [TAG]: 'welcome', kind, reach, status })
    }
  })
  worker.once('disconnect', () => port.close())
}

/** Worker: the primary's store. */
export class RemoteDriver extends CallDriver {
  readonly kind: Driver['kind']
  readonly reach: Driver['reach']
  readonly #channel: Channel
  readonly #onMessage = (message: unknown): void => {
    if (ours(message) && message[TAG] === 'replies') this.receive(message.replies)
  }

  private constructor(channel: Channel, welcome: Message & { [TAG]: 'welcome' }, options: CallOptions) {
    super(options)
    this.kind = welcome.kind
    this.reach = welcome.reach
    this.status = welcome.status
    this.#channel = channel
    channel.on('message', this.#onMessage)
    channel.once('disconnect', () => this.#gone())
  }

  static open(channel: Channel = process as Channel, options: CallOptions = {}): Promise<RemoteDriver> {
    return new Promise((resolve, reject) => {
      if (channel.send === undefined || channel.connected === false) {
        reject(unavailable('This process has no channel to a primary that could own the store.'))
        return
      }
      const timer = setTimeout(() => {
        channel.off('message', onMessage)
        reject(unavailable('The primary process did not offer its store.'))
      }, options.timeoutMs ?? 5000)
      const onMessage = (message: unknown): void => {
        if (!ours(message) || message[TAG] !== 'welcome') return
        clearTimeout(timer)
        channel.off('message', onMessage)
        resolve(new RemoteDriver(channel, message as never, options))
      }
      channel.on('message', onMessage)
      channel.send({ [TAG]: 'hello' } satisfies Message)
    })
  }

  async close(): Promise<void> {
    if (this.status.state === 'closed') return
    await this.idle()
    this.status = { state: 'closed', detail: 'closed' }
    this.#channel.off('message', this.#onMessage)
  }

  protected send(calls: readonly Call[]): void {
    if (this.#channel.connected !== false) this.#channel.send?.({ [TAG]: 'calls', calls } satisfies Message)
  }

  #gone(): void {
    const detail = 'The primary process, which owns the store, is gone.'
    this.notify({ type: 'status', status: { state: 'unavailable', detail } })
  }
}
