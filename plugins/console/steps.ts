import type { Exchange, Json, Services, TapRun, UpstreamAttempt } from 'governed-gateway'

const LOG = 'steps'
const KEPT = 500
const MAX_ATTEMPTS = 16
/** Most exchanges that are watched in a second while a page looks: each costs a tenth of a request. */
const MOST_LIVE = 50
/** And while none does, so that there is something to look at later. */
const MOST = 2
const PUBLISH_MS = 1000

/** All runs of one plugin in one hook. Milliseconds. */
interface Step {
  readonly plugin: string
  readonly hook: string
  /** When the first run began, from the start of the exchange. */
  readonly at: number
  ms: number
  runs: number
  failed: number
  /** How it ended the exchange. */
  stop: NonNullable<TapRun['stop']> | null
  /** Most characters of a stream that it kept back, and in how many runs it did. */
  held: number
  holds: number
}

const NO_RUNS = { ms: 0, runs: 0, failed: 0, stop: null, held: 0, holds: 0 } as const

interface Course {
  readonly steps: Map<string, Step>
  readonly attempts: UpstreamAttempt[]
  /** On the clock of `performance.now()`; undefined before. */
  endedAt: number | undefined
}

/**
 * What plugins and providers did in an exchange: names and times, never content. Recorded of so few in a second that a busy
 * gateway does not notice.
 */
export class Steps {
  readonly #services: Pick<Services, 'store'>
  readonly #courses = new WeakMap<Exchange, Course>()
  #untold: Json[] = []
  /** When the second began, and how many exchanges in it. */
  #second = 0
  #begun = 0
  #timer: NodeJS.Timeout | undefined = undefined

  constructor(services: Pick<Services, 'store'>) {
    this.#services = services
  }

  /** @param isLive a page looks */
  begin(x: Exchange, isLive: boolean): void {
    if (x.startedAt - this.#second >= 1000) {
      this.#second = x.startedAt
      this.#begun = 0
    }
    if (this.#begun++ >= (isLive ? MOST_LIVE : MOST)) return
    x.observeTaps()
    this.#courses.set(x, { steps: new Map(), attempts: [], endedAt: undefined })
  }

  onTap(x: Exchange, { plugin, hook, startedAt, endedAt, failed, stop, held }: TapRun): void {
    const steps = this.#courses.get(x)?.steps
    if (steps === undefined) return
    const name = `${hook} ${plugin}`
    const step = steps.get(name) ?? { plugin, hook, at: startedAt - x.startedAt, ...NO_RUNS }
    step.ms += endedAt - startedAt
    step.runs++
    if (failed) step.failed++
    if (stop !== undefined) step.stop = stop
    if (held > 0) step.holds++
    step.held = Math.max(step.held, held)
    steps.set(name, step)
  }

  /** False if the exchange is not watched. */
  onAttempt(x: Exchange, attempt: UpstreamAttempt): boolean {
    const course = this.#courses.get(x)
    if (course === undefined) return false
    const { attempts } = course
    const at = attempts.findIndex(({ number }) => number === attempt.number)
    if (at >= 0) attempts[at] = attempt
    else if (attempts.length < MAX_ATTEMPTS) attempts.push(attempt)
    this.#close(x, course)
    return true
  }

  end(x: Exchange): void {
    const course = this.#courses.get(x)
    if (course === undefined) return
    course.endedAt = performance.now()
    this.#close(x, course)
  }

  /** When the exchange is over, and the last request to a provider. */
  #close(x: Exchange, course: Course): void {
    const { endedAt: now } = course
    if (now === undefined || course.attempts.some(({ endedAt }) => endedAt === undefined)) return
    this.#courses.delete(x)
    const steps = [...course.steps.values()].map((step) => ({ ...step, at: rounded(step.at), ms: rounded(step.ms) }))
    const attempts = course.attempts.map((attempt) => attemptOf(x, attempt, now))
    this.#untold.push({ request_id: x.id, total_ms: rounded(now - x.startedAt), steps, attempts })
    if (this.#untold.length >= 2 * KEPT) this.#untold = this.#untold.slice(-KEPT)
    // The audit trail has what the store does not take.
    this.#timer ??= setTimeout(() => this.publish().catch(() => {}), PUBLISH_MS).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Writes what is new to the store. */
  async publish(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const entries = this.#untold.splice(0).slice(-KEPT)
    if (entries.length > 0) await this.#services.store.push(LOG, entries, KEPT)
  }

  async of(requestId: string): Promise<Json> {
    const found = (await this.#read()).find(({ request_id }) => request_id === requestId)
    return (found ?? null) as unknown as Json
  }

  /** Time of each plugin in each hook, over the exchanges that were recorded. */
  async summary(): Promise<Json> {
    const sums = new Map<string, { plugin: string; hook: string; exchanges: number; ms: number; most: number }>()
    for (const { steps } of await this.#read()) {
      for (const { plugin, hook, ms } of steps) {
        const name = `${hook} ${plugin}`
        const sum = sums.get(name) ?? { plugin, hook, exchanges: 0, ms: 0, most: 0 }
        sums.set(name, { ...sum, exchanges: sum.exchanges + 1, ms: sum.ms + ms, most: Math.max(sum.most, ms) })
      }
    }
    return [...sums.values()].map(({ ms, most, ...one }) => {
      return { ...one, mean_ms: rounded(ms / one.exchanges), max_ms: rounded(most) }
    })
  }

  async #read(): Promise<readonly { request_id: string; steps: readonly Step[] }[]> {
    await this.publish()
    const { entries } = await this.#services.store.recent(LOG, { limit: KEPT })
    return entries as unknown as { request_id: string; steps: readonly Step[] }[]
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

function attemptOf(x: Exchange, attempt: UpstreamAttempt, now: number): Json {
  const { upstream, model, number, startedAt, firstByteAt, endedAt = now, status = null, error = null } = attempt
  return {
    ...{ upstream, model, number, status, error },
    at: rounded(startedAt - x.startedAt),
    first_byte_ms: firstByteAt === undefined ? null : rounded(firstByteAt - startedAt),
    ms: rounded(endedAt - startedAt),
  }
}
