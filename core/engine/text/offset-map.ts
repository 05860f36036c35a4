/** Offsets of a normalised text, mapped back to its source. */

import { AT, Clusters, LENGTH, RAW_END, RAW_START } from './clusters.ts'

/** Compact the list when it holds this many dropped clusters, and they are half of it. */
const COMPACT = 256

export class OffsetMap {
  #clusters: Clusters
  /** Index of the first cluster that was not dropped. */
  #head = 0
  /** Offset added to positions left of all clusters. */
  #shift: number
  readonly #inner: OffsetMap | undefined

  /** @param inner map to the original source, for a text that was read more than once */
  constructor(clusters = new Clusters(), shift = 0, inner?: OffsetMap) {
    this.#clusters = clusters
    this.#shift = shift
    this.#inner = inner
  }

  copy(): OffsetMap {
    return new OffsetMap(this.#from(this.#head), this.#shift, this.#inner)
  }

  /** Composes this map with the map of its source. */
  after(inner: OffsetMap | undefined): OffsetMap {
    if (inner === undefined) return this
    return new OffsetMap(this.#clusters, this.#shift, this.#inner === undefined ? inner : this.#inner.after(inner))
  }

  /** Composes both maps into one, for texts of these lengths. Overlapping clusters merge. */
  flat(length: number, rawLength: number): OffsetMap {
    if (this.#inner === undefined) return this
    const clusters = new Clusters()
    let [lastAt, lastLength, lastStart] = [-1, 0, 0]
    let done = 0
    const end = () => {
      if (lastAt >= 0 && (lastLength !== 1 || done - lastStart !== 1)) clusters.add(lastAt, lastLength, lastStart, done)
    }
    for (let at = 0; at <= length; at++) {
      const [rawStart, rawEnd] = at < length ? this.toRaw(at, at + 1) : [rawLength, rawLength]
      if (lastAt >= 0 && rawStart < done && at < length) {
        lastLength = at + 1 - lastAt
        done = Math.max(done, rawEnd)
        continue
      }
      end()
      if (rawStart > done) clusters.add(at, 0, done, rawStart)
      if (at === length) break
      lastAt = at
      lastLength = 1
      lastStart = rawStart
      done = rawEnd
    }
    return new OffsetMap(clusters)
  }

  /** The source of `text[start..end]`, widened to whole clusters, with stripped characters inside. */
  toRaw(start: number, end: number): [start: number, end: number] {
    const rawStart = this.#start(start)
    const rawEnd = end <= start ? rawStart : this.#end(end)
    return this.#inner === undefined ? [rawStart, rawEnd] : this.#inner.toRaw(rawStart, rawEnd)
  }

  /** The normalised position of a source position; inside a cluster, the cluster's start. */
  fromRaw(source: number): number {
    const raw = this.#inner === undefined ? source : this.#inner.fromRaw(source)
    const clusters = this.#clusters
    const i = clusters.lastUpTo(raw, RAW_START, this.#head)
    if (i < 0) return raw - this.#shift
    const [at, rawEnd] = [clusters.get(i, AT), clusters.get(i, RAW_END)]
    return raw < rawEnd ? at : at + clusters.get(i, LENGTH) + (raw - rawEnd)
  }

  /** Appends the clusters of the text that follows. */
  append(map: OffsetMap, at: number, raw: number): void {
    this.#clusters.addAll(map.#clusters, 0, at, raw)
  }

  /** Drops clusters left of a source position, which must not lie inside a cluster. */
  dropBefore(raw: number): void {
    const clusters = this.#clusters
    while (this.#head < clusters.count && clusters.get(this.#head, RAW_END) <= raw) {
      const i = this.#head++
      this.#shift = clusters.get(i, RAW_END) - clusters.get(i, AT) - clusters.get(i, LENGTH)
    }
    if (this.#head === clusters.count) clusters.shorten(0)
    else if (this.#head > COMPACT && this.#head * 2 > clusters.count) this.#clusters = this.#from(this.#head)
    else return
    this.#head = 0
  }

  #from(first: number): Clusters {
    const clusters = new Clusters()
    clusters.addAll(this.#clusters, first)
    return clusters
  }

  /** Drops clusters right of a source position. */
  dropFrom(raw: number): void {
    const clusters = this.#clusters
    let { count } = clusters
    while (count > this.#head && clusters.get(count - 1, RAW_START) >= raw) count--
    clusters.shorten(count)
  }

  /** The source position, or the start of the cluster that contains it: a cut there splits no cluster. */
  floor(source: number): number {
    const inner = this.#inner
    for (let at = source; ; ) {
      const base = inner === undefined ? at : inner.floor(at)
      const raw = inner === undefined ? base : inner.fromRaw(base)
      const i = this.#clusters.lastUpTo(raw - 1, RAW_START, this.#head)
      if (i < 0 || this.#clusters.get(i, RAW_END) <= raw) return base
      const start = this.#clusters.get(i, RAW_START)
      if (inner === undefined) return start
      at = inner.toRaw(start, start + 1)[0]
    }
  }

  /** Excludes stripped characters right before a start position. */
  #start(position: number): number {
    return this.#source(position, position, RAW_START)
  }

  /** Excludes stripped characters right after an end position. */
  #end(position: number): number {
    return this.#source(position, position - 1, RAW_END)
  }

  /** @param side of the cluster around the position */
  #source(position: number, limit: number, side: number): number {
    const clusters = this.#clusters
    const i = clusters.lastUpTo(limit, AT, this.#head)
    if (i < 0) return position + this.#shift
    const end = clusters.get(i, AT) + clusters.get(i, LENGTH)
    return position < end ? clusters.get(i, side) : clusters.get(i, RAW_END) + (position - end)
  }
}
