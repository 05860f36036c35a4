import type { Fact, Facts } from '../plugin.ts'

/** Typed data that plugins leave for each other during one exchange. Made on first use. */
export class ExchangeFacts implements Facts {
  #values: Map<string, unknown> | undefined = undefined

  get<T>(fact: Fact<T>): T | undefined {
    return this.#values?.get(fact.key) as T | undefined
  }

  set<T>(fact: Fact<T>, value: T): void {
    this.#values ??= new Map()
    this.#values.set(fact.key, value)
  }
}
