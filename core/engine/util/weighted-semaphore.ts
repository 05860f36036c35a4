/** Bounds what runs at once by the sum of weights. Work that does not fit waits, in order. */
export class WeightedSemaphore {
  readonly #size: number
  #used = 0
  readonly #waiting: Permit[] = []

  /** @param size of the sum; a greater weight runs alone */
  constructor(size: number) {
    this.#size = size
  }

  /** A permit, granted at once or later. Each must be released. */
  acquire(weight: number): Permit {
    const permit = new Permit(Math.min(weight, this.#size), (one) => this.#release(one))
    this.#waiting.push(permit)
    this.#grant()
    return permit
  }

  #grant(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#used + next.weight > this.#size) return
      this.#waiting.shift()
      this.#used += next.weight
      next.grant()
    }
  }

  #release(permit: Permit): void {
    const at = this.#waiting.indexOf(permit)
    if (at < 0) this.#used -= permit.weight
    else this.#waiting.splice(at, 1)
    this.#grant()
  }
}

export class Permit {
  readonly weight: number
  readonly granted: Promise<void>
  #release: ((permit: Permit) => void) | undefined
  #resolve: () => void = () => {}

  constructor(weight: number, release: (permit: Permit) => void) {
    this.weight = weight
    this.#release = release
    this.granted = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  grant(): void {
    this.#resolve()
  }

  /** Gives up the permit, or the wait for it, which then never ends. Does nothing the second time. */
  release(): void {
    const release = this.#release
    this.#release = undefined
    release?.(this)
  }
}
