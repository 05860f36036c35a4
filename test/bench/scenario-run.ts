/** One scenario over all subjects: warm every subject, then rounds in shuffled order, so that drift hits all alike. */
import { DIRECT, type Rounds } from './report.ts'
import type { Scenario, Session } from './scenarios/scenario.ts'
import { shuffler } from './stats.ts'
import type { Running, StartContext, Subject } from './targets.ts'

const started = performance.now()

/** A line on standard error with the seconds since the start. */
export function progress(text: string): void {
  process.stderr.write(`[${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s] ${text}\n`)
}

/** How long one scenario may go on. */
export interface Plan {
  count: number
  generations: number
  seed: number
  /** When to stop early, on the clock of `performance.now()`. */
  until: number
}

export class ScenarioRun {
  #scenario: Scenario
  #session: Session
  #context: StartContext
  #running = new Map<string, Running>()
  #rounds: Rounds

  constructor(scenario: Scenario, session: Session, context: StartContext, subjects: readonly Subject[]) {
    this.#scenario = scenario
    this.#session = session
    this.#context = context
    this.#rounds = { reference: subjects[0]!.name, samples: new Map(), errors: new Map() }
    for (const { name } of subjects) this.#rounds.samples.set(name, [])
    if (scenario.direct) this.#rounds.samples.set(DIRECT, [])
  }

  async run(subjects: Subject[], plan: Plan): Promise<Rounds> {
    const { count, until } = plan
    const shuffle = shuffler(plan.seed)
    const all = this.#scenario.direct ? [this.#direct(), ...subjects] : subjects
    const generation = Math.ceil(count / plan.generations)
    try {
      for (let round = 1; round <= count && this.#goesOn(round, until); round++) {
        if (!this.#scenario.fresh && (round - 1) % generation === 0) {
          await this.#stopAll()
          // The reference is the first one warmed at all, because it decides how much work a sample is.
          await this.#startAll(round === 1 ? all : shuffle(all))
        }
        for (const subject of shuffle(all)) await this.#sample(subject)
        progress(`${this.#scenario.name} ${round}/${count}: ${this.#lastRound()} ${this.#scenario.unit}`)
      }
    } finally {
      await this.#stopAll()
    }
    return this.#rounds
  }

  async #stopAll(): Promise<void> {
    await Promise.all([...this.#running.values()].map((one) => one.stop()))
    this.#running.clear()
  }

  /** At least one round; none after the scenario's time, none without the reference. */
  #goesOn(round: number, until: number): boolean {
    if (this.#rounds.errors.has(this.#rounds.reference)) return false
    if (round === 1 || performance.now() < until) return true
    progress(`${this.#scenario.name}: its time is used up after ${round - 1} rounds`)
    return false
  }

  async #startAll(subjects: readonly Subject[]): Promise<void> {
    for (const subject of subjects) {
      await this.#attempt(subject, async () => {
        const running = await subject.start(this.#context)
        this.#running.set(subject.name, running)
        await this.#scenario.warm(this.#session, running)
      })
    }
  }

  async #sample(subject: Subject): Promise<void> {
    const samples = this.#rounds.samples.get(subject.name)!
    const sample = await this.#attempt(subject, async () => {
      if (!this.#scenario.fresh) return this.#scenario.measure(this.#session, this.#running.get(subject.name)!)
      const running = await subject.start(this.#context)
      try {
        await this.#scenario.warm(this.#session, running)
        return await this.#scenario.measure(this.#session, running)
      } finally {
        await running.stop()
      }
    })
    samples.push(sample)
  }

  /** A subject that fails is left out of the rest of the scenario, and the report says why. */
  async #attempt<T>(subject: Subject, action: () => Promise<T>): Promise<T | undefined> {
    if (this.#rounds.errors.has(subject.name)) return undefined
    try {
      return await action()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.#rounds.errors.set(subject.name, message)
      progress(`${this.#scenario.name}, ${subject.name}: ${message}`)
      // Streams that a failed sample left open must not count in the next one.
      await this.#session.load.call('vanish')
      // Nor may requests that it still sends upstream.
      await this.#running.get(subject.name)?.stop()
      this.#running.delete(subject.name)
      return undefined
    }
  }

  #lastRound(): string {
    const parts = [...this.#rounds.samples].map(([name, all]) => `${name} ${all.at(-1)?.value.toPrecision(3) ?? '-'}`)
    return parts.join(' · ')
  }

  /** The upstream itself as a subject, for what a request takes without any proxy. */
  #direct(): Subject {
    const { upstream } = this.#session
    const running = { pid: upstream.process.pid!, port: upstream.ready.port, readyMs: 0, stop: async () => {} }
    return { name: DIRECT, limits: undefined, start: async () => running }
  }
}
