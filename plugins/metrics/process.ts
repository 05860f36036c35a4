/** Figures of this process. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Family, gauge } from './series.ts'

/** Resolution of the measured delay, milliseconds: one timer in so many. */
const RESOLUTION_MS = 50
const PERCENTILES = [50, 99] as const

export class ProcessFigures {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  readonly #startedAt = performance.timeOrigin / 1000
  #used = performance.eventLoopUtilization()

  start(): void {
    this.#delay.enable()
  }

  stop(): void {
    this.#delay.disable()
  }

  families(): Family[] {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, this.#used)
    this.#used = now
    const single = (value: number) => [{ value, labels: {} }]
    return [
      gauge('gateway_event_loop_delay_seconds', this.#delays(), 'max'),
      gauge('gateway_event_loop_utilization_ratio', single(utilization), 'max'),
      gauge('gateway_workers', single(1)),
      gauge('process_cpu_seconds_total', single((user + system) / 1e6)),
      gauge('process_resident_memory_bytes', single(rss)),
      gauge('process_start_time_seconds', single(this.#startedAt), 'min'),
      gauge('nodejs_heap_size_used_bytes', single(heapUsed)),
    ]
  }

  #delays(): Family['values'] {
    // The histogram includes the timer's own interval.
    const seconds = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS) / 1000
    const percentiles = PERCENTILES.map((p) => ({
      value: this.#delay.count === 0 ? 0 : seconds(this.#delay.percentile(p)),
      labels: { stat: `p${p}` },
    }))
    const max = { value: this.#delay.count === 0 ? 0 : seconds(this.#delay.max), labels: { stat: 'max' } }
    this.#delay.reset()
    return [...percentiles, max]
  }
}
