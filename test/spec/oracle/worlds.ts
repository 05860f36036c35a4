/** The worlds of a run, started when first needed, and all that was planted in them. */
import type { Case } from './case.ts'
import { closeClient } from './client.ts'
import type { ConfigName } from './configs.ts'
import { type Judgement, judge } from './judge.ts'
import type { Canary } from './values.ts'
import { SETTINGS_SECRETS, startWorld, type World } from './world.ts'

export interface Failure {
  /** What replays it. */
  seed: number
  case: Case
  faults: readonly string[]
  judgement?: Judgement
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
    for (const probe of new Set([value, JSON.stringify(value).slice(1, -1), compact.length > 12 ? compact : value])) {
      const gram = probe.slice(0, GRAM)
      index.set(gram, [...(index.get(gram) ?? []), { probe, of }])
    }
  }
  return index
}

function search(text: string, index: ReadonlyMap<string, { probe: string; of: Planted }[]>): Planted | undefined {
  for (let at = 0; at + GRAM <= text.length; at += 1) {
    const hit = index.get(text.slice(at, at + GRAM))?.find(({ probe }) => text.startsWith(probe, at))
    if (hit) return hit.of
  }
  return undefined
}

export class Worlds {
  readonly #worlds = new Map<ConfigName, Promise<World>>()
  readonly #planted: Planted[] = []

  get(name: ConfigName): Promise<World> {
    let world = this.#worlds.get(name)
    if (!world) {
      world = startWorld(name)
      this.#worlds.set(name, world)
    }
    return world
  }

  async judge(x: Case, seed = 0): Promise<Judgement> {
    const judgement = await judge(await this.get(x.config), x)
    this.#planted.push({ canary: judgement.canary, case: x, seed })
    return judgement
  }

  /** What stays or was told elsewhere holds no value of any case, and no secret of the settings. */
  async searchKept(): Promise<Failure[]> {
    const failures: Failure[] = []
    for (const world of await Promise.all(this.#worlds.values())) {
      const planted = this.#planted.filter(({ case: x }) => x.config === world.name)
      const index = indexOf(planted)
      for (const [name, text] of Object.entries(await world.kept())) {
        const found = search(text, index)
        if (found) failures.push({ ...found, faults: [`leak:${name}`] })
        const secret = Object.entries(SETTINGS_SECRETS).find(([, value]) => text.includes(value))
        if (secret && planted[0]) failures.push({ ...planted[0], faults: [`settings:${name}:${secret[0]}`] })
      }
    }
    return failures
  }

  async close(): Promise<void> {
    closeClient()
    const worlds = await Promise.all(this.#worlds.values())
    await Promise.all(worlds.map((world) => world.close()))
  }
}
