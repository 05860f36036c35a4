import type { Channel, Json } from '../contract/plugin.ts'
import type { JsonObject, Path } from './strict.ts'

/** Where a value may stand in the elements of a list, or the members of an object. */
const FREE: ReadonlySet<Channel> = new Set(['tool_arguments', 'metadata'])

/** Digits and capitals of all groups together: a social security number has the fewest. */
const [LEAST_DIGITS, MOST_DIGITS] = [9, 64]
const LONGEST_NAME = 64
/** Members of a list or object, runs in it, and runs in a document: tables and coordinates have many. */
const [MOST_MEMBERS, MOST_RUNS, MOST_GROUPS] = [256, 16, 256]
const LONGEST_GROUP = 40
const GROUP = /^[ +(./-]*[0-9A-Z][0-9A-Z ()./-]*$/
const SLASH = 0x2f

/** Members that are read together. */
export interface Group {
  readonly path: Path
  /** Indexes in the list of fields. */
  readonly fields: readonly number[]
  /** What JSON has before each of them. */
  readonly gaps: readonly string[]
}

interface GroupedFields {
  readonly fields: readonly unknown[]
  readonly groups: Group[]
  add(channel: Channel, path: Path, text: string, role?: string, place?: 'value' | 'number', beside?: string): void
}

interface Run {
  /** Place of its first member, and after its last. */
  readonly from: number
  readonly to: number
}

/** Runs of neighbours in a list or object that may be one value, as in `[4556, 7375, 8689, 9855]`. */
export class Groups {
  readonly #path: Path
  readonly #container: readonly Json[] | JsonObject
  readonly #runs: readonly Run[]
  #next = 0
  #fields: number[] = []
  #gaps: string[] = []
  #wasText = false

  private constructor(path: Path, container: readonly Json[] | JsonObject, runs: readonly Run[]) {
    this.#path = path
    this.#container = container
    this.#runs = runs
  }

  /** Undefined if there are none, or too many. */
  static in(
    list: GroupedFields,
    channel: Channel,
    path: Path,
    container: readonly Json[] | JsonObject,
  ): Groups | undefined {
    if (!FREE.has(channel) || list.groups.length >= MOST_GROUPS) return undefined
    const runs = runsOf(container)
    return runs.length === 0 || runs.length > MOST_RUNS ? undefined : new Groups([...path], container, runs)
  }

  has(place: number): boolean {
    const run = this.#runs[this.#next]
    return run !== undefined && place >= run.from && place < run.to
  }

  /** Adds the next member, which `has` told: numbers in a group count however short they are. */
  take(
    list: GroupedFields,
    place: number,
    channel: Channel,
    path: Path,
    value: Json,
    role: string | undefined,
    beside: string | undefined,
  ): void {
    const run = this.#runs[this.#next] as Run
    this.#gaps.push(this.#gapBefore(path.at(-1) as string | number, place === run.from))
    this.#fields.push(list.fields.length)
    list.add(channel, path, String(value), role, typeof value === 'number' ? 'number' : 'value', beside)
    if (place + 1 < run.to) return
    list.groups.push({ path: this.#path, fields: this.#fields, gaps: this.#gaps })
    this.#next++
    this.#fields = []
    this.#gaps = []
  }

  /** What JSON has before a member. */
  #gapBefore(step: string | number, isFirst: boolean): string {
    const container = this.#container as JsonObject
    const isText = typeof container[step] === 'string'
    const name = typeof step === 'string' ? `${JSON.stringify(step)}:` : ''
    const before = isFirst ? this.#opening : this.#wasText ? '",' : ','
    this.#wasText = isText
    return before + name + (isText ? '"' : '')
  }

  get #opening(): string {
    const bracket = Array.isArray(this.#container) ? '[' : '{'
    const name = this.#path.findLast((step) => typeof step === 'string')
    return name === undefined || name.length > LONGEST_NAME ? bracket : `${JSON.stringify(name)}:${bracket}`
  }
}

function runsOf(container: readonly Json[] | JsonObject): Run[] {
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const count = names?.length ?? (container as readonly Json[]).length
  if (count > MOST_MEMBERS) return []
  const runs: Run[] = []
  let from = 0
  let digits = 0
  for (let i = 0; i <= count; i++) {
    const name = names?.[i]
    const own = i === count || (name?.length ?? 0) > LONGEST_NAME ? 0 : digitsOf((container as JsonObject)[name ?? i])
    if (own > 0) {
      digits += own
      continue
    }
    if (i - from > 1 && digits >= LEAST_DIGITS && digits <= MOST_DIGITS) runs.push({ from, to: i })
    from = i + 1
    digits = 0
  }
  return runs
}

/** Digits and capitals of a group; 0 if the value is none. */
function digitsOf(value: Json | undefined): number {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 ? Math.floor(Math.log10(Math.max(1, value))) + 1 : 0
  if (typeof value !== 'string' || value.length > LONGEST_GROUP || !GROUP.test(value)) return 0
  let digits = 0
  for (let i = 0; i < value.length; i++) if (value.charCodeAt(i) > SLASH) digits++
  return digits
}
