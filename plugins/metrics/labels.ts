import { matchesGlob } from 'governed-gateway/kit'

const OTHER = 'other'
/** Most remembered names; clients choose them. */
const MOST = 1000

/** Label values that the operator lists, so that no client adds one. A glob is one value. */
export class LabelNames {
  readonly #listed: readonly string[]
  readonly #known = new Map<string, string>()

  constructor(listed: readonly string[]) {
    this.#listed = listed
  }

  of(name: unknown): string {
    if (typeof name !== 'string' || this.#listed.length === 0) return OTHER
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const label =
      this.#listed.find((one) => one === name) ?? this.#listed.find((one) => matchesGlob(one, name)) ?? OTHER
    if (this.#known.size < MOST) this.#known.set(name, label)
    return label
  }
}
