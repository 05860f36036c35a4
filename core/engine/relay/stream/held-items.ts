import type { Item } from '../../dialects/stream.ts'
import type { StreamView } from '../../text/stream-view.ts'
import { LazyMap } from '../../util/lazy.ts'
import { EventLine, type Held, TextQueue } from './held-queues.ts'

/**
 * Names of the events that another one may wait for: those of an answer, those with a repeated member, by its text or by
 * name, all.
 */
type Line = number | StreamView | string

/** Whether the event waits for those of its answers, not only for its own content. */
const isLater = ({ finishes, segments, tools }: Item): boolean =>
  finishes || (segments.length === 0 && tools.length === 0)

/** Some clients join members that events repeat, so these leave in the order in which they came. */
function* linesBefore(item: Item): Iterable<Line> {
  if (isLater(item)) yield* item.choices
  for (const { still, view, line = view } of item.segments) {
    if (!still) continue
    yield line
    if (item.begins === true) yield 'all'
  }
}

const byOrder = (a: Held, b: Held): number => a.order - b.order

/**
 * The events of a stream that wait: for their own texts and calls, finishes also for earlier events of their answers, and
 * repeated members for those before them.
 * Visits only events for which something changed, however many wait.
 */
export class HeldItems {
  readonly #isInTurn: boolean
  readonly #texts = new LazyMap<StreamView, TextQueue>()
  /** Undefined until an event waits for others. */
  #lines: Map<Line, EventLine> | undefined = undefined
  /** By answer, events that contain only fragments of calls. */
  readonly #fragments = new LazyMap<number, Item[]>()
  #withCalls: Held[] = []
  /** What changed, in order: events with released text, and those that became first of a line. */
  #found: Held[] = []
  readonly #first: Held[] = []
  #at = 0
  #count = 0
  #size = 0
  /** Characters of the events, as received. */
  characters = 0

  /** @param isInTurn whether all events wait for others, not only those of named lines */
  constructor(isInTurn: boolean) {
    this.#isInTurn = isInTurn
  }

  /** Fragments of calls do not count. */
  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Whether an event whose content is safe may leave; `held` if it waits already. */
  isNext(item: Item, held?: Held): boolean {
    if (this.#size === 0 && this.#fragments.all.size === 0) return true
    if (!this.#isInTurn && !item.segments.some(({ line }) => line !== undefined)) return true
    if (!isLater(item) && !item.segments.some(({ still }) => still)) return true
    this.#lines ??= this.#inLines()
    const fragments = this.#fragments.all
    for (const line of linesBefore(item)) {
      if (line === 'all' ? fragments.size > 0 : typeof line === 'number' && fragments.has(line)) return false
      const first = this.#lines.get(line)?.first
      if (first !== undefined && first !== held) return false
    }
    return true
  }

  /** Whether a waiting event has only fragments of calls, and none before it has others. */
  isFragment({ tools, segments, choices, finishes }: Item): boolean {
    return (
      tools.length > 0 && segments.length === 0 && choices.length === 1 && !finishes && this.#withCalls.length === 0
    )
  }

  add(item: Item): void {
    const held: Held = { item, order: this.#count++, missing: 0, gone: false }
    for (const { view, start, text } of item.segments) {
      const end = start + text.length
      if (end <= view.released) continue
      held.missing++
      this.#text(view).push(held, end)
    }
    if (waitsForCalls(item)) {
      held.missing++
      this.#withCalls.push(held)
    }
    if (this.#lines !== undefined) pushTo(this.#lines, held)
    this.#size++
    this.characters += item.payload.length
  }

  #text(view: StreamView): TextQueue {
    const known = this.#texts.get(view)
    if (known !== undefined) return known
    const queue = new TextQueue()
    this.#texts.set(view, queue)
    return queue
  }

  #inLines(): Map<Line, EventLine> {
    const all = new Set([...this.#withCalls, ...this.#found.filter(({ gone }) => !gone)])
    for (const queue of this.#texts.all.values()) for (const held of queue.waiting) all.add(held)
    const lines = new Map<Line, EventLine>()
    for (const held of [...all].sort(byOrder)) pushTo(lines, held)
    return lines
  }

  addFragment(choice: number, item: Item): void {
    const items = this.#fragments.get(choice)
    if (items === undefined) this.#fragments.set(choice, [item])
    else items.push(item)
    this.characters += item.payload.length
  }

  /** Takes the events that contain only fragments of calls, of answers whose calls were released. */
  takeFragments(isReleased: (choice: number) => boolean): Item[] {
    const taken: Item[] = []
    for (const [choice, items] of this.#fragments.all) {
      if (!isReleased(choice)) continue
      this.#fragments.delete(choice)
      this.#lead(choice)
      this.#lead('all')
      for (const item of items) {
        this.characters -= item.payload.length
        taken.push(item)
      }
    }
    return taken
  }

  /** Looks for events for which something changed; `calls` if calls were released. */
  look(calls: boolean): void {
    for (const [view, queue] of this.#texts.all) queue.release(view.released, this.#found)
    if (calls) this.#lookAtCalls()
    if (this.#found.length > 1) this.#found.sort(byOrder)
  }

  #lookAtCalls(): void {
    this.#withCalls = this.#withCalls.filter((held) => {
      const waits = waitsForCalls(held.item)
      if (!waits && --held.missing === 0) this.#found.push(held)
      return waits
    })
  }

  /** The next event for which something changed. It is to be taken if it may leave. */
  next(): Held | undefined {
    for (;;) {
      const [found, first] = [this.#found[this.#at], this.#first[0]]
      const isFound = found !== undefined && (first === undefined || found.order <= first.order)
      const held = isFound ? found : first
      if (held === undefined) {
        this.#found.length = this.#at = 0
        return undefined
      }
      if (isFound) this.#at++
      else this.#first.shift()
      if (!held.gone) return held
    }
  }

  /** Removes an event that leaves. */
  take(held: Held): void {
    held.gone = true
    this.#size--
    this.characters -= held.item.payload.length
    if (this.#lines === undefined) return
    for (const line of linesOf(held.item)) if (this.#lines.get(line)?.leave() === true) this.#lead(line)
  }

  /** Another event became the first of this line. */
  #lead(line: Line): void {
    const held = this.#lines?.get(line)?.first
    if (held === undefined || held.missing > 0) return
    const at = this.#first.findIndex(({ order }) => order >= held.order)
    if (at === -1) this.#first.push(held)
    else if (this.#first[at] !== held) this.#first.splice(at, 0, held)
  }
}

function* linesOf({ choices, segments }: Item): Iterable<Line> {
  yield* choices
  for (const { still, view, line = view } of segments) if (still) yield line
  yield 'all'
}

function pushTo(lines: Map<Line, EventLine>, held: Held): void {
  for (const name of linesOf(held.item)) {
    const known = lines.get(name)
    const line = known ?? new EventLine()
    if (known === undefined) lines.set(name, line)
    line.push(held)
  }
}

function waitsForCalls({ tools }: Item): boolean {
  for (const { released } of tools) if (!released) return true
  return false
}
