/** The worlds of a run, started when first needed, and all that was planted in them. */
import type { Case } from './case.ts'
import { closeClient } from './client.ts'
import type { ConfigName } from './configs.ts'
import { judgeForeign } from './foreign.ts'
import { type Judgement, judge } from './judge.ts'
import { judgeTalk } from './judge-talk.ts'
import { judgeStored } from './stored.ts'
import { type Canary, SECRET_KINDS } from './values.ts'
import { SETTINGS_SECRETS, startWorld, type World } from './world.ts'

export interface Failure {
  /** What replays it. */
  seed: number
  case: Case
  faults: readonly string[]
  judgement?: Judgement
}

/** How a side is played, if not in one exchange. */
const PLAYS: Readonly<Partial<Record<Case['side'], typeof judge>>> = {
  stored: judgeStored,
  talk: judgeTalk,
  foreign: judgeForeign,
}

type Planted = { canary: Canary; case: Case; seed: number }

/** Length of what an index finds a value by; no value is shorter. */
const GRAM = 9

/** Values as they were given, and without what divides their groups, by how they begin. */
function indexOf(planted: readonly Planted[]): Map<string, { probe: string; of: Planted }[]> {
  const index = new Map<string, { probe: string; of: Planted }[]>()
  for (const of of planted) {
    const { value } = of.canary
    const compact = value.replace(/[ -]/g, '')
    // Of a long secret any part: its middle stands for them.
    const middle = Math.floor(value.length / 2)
    const core =
      SECRET_KINDS.includes(of.canary.kind) && value.length > 40 ? value.slice(middle - 9, middle + 9) : value
    for (const probe of new Set([
      value,
      JSON.stringify(core).slice(1, -1),
      JSON.stringify(value).slice(1, -1),
      compact.length > 12 ? compact : value,
    ])) {
      const gram = probe.slice(0, GRAM)
      index.set(gram, [...(index.get(gram) ?? []), { probe, of }])
    }
  }
  return index
}

const MASK = 63
/** Of three characters, in a table of 2^18. */
const hashOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) & MASK) << 12) | ((text.charCodeAt(at + 1) & MASK) << 6) | (text.charCodeAt(at + 2) & MASK)

/** Wu and Manber: the last three characters of a window say by how much it may move on at least. */
function search(text: string, index: ReadonlyMap<string, { probe: string; of: Planted }[]>): Planted | undefined {
  const last = GRAM - 3
  const shifts = new Uint8Array(1 << 18).fill(last + 1)
  for (const gram of index.keys()) {
    for (let at = 0; at <= last; at += 1) {
      const hash = hashOf(gram, at)
      shifts[hash] = Math.min(shifts[hash] as number, last - at)
    }
  }
  for (let at = 0; at + GRAM <= text.length; ) {
    const shift = shifts[hashOf(text, at + last)] as number
    if (shift === 0) {
      const hit = index.get(text.slice(at, at + GRAM))?.find(({ probe }) => text.startsWith(probe, at))
      if (hit) return hit.of
    }
    at += Math.max(shift, 1)
  }
  return undefined
}

const LAST = new Set(
  'request.completed request.blocked request.rejected response.blocked stream.aborted upstream.failed'.split(' '),
)

/** Every exchange has one last event, also where its client went away. */
function judgeEnds(trail: string, exchanges: number): string[] {
  const ends = new Map<string, number>()
  for (const page of trail.split('\n')) {
    if (page === '') continue
    const { events } = JSON.parse(page) as { events: { type: string; request_id?: string }[] }
    for (const { type, request_id: id } of events) if (LAST.has(type) && id) ends.set(id, (ends.get(id) ?? 0) + 1)
  }
  const faults = [...ends].filter(([, count]) => count > 1).map(([id, count]) => `ends:${count} last events of ${id}`)
  if (ends.size < exchanges) faults.push(`ends:${exchanges - ends.size} of ${exchanges} exchanges without a last event`)
  return faults
}

export class Worlds {
  readonly #worlds = new Map<ConfigName, Promise<World>>()
  #planted: Planted[] = []
  readonly #exchanges = new Map<ConfigName, number>()

  get(name: ConfigName): Promise<World> {
    let world = this.#worlds.get(name)
    if (!world) {
      world = startWorld(name)
      this.#worlds.set(name, world)
    }
    return world
  }

  async judge(x: Case, seed = 0): Promise<Judgement> {
    const world = await this.get(x.config)
    const judgement = await (PLAYS[x.side] ?? judge)(world, x)
    this.#exchanges.set(x.config, (this.#exchanges.get(x.config) ?? 0) + judgement.exchanges)
    for (const canary of [judgement.canary, ...(judgement.others ?? [])]) this.#planted.push({ canary, case: x, seed })
    return judgement
  }

  /** What stays or was told elsewhere holds no value of any case, and no secret of the settings. */
  async searchKept(): Promise<Failure[]> {
    const failures: Failure[] = []
    for (const world of await Promise.all(this.#worlds.values())) {
      const planted = this.#planted.filter(({ case: x }) => x.config === world.name)
      const index = indexOf(planted)
      const kept = await world.kept()
      const last = planted.at(-1)
      if (last) {
        const faults = judgeEnds(kept['audit trail'] ?? '', this.#exchanges.get(world.name) ?? 0)
        if (faults.length > 0) failures.push({ ...last, faults })
      }
      for (const [name, text] of Object.entries(kept)) {
        const found = search(text, index)
        if (found) failures.push({ ...found, faults: [`leak:${name}`] })
        const secret = Object.entries(SETTINGS_SECRETS).find(([, value]) => text.includes(value))
        if (secret && planted[0]) failures.push({ ...planted[0], faults: [`settings:${name}:${secret[0]}`] })
      }
    }
    return failures
  }

  /** The same, and begins anew: what is kept of a long run would become too much to search. */
  async renew(): Promise<Failure[]> {
    const failures = await this.searchKept()
    await this.#closeWorlds()
    this.#worlds.clear()
    this.#exchanges.clear()
    this.#planted = []
    return failures
  }

  async close(): Promise<void> {
    closeClient()
    await this.#closeWorlds()
  }

  async #closeWorlds(): Promise<void> {
    const worlds = await Promise.all(this.#worlds.values())
    await Promise.all(worlds.map((world) => world.close()))
  }
}
