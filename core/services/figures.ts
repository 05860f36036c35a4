/** Figures that the core and plugins offer to those that export them. */
import type { Figure, FigureSpec } from '../engine/contract/plugin.ts'

const READ_MS = 1000

export class Figures {
  readonly #offered = new Map<object, FigureSpec[]>()

  /** `owner` is any object, for `drop`. */
  offer(owner: object, spec: FigureSpec): void {
    const own = this.#offered.get(owner) ?? []
    own.push(spec)
    this.#offered.set(owner, own)
  }

  drop(owner: object): void {
    this.#offered.delete(owner)
  }

  /** Reads all; of two with the same name, the later one, because a reload creates the new plugin before the old ends. */
  async read(): Promise<readonly Figure[]> {
    const specs = new Map([...this.#offered.values()].flat().map((spec) => [spec.name, spec]))
    const late = AbortSignal.timeout(READ_MS)
    const over = new Promise<undefined>((resolve) => late.addEventListener('abort', () => resolve(undefined)))
    const figures = await Promise.all([...specs.values()].map((spec) => Promise.race([readOne(spec), over])))
    return figures.filter((figure) => figure !== undefined)
  }
}

async function readOne({ read, ...spec }: FigureSpec): Promise<Figure | undefined> {
  try {
    return { ...spec, samples: await read() }
  } catch {
    return undefined
  }
}
