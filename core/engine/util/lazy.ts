/** Sets and maps that stay empty most of the time: an empty one of the language takes 180 bytes, and a stream has a dozen. */

const NO_VALUES: ReadonlySet<never> = new Set()
const NO_ENTRIES: ReadonlyMap<unknown, unknown> = new Map()

/** Made with its first value. */
export class LazySet<T> {
  #made: Set<T> | undefined = undefined

  get all(): ReadonlySet<T> {
    return this.#made ?? NO_VALUES
  }

  get size(): number {
    return this.#made?.size ?? 0
  }

  has(value: T): boolean {
    return this.#made?.has(value) === true
  }

  add(value: T): void {
    this.#made ??= new Set()
    this.#made.add(value)
  }

  delete(value: T): boolean {
    return this.#made?.delete(value) === true
  }
}

/** Made with its first entry. */
export class LazyMap<K, V> {
  #made: Map<K, V> | undefined = undefined

  get all(): ReadonlyMap<K, V> {
    return this.#made ?? (NO_ENTRIES as ReadonlyMap<K, V>)
  }

  get size(): number {
    return this.#made?.size ?? 0
  }

  has(key: K): boolean {
    return this.#made?.has(key) === true
  }

  get(key: K): V | undefined {
    return this.#made?.get(key)
  }

  set(key: K, value: V): void {
    this.#made ??= new Map()
    this.#made.set(key, value)
  }

  delete(key: K): boolean {
    return this.#made?.delete(key) === true
  }
}
