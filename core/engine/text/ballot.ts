/**
 * Whether a token comes back that is in texts of several views: a text by itself, and every text that clients show
 * it in. Each reads it after other text, so all of them must restore it.
 */
export class Ballot {
  readonly #voters = new Set<object>()
  readonly #needed: number

  constructor(needed: number) {
    this.#needed = needed
  }

  get isOpen(): boolean {
    return this.#voters.size > 0
  }

  vote(voter: object): void {
    this.#voters.add(voter)
  }

  get passes(): boolean {
    return this.#voters.size === this.#needed
  }
}
