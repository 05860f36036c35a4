/** The named character references of HTML: `&commat;`, and old ones also without the semicolon, `&nbsp`. */
import { createRequire } from 'node:module'
import { isAlnum, isDigit } from './char-kinds.ts'

type Names = typeof import('character-entities')
type LegacyNames = typeof import('character-entities-legacy')

/** Length of `CounterClockwiseContourIntegral`. */
export const LONGEST_NAME = 31
const LONGEST_LEGACY_NAME = 6
const SEMICOLON = 0x3b
const EQUALS = 0x3d
const LOW_LINE = 0x5f

export interface Entity {
  readonly end: number
  /** The characters that it stands for, as they are. */
  readonly chars: string
}

interface Entities {
  readonly chars: ReadonlyMap<string, string>
  readonly sorted: readonly string[]
  readonly legacy: ReadonlySet<string>
}

const load = createRequire(import.meta.url)
let entities: Entities | undefined

/** Loads lazily: few texts need the names. */
function known(): Entities {
  if (entities !== undefined) return entities
  const { characterEntities } = load('character-entities') as Names
  const { characterEntitiesLegacy } = load('character-entities-legacy') as LegacyNames
  const chars = new Map(Object.entries(characterEntities))
  entities = { chars, sorted: [...chars.keys()].sort(), legacy: new Set(characterEntitiesLegacy) }
  return entities
}

/** Where the letters and digits end that may be a name. */
function nameEnd(raw: string, from: number): number {
  let at = from
  while (at - from <= LONGEST_NAME && isAlnum(raw.charCodeAt(at))) at++
  return isDigit(raw.charCodeAt(from)) ? from : at
}

/** The entity with a semicolon that begins at `i`, where `&` stands. */
export function entityNamedAt(raw: string, i: number): Entity | undefined {
  const end = nameEnd(raw, i + 1)
  if (end < i + 3 || raw.charCodeAt(end) !== SEMICOLON) return undefined
  const chars = known().chars.get(raw.slice(i + 1, end))
  return chars === undefined ? undefined : { end: end + 1, chars }
}

/** Of the old entities, those that may hide in a word or number. Others are names of parameters, too: `&region=`. */
const WITHIN_WORDS = /[\p{L}\p{N}\u00a0\u00ad]/u

const isOfParameter = (c: number): boolean => c === LOW_LINE || (isAlnum(c) && !isDigit(c))

/** The entity without a semicolon that begins at `i`, where `&` stands, if it is no parameter of an address: `&copy=1`. */
export function legacyEntityAt(raw: string, i: number): Entity | undefined {
  const last = nameEnd(raw, i + 1)
  for (let end = Math.min(last, i + 1 + LONGEST_LEGACY_NAME); end > i + 2; end--) {
    const name = raw.slice(i + 1, end)
    if (!known().legacy.has(name)) continue
    const next = raw.charCodeAt(end)
    const chars = known().chars.get(name)!
    if (next === EQUALS || (!WITHIN_WORDS.test(chars) && isOfParameter(next))) return undefined
    return { end, chars }
  }
  return undefined
}

const OPEN_NAME = /&([A-Za-z][A-Za-z0-9]*)$/

/** Whether a text ends in `&` and letters that begin no entity, so that nothing at its end is an unfinished escape. */
export function endsInOtherName(tail: string): boolean {
  const name = OPEN_NAME.exec(tail)?.[1]
  if (name === undefined) return false
  const { sorted } = known()
  let from = 0
  for (let to = sorted.length; from < to; ) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < name) from = middle + 1
    else to = middle
  }
  return sorted[from]?.startsWith(name) !== true
}
