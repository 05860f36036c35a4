import type { Direction } from '../contract/plugin.ts'
import { allSteps } from '../util/steps.ts'
import { beforeOpenRewrites, type Report, type Rewrite, rewriteEndsAt } from './findings.ts'
import { HIDDEN_CONTEXT } from './hidden.ts'
import type { Inspection, Reporter } from './inspection.ts'
import { beforeJsonNumber, JSON_CONTEXT } from './json-numbers.ts'
import { isLowSurrogate, startsWithMark } from './marks.ts'
import { OffsetMap } from './offset-map.ts'
import { openTail } from './open-tail.ts'
import { PartBorders } from './part-borders.ts'
import { PartReadings } from './part-reading.ts'
import { RawText } from './raw-text.ts'
import { endOf, MAX_OPEN, wholeEscapes } from './readings.ts'
import { StreamReadings } from './stream-readings.ts'
import { normalise } from './unicode.ts'
import { BaseView, LEFT_CONTEXT, type RawSpan, type ViewOrigin } from './views.ts'
import { WrittenBreaks } from './written-breaks.ts'

/** How much raw context to keep left of new text; it decides how the text is read. */
const MAX_LEFT = 256
/** Characters shown at once. The rest of a longer text follows as if it had arrived with the next read. */
export const MAX_SHOWN = 32 * 1024
/** More raw text, which may decode to little, does not wait. */
const MOST_WAITING = 2 * MAX_OPEN
/** Longest escape in which a finding may begin: letters after backslashes. */
const MAX_ESCAPE = 20
const NONE: readonly BaseView[] = []

interface Wait {
  /** Position in the whole normalised field. */
  readonly from: number
  readonly maxBuffered: number
}

/**
 * The text of one choice and channel of a streamed reply. It keeps text that plugins hold, releases safe text, and
 * remembers rewrites of released text. Raw positions count the provider's characters in the field; plugins count
 * normalised characters. Each character is normalised once, however long it waits: text and map grow at the right and
 * shrink at the left.
 */
export class StreamView extends BaseView {
  readonly direction: Direction = 'output'
  text = ''
  before = ''
  fresh = 0
  offset = 0
  final = false
  /** Raw position up to which all text may leave. */
  released = 0
  /** Rewrites left of `released` that events still have to apply, in order. */
  readonly rewritten: Rewrite[] = []
  /** Name of the part that grows. */
  part: string | undefined = undefined
  /** Source of `text`: shown and not yet released, with the last of what left. */
  readonly #raw = new RawText(JSON_CONTEXT)
  readonly #textOf = (start: number, end: number): string => this.#raw.slice(start, end)
  /** Source after `#raw`, not shown yet; its end may read differently once more text follows. */
  #tail = ''
  /** Raw text left of the tail, at least its last units; trimmed from time to time. */
  #left = ''
  /** The last units that were shown or released. Reading them from `text` would copy all of it for each event. */
  #end = ''
  /** Maps positions in the whole field. */
  #places: OffsetMap | undefined = undefined
  readonly #breaks = new WrittenBreaks()
  readonly #decoded: StreamReadings
  #parts: PartReadings | undefined = undefined
  #borders: PartBorders | undefined = undefined
  #holdFrom = 0
  /** Raw end of the last rewrite. */
  #rewrittenTo = -1
  #waits: Wait[] | undefined = undefined
  readonly #onSettled: () => void

  /** @param onSettled called when an external verdict settles, so that the text may be released at once */
  constructor(inspection: Inspection, id: number, origin: ViewOrigin, onSettled: () => void) {
    super(inspection, id, origin)
    this.#onSettled = onSettled
    this.#decoded = new StreamReadings(inspection, this)
  }

  protected get rawEnd(): number {
    return this.#raw.end
  }

  source(start: number, end: number): string {
    const from = Math.max(start, this.released)
    return this.seen(from, this.#raw.slice(from, Math.min(end, this.#raw.end)))
  }

  /** Raw characters seen so far. */
  get length(): number {
    return this.#raw.end + this.#tail.length
  }

  /** The normalised unit left of the tail. */
  get #previous(): number {
    return this.#end === '' ? 0 : this.#end.charCodeAt(this.#end.length - 1)
  }

  /** Characters that arrived and were not shown. */
  get behind(): number {
    return this.#tail.length
  }

  /** Raw position after `text`. */
  get shown(): number {
    return this.#raw.end
  }

  /**
   * What follows is another part of the text, which clients may also show by itself.
   *
   * @param run names parts one after the other that clients may also show as one
   */
  beginPart(run?: string): void {
    this.#parts ??= new PartReadings(this.inspection, this)
    this.#parts.begin(this.length, this.released, run)
    this.#borders = (this.#borders ?? new PartBorders()).add(this.length)
    this.#decoded.beginPart(this.length, this.released, run)
  }

  /** Its last characters. */
  get last(): string {
    return (this.before + this.text + this.#tail).slice(-LEFT_CONTEXT)
  }

  append(raw: string): void {
    this.#tail = this.#tail === '' ? raw : this.#tail + raw
  }

  /** Moves new text to `text`, before the taps run. */
  prepare(): void {
    this.fresh = this.text.length
    this.#decoded.prepare()
    this.#parts?.prepare()
    if (this.#tail !== '') {
      if (startsWithMark(this.#tail)) this.#takeBase()
      this.#show(this.final ? this.#tail.length : openTail(this.#tail.slice(0, MAX_SHOWN), this.#previous))
    }
    this.#holdFrom = this.text.length
    this.#decoded.forget()
    this.#parts?.place()
    this.#decoded.place()
  }

  #show(length: number): void {
    if (length === 0) return
    const tail = this.#tail
    const raw = length === tail.length ? tail : tail.slice(0, length)
    const { text: whole, map, hidden } = normalise(raw, this.#previous, this.#left, this.#breaks, this.#raw.end)
    const floor = map === undefined ? undefined : (at: number) => map.fromRaw(cutBefore(map, at))
    const beside = this.#decoded.left(this.#end)
    const left = this.#borders?.beside(beside, this.#raw.end, length, map) ?? beside
    const read = this.#decoded.read(whole, this.final, left, length <= MOST_WAITING, floor)
    const { shown: until } = read.all
    let text = whole
    let end = length
    // No reading shows text that may still change in another.
    if (until < whole.length) {
      text = whole.slice(0, until)
      end = map === undefined ? until : cutBefore(map, until)
      map?.dropFrom(end)
    }
    if (end === 0) return
    this.#borders?.pass(read.all)
    this.#decoded.append(read, text.length, this.#parts)
    const start = this.#raw.end
    if (map !== undefined) {
      this.#places ??= this.#mapSoFar()
      this.#places.append(map, this.offset + this.text.length, start)
    }
    if (hidden !== undefined)
      for (const run of hidden) if (run.start < end) this.hide(start + run.start, start + run.end)
    this.text = this.text === '' ? text : this.text + text
    this.#end = endOf({ text, before: this.#end })
    const shown = end === tail.length ? tail : tail.slice(0, end)
    this.#raw.push(shown)
    this.#left = shown.length >= HIDDEN_CONTEXT ? shown : this.#left + shown
    if (this.#left.length > MAX_LEFT) this.#left = this.#left.slice(-HIDDEN_CONTEXT)
    this.#tail = end === tail.length ? '' : tail.slice(end)
  }

  /** Takes back the last waiting character: a mark that belongs to it arrived. */
  #takeBase(): void {
    let from = this.text.length - 1
    if (from < 0) return
    if (from > 0 && isLowSurrogate(this.text.charCodeAt(from))) from--
    // Drops the rest of a longer pile of marks.
    if (this.#raw.end - this.toField(from, from + 1)[0] <= HIDDEN_CONTEXT) this.#takeFrom(from)
  }

  #takeFrom(position: number): void {
    let from = position
    const [start] = this.toField(from, from + 1)
    while (from > 0 && this.toField(from - 1, from)[0] >= start) from--
    this.#decoded.takeBack(from)
    this.text = this.text.slice(0, from)
    this.#end = endOf(this)
    this.fresh = Math.min(this.fresh, from)
    this.#places?.dropFrom(start)
    this.#borders?.takeBack(start)
    const taken = this.#raw.takeFrom(start)
    this.#tail = taken + this.#tail
    this.#left =
      taken.length < this.#left.length
        ? this.#left.slice(0, -taken.length)
        : this.#raw.slice(Math.max(this.released, start - HIDDEN_CONTEXT), start)
  }

  /** A map without clusters, for when text and source positions differ only by a constant. */
  #mapSoFar(): OffsetMap {
    return new OffsetMap(undefined, this.released - this.offset)
  }

  override toField(start: number, end: number): readonly [number, number] {
    if (this.#places === undefined) return [this.released + start, this.released + end]
    return this.#places.toRaw(this.offset + start, this.offset + end)
  }

  override get readings(): readonly BaseView[] {
    return this.#decoded.views(this.#parts?.list ?? NONE)
  }

  protected override get rawStart(): number {
    return this.released
  }

  protected override whole(start: number, end: number): RawSpan {
    if (this.#decoded.isEmpty) return { start, end }
    const from = Math.max(this.released, start - MAX_ESCAPE)
    const raw = this.#raw.slice(from, Math.min(end + 1, this.#raw.end))
    const span = wholeEscapes(raw, start - from, end - from)
    const glued = span.glued === undefined ? {} : { glued: span.glued + from }
    return { start: span.start + from, end: span.end + from, ...glued }
  }

  hold(from: number, until?: PromiseLike<unknown>): void {
    const reporter = this.active('hold')
    this.checkHold(reporter, from, until)
    const at = Math.min(Math.max(0, Math.floor(from)), this.text.length)
    // A verdict counts even before the text it concerns arrives.
    if (until !== undefined) this.#wait(reporter, at, until)
    else if (!this.final && at < this.text.length)
      this.#holdFrom = Math.min(this.#holdFrom, this.boundedHold(reporter, at))
  }

  #wait(reporter: Reporter, from: number, until: PromiseLike<unknown>): void {
    const wait = { from: this.offset + from, maxBuffered: reporter.maxBuffered }
    this.#waits ??= []
    this.#waits.push(wait)
    void this.inspection.verdict(reporter, until, 'output').then(() => {
      this.#waits = this.#waits?.filter((other) => other !== wait)
      this.#onSettled()
    })
  }

  /** More text waits for a verdict than the plugin allows: pause the provider. */
  get stalled(): boolean {
    const end = this.offset + this.text.length
    return this.#waits?.some((wait) => end - wait.from > wait.maxBuffered) ?? false
  }

  get waiting(): boolean {
    return this.#waits !== undefined && this.#waits.length > 0
  }

  /** Releases text that no plugin holds, after the taps ran or a verdict settled. */
  settle(): void {
    let from = this.final ? this.text.length : Math.min(this.#holdFrom, this.text.length)
    if (this.#waits !== undefined) for (const wait of this.#waits) from = Math.min(from, wait.from - this.offset)
    this.reportHidden()
    const [index, end] = this.#border(Math.max(from, 0))
    const done = this.takeUpTo(end)
    if (done.length > 0) {
      for (const _ of done) this.inspection.admits(this.direction)
      for (const rewrite of allSteps(this.rewriteInSteps(done, this.#textOf))) {
        this.rewritten.push(rewrite)
        this.#rewrittenTo = rewrite.end
      }
    }
    this.#release(index, end)
  }

  /** Where to cut before an index. Invisible characters wait after a rewrite: its value may continue. */
  #cut(index: number): number {
    const isEnd = index === this.text.length
    const end = isEnd ? this.#raw.end : this.toField(index, index + 1)[0]
    if ((isEnd && this.final) || this.#places === undefined) return end
    if (index === 0) return this.released === this.#rewrittenTo ? this.released : end
    const seen = this.toField(index - 1, index)[1]
    return seen < end && this.found !== undefined && rewriteEndsAt(this.found, seen) ? seen : end
  }

  /** The last position up to an index that splits no rewrite and no text that one source character produced. */
  #border(from: number): readonly [index: number, raw: number] {
    const { found } = this
    for (let index = from; ; ) {
      let end = this.#cut(this.#bound(index))
      end = this.#beforeNumbers(end, found)
      const next = this.indexOf(end)
      if ((this.#decoded.isEmpty && this.#parts === undefined) || next >= index) return [next, end]
      index = next
    }
  }

  /** The same for rewrites, and for numbers of JSON, which are replaced as a whole. */
  #beforeNumbers(end: number, found: Iterable<Report> | undefined): number {
    for (let at = end; ; ) {
      const whole = found === undefined ? at : beforeOpenRewrites(found, at)
      const next = this.final && whole === this.#raw.end ? whole : beforeJsonNumber(whole, this.#textOf)
      if (next === whole || next < this.released) return whole
      at = next
    }
  }

  #bound(index: number): number {
    const at = this.#decoded.bound(index)
    return this.#parts?.bound(at) ?? at
  }

  /** Index in `text` of a raw position that was not released. */
  indexOf(raw: number): number {
    if (this.#places === undefined) return raw - this.released
    let low = 0
    let high = this.text.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.toField(middle, middle + 1)[0] < raw) low = middle + 1
      else high = middle
    }
    return low
  }

  #release(from: number, end: number): void {
    if (end === this.released) return
    this.#decoded.release(from)
    const gone = this.text.slice(0, from)
    this.before = gone.length >= LEFT_CONTEXT ? gone.slice(-LEFT_CONTEXT) : (this.before + gone).slice(-LEFT_CONTEXT)
    this.text = this.text.slice(from)
    this.offset += from
    this.#holdFrom = Math.max(0, this.#holdFrom - from)
    this.#raw.dropBefore(end)
    this.#places?.dropBefore(end)
    this.released = end
    if (end === this.#raw.end) this.#places = undefined
  }

  /** The raw stretch `start..start+raw.length` of the field after all rewrites. */
  output(start: number, raw: string): string {
    const end = start + raw.length
    let out = ''
    let at = start
    for (let i = this.#firstRewrite(start); i < this.rewritten.length; i++) {
      const rewrite = this.rewritten[i] as Rewrite
      if (rewrite.start >= end) break
      if (rewrite.start >= at) out += raw.slice(at - start, rewrite.start - start) + rewrite.text
      at = Math.min(rewrite.end, end)
    }
    return out + raw.slice(at - start)
  }

  /** True when a rewrite touches the raw stretch. */
  touches(start: number, end: number): boolean {
    const first = this.rewritten[this.#firstRewrite(start)]
    return first !== undefined && first.start < end
  }

  /** Drops rewrites that end left of `raw`, after their events have left. */
  forget(raw: number): void {
    const gone = this.#firstRewrite(raw)
    if (gone > 0) this.rewritten.splice(0, gone)
  }

  /** Index of the first rewrite that ends right of a raw position. Rewrites are ordered and do not overlap. */
  #firstRewrite(raw: number): number {
    let low = 0
    let high = this.rewritten.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.rewritten[middle] as Rewrite).end <= raw) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** The last source position up to a text position that splits no cluster. */
const cutBefore = (map: OffsetMap, at: number): number => map.floor(map.toRaw(at, at + 1)[0])
