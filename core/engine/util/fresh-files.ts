import { statSync } from 'node:fs'

/**
 * A value read from files, and read again when one of them changed. Looks at them whenever the value is used, which
 * needs neither timers nor watches, and follows the symbolic links that Kubernetes swaps.
 */
export class FreshFiles<T> {
  readonly #files: readonly string[]
  readonly #read: () => T
  readonly #onError: (error: unknown) => void
  readonly #onChange: (value: T, old: T) => void
  #stamp: string
  #value: T

  /** Throws what `read` throws. Later failures keep the last value and go to `onError`, once for each change. */
  constructor(
    files: readonly string[],
    read: () => T,
    onError: (error: unknown) => void,
    onChange: (value: T, old: T) => void = () => {},
  ) {
    this.#files = files
    this.#read = read
    this.#onError = onError
    this.#onChange = onChange
    this.#stamp = this.#look()
    this.#value = read()
  }

  get value(): T {
    const stamp = this.#look()
    if (stamp !== this.#stamp) this.#renew(stamp)
    return this.#value
  }

  /** The value without another look. */
  get last(): T {
    return this.#value
  }

  #renew(stamp: string): void {
    // Of two files that belong together, one may still be the old one: the next change brings another look.
    this.#stamp = stamp
    const old = this.#value
    try {
      this.#value = this.#read()
    } catch (error) {
      return this.#onError(error)
    }
    this.#onChange(this.#value, old)
  }

  #look(): string {
    return this.#files.map(stampOf).join()
  }
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(file)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
