/**
 * The worker thread that owns the file. The first message says what to open; then they are `[client, calls]` and
 * `[client, replies]`, see `protocol.ts`.
 */
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import type { StoreStatus } from '../../../engine/contract/store.ts'
import type { Call, Replies } from '../protocol.ts'
import { fault } from './faults.ts'
import { type Incoming, type Outgoing, SqliteWorker, type SqliteWorkerOptions } from './sqlite-worker.ts'

export type ToThread =
  | readonly [client: number, calls: readonly Call[]]
  | { readonly gone: number }
  | { readonly close: true }
export type FromThread =
  | readonly [client: number | 'all', replies: Replies]
  | { readonly loaded: true }
  | { readonly ready: StoreStatus }
  | { readonly failed: { readonly kind: string; readonly message: string } }

const RELAXED_MS = 200
const TICK_MS = 1000
const port = parentPort!

function open(options: SqliteWorkerOptions): void {
  let owner: SqliteWorker
  try {
    owner = new SqliteWorker(options)
  } catch (error) {
    const { kind, message } = fault(error, options.folder)
    port.postMessage({ failed: { kind, message } } satisfies FromThread)
    return
  }
  const send = (out: readonly Outgoing[]): void => {
    for (const { client, replies } of out) port.postMessage([client, replies] satisfies FromThread)
  }
  setInterval(() => send(owner.tick(Date.now())), TICK_MS)
  if (options.durability === 'relaxed') setInterval(() => send(owner.commit()), RELAXED_MS)
  port.on('message', (first: ToThread) => {
    // All pending calls share the commit.
    let calls: Incoming[] = []
    const flush = (): void => {
      if (calls.length > 0) send(owner.process(calls))
      calls = []
    }
    for (
      let message: ToThread | undefined = first;
      message !== undefined;
      message = receiveMessageOnPort(port)?.message
    ) {
      if ('length' in message) {
        calls.push({ client: message[0], calls: message[1] })
        continue
      }
      flush()
      if ('gone' in message) send(owner.gone(message.gone))
      else {
        owner.close()
        process.exit()
      }
    }
    flush()
  })
  port.postMessage({ ready: owner.status } satisfies FromThread)
}

port.once('message', open)
port.postMessage({ loaded: true } satisfies FromThread)
