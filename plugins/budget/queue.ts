/** How often the first in a queue asks again, milliseconds: other processes may have settled. */
const POLL_MS = 100

interface Waiter {
  readonly wake: () => void
}

interface Line {
  readonly waiters: Waiter[]
  poll: NodeJS.Timeout | undefined
}

/** Requests that wait until others settle and return unused amounts. First come, first served. */
export class Queue {
  readonly #lines = new Map<string, Line>()

  /**
   * Settles when it is the caller's turn to ask again.
   *
   * @param again the caller asked before and keeps its place at the front
   */
  wait(key: string, ms: number, signal: AbortSignal, again: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const line = this.#lines.get(key) ?? { waiters: [], poll: undefined }
    this.#lines.set(key, line)
    const leave = () => {
      const at = line.waiters.indexOf(waiter)
      if (at >= 0) line.waiters.splice(at, 1)
      waiter.wake()
    }
    const timer = setTimeout(leave, ms)
    const waiter: Waiter = {
      wake: () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        this.#arm(key, line)
        resolve()
      },
    }
    if (again) line.waiters.unshift(waiter)
    else line.waiters.push(waiter)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    this.#arm(key, line)
    return promise
  }

  /** Something was returned or is left, so the next request may ask. */
  wake(key: string): void {
    this.#lines.get(key)?.waiters.shift()?.wake()
  }

  /** Nothing is left to wait for. */
  wakeAll(key: string): void {
    for (const waiter of this.#lines.get(key)?.waiters.splice(0) ?? []) waiter.wake()
  }

  #arm(key: string, line: Line): void {
    if (line.waiters.length === 0) {
      clearTimeout(line.poll)
      line.poll = undefined
      if (this.#lines.get(key) === line) this.#lines.delete(key)
    } else if (line.poll === undefined) {
      line.poll = setTimeout(() => {
        line.poll = undefined
        this.wake(key)
        this.#arm(key, line)
      }, POLL_MS)
    }
  }
}
