import type { Figure, Json, Services } from 'governed-gateway'

/** Figures of the core, by the name that the page gives them. */
const FIGURES: Readonly<Record<string, 'available' | 'waiting' | 'keys_resting'>> = {
  upstream_available: 'available',
  upstream_waiting_requests: 'waiting',
  upstream_keys_resting: 'keys_resting',
}
const MIRRORED = 'mirrored_requests_total'

interface Seen {
  available: number
  waiting: number
  keys_resting: number
  /** Copies by their result. */
  readonly mirrored: Record<string, number>
}

type SeenByName = Record<string, Seen>

/** Upstreams as all processes of this node see them: each has breakers and queues of its own. */
export class UpstreamHealth {
  readonly #services: Pick<Services, 'figures' | 'peers'>

  constructor(services: Pick<Services, 'figures' | 'peers'>) {
    this.#services = services
    services.peers.answer(async () => (await this.#own()) as unknown as Json)
  }

  async list(): Promise<Json> {
    const all = [await this.#own(), ...((await this.#services.peers.ask()) as unknown as SeenByName[])]
    const names = [...new Set(all.flatMap((seen) => Object.keys(seen)))]
    return names.map((name) => {
      const seen = all.flatMap((one) => one[name] ?? [])
      const sum = (member: 'available' | 'waiting') => seen.reduce((total, one) => total + one[member], 0)
      const mirrored: Record<string, number> = {}
      for (const one of seen)
        for (const [result, count] of Object.entries(one.mirrored)) mirrored[result] = (mirrored[result] ?? 0) + count
      return {
        ...{ name, processes: seen.length, open: seen.length - sum('available') },
        ...{ waiting: sum('waiting'), keys_resting: Math.max(...seen.map((one) => one.keys_resting)), mirrored },
      }
    })
  }

  async #own(): Promise<SeenByName> {
    const all: SeenByName = {}
    for (const { name, samples } of await this.#services.figures()) {
      for (const sample of samples) note(all, name, sample)
    }
    return all
  }
}

function note(all: SeenByName, figure: string, { value, labels = {} }: Figure['samples'][number]): void {
  const member = FIGURES[figure]
  const { upstream, result } = labels
  if (upstream === undefined || (member === undefined && figure !== MIRRORED)) return
  all[upstream] ??= { available: 0, waiting: 0, keys_resting: 0, mirrored: {} }
  if (member !== undefined) all[upstream][member] += value
  else if (result !== undefined) all[upstream].mirrored[result] = value
}
