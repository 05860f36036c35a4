import type { Load } from '../upstreams/load/load.ts'
import type { Sink, Source, UpstreamFailure, UpstreamRequest } from '../upstreams/source.ts'

/** One open request of an upstream whose load is counted, from before it is sent until nothing of it is left. */
export class Seat implements Sink, Source {
  readonly #load: Load
  #sink: Sink | undefined = undefined
  #source: Source | undefined = undefined
  readonly #takenAt: number
  #sentAt = 0
  #left = false

  /** If the upstream has a limit, the seat was taken there. */
  constructor(load: Load) {
    this.#load = load
    this.#takenAt = load.now()
    load.busy++
  }

  send(request: UpstreamRequest, sink: Sink): Source {
    this.#sink = sink
    this.#sentAt = this.#load.now()
    this.#source = this.#load.upstream.send(request, this)
    return this
  }

  /** Frees the seat. */
  leave(): void {
    if (this.#left) return
    this.#left = true
    this.#load.busy--
    this.#load.seats?.leave(this.#load.now() - this.#takenAt)
  }

  onSent(): void {
    this.#sink?.onSent?.()
  }

  onHeaders(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    if (status < 300) this.#load.noteLatency(this.#load.now() - this.#sentAt)
    this.#sink?.onHeaders(status, headers)
  }

  onData(chunk: Buffer): void {
    this.#sink?.onData(chunk)
  }

  onEnd(): void {
    this.leave()
    this.#sink?.onEnd()
  }

  onError(failure: UpstreamFailure): void {
    this.leave()
    this.#sink?.onError(failure)
  }

  pause(): void {
    this.#source?.pause()
  }

  resume(): void {
    this.#source?.resume()
  }

  abort(): void {
    this.leave()
    this.#source?.abort()
  }
}
