/** A typed token for data that plugins share. Names outside the core are `vendor/name`. */
export interface Fact<T> {
  readonly key: string
  readonly _type?: T
}

/** Makes a fact token. Two tokens with the same key are the same fact. */
export function defineFact<T>(key: string): Fact<T> {
  return Object.freeze({ key })
}

export interface Facts {
  get<T>(fact: Fact<T>): T | undefined
  set<T>(fact: Fact<T>, value: T): void
}
