/** Where events are exported to, in a process of its own: answers 200 to whatever is posted and counts what it says it holds. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { serve } from './ipc.ts'

/** A delivery follows its exchange; when none came for so long, none is under way. */
const QUIET_MS = 200

let events = 0
let last = Number.NEGATIVE_INFINITY

const server = createServer((request, response) => {
  events += Number(request.headers['x-event-count'] ?? 0)
  last = performance.now()
  request.resume().once('end', () => response.end())
})

const api = {
  /** Waits until deliveries have come to rest; returns the events since the last call. */
  async settled(): Promise<number> {
    for (;;) {
      const left = last + QUIET_MS - performance.now()
      if (left <= 0) break
      await delay(left)
    }
    const count = events
    events = 0
    return count
  },
}

export type ReceiverApi = typeof api

server.listen(0, '127.0.0.1', () => serve(api, { port: (server.address() as AddressInfo).port }))
