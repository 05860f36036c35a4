/** Offsets of a normalised text, mapped back to its source. */

/** A place where the two texts differ in length. Clusters are ordered and do not overlap. */
export interface Cluster {
  /** Position in the normalised text. */
  readonly at: number
  /** Length in the normalised text; 0 if stripped. */
  readonly length: number
  readonly rawStart: number
  readonly rawEnd: number
}

/** Compact the list when it holds this many dropped clusters, and they are half of it. */
const COMPACT = 256

export class OffsetMap {
  readonly #clusters: Cluster[]
  /** Index of the first cluster that was not dropped. */
  #head = 0
  /** Offset added to positions left of all clusters. */
  #shift: number
  readonly #inner: OffsetMap | undefined

  /** @param inner map to the original source, for a text that was read more than once */
  constructor(clusters: Cluster[] = [], shift = 0, inner?: OffsetMap) {
    this.#clusters = clusters
    this.#shift = shift
    this.#inner = inner
  }

  copy(): OffsetMap {
    return new OffsetMap(this.#clusters.slice(this.#head), this.#shift, this.#inner)
  }

  /** Composes this map with the map of its source. */
  after(inner: OffsetMap | undefined): OffsetMap {
    if (inner === undefined) return this
    return new OffsetMap(this.#clusters, this.#shift, this.#inner === undefined ? inner : this.#inner.after(inner))
  }

  /** Composes both maps into one, for texts of these lengths. Overlapping clusters merge. */
  flat(length: number, rawLength: number): OffsetMap {
    if (this.#inner === undefined) return this
    const clusters: { at: number; length: number; rawStart: number; rawEnd: number }[] = []
    let last: (typeof clusters)[number] | undefined
    let done = 0
    for (let at = 0; at <= length; at++) {
      const [rawStart, rawEnd] = at < length ? this.toRaw(at, at + 1) : [rawLength, rawLength]
      if (last !== undefined && rawStart < done && at < length) {
        last.length = at + 1 - last.at
        last.rawEnd = done = Math.max(done, rawEnd)
        continue
      }
      if (rawStart > done) clusters.push({ at, length: 0, rawStart: done, rawEnd: rawStart })
      if (at === length) break
      last = { at, length: 1, rawStart, rawEnd }
      clusters.push(last)
      done = rawEnd
    }
    return new OffsetMap(clusters.filter((one) => one.length !== 1 || one.rawEnd - one.rawStart !== 1))
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
    const cluster = this.#last((c) => c.rawStart <= raw)
    if (cluster === undefined) return raw - this.#shift
    return raw < cluster.rawEnd ? cluster.at : cluster.at + cluster.length + (raw - cluster.rawEnd)
  }

  /** Appends the clusters of the text that follows. */
  append(map: OffsetMap, at: number, raw: number): void {
    for (const one of map.#clusters) {
      this.#clusters.push({
        at: one.at + at,
        length: one.length,
        rawStart: one.rawStart + raw,
        rawEnd: one.rawEnd + raw,
      })
    }
  }

  /** Drops clusters left of a source position, which must not lie inside a cluster. */
  dropBefore(raw: number): void {
    const clusters = this.#clusters
    while (this.#head < clusters.length && clusters[this.#head]!.rawEnd <= raw) {
      const { at, length, rawEnd } = clusters[this.#head++]!
      this.#shift = rawEnd - at - length
    }
    if (this.#head === clusters.length) clusters.length = 0
    else if (this.#head > COMPACT && this.#head * 2 > clusters.length) clusters.splice(0, this.#head)
    else return
    this.#head = 0
  }

  /** Drops clusters right of a source position. */
  dropFrom(raw: number): void {
    const clusters = this.#clusters
    while (clusters.length > this.#head && clusters[clusters.length - 1]!.rawStart >= raw) clusters.pop()
  }

  /** The source position, or the start of the cluster that contains it: a cut there splits no cluster. */
  floor(source: number): number {
    const inner = this.#inner
    for (let at = source; ; ) {
      const base = inner === undefined ? at : inner.floor(at)
      const raw = inner === undefined ? base : inner.fromRaw(base)
      const cluster = this.#last((c) => c.rawStart < raw)
      if (cluster === undefined || cluster.rawEnd <= raw) return base
      if (inner === undefined) return cluster.rawStart
      at = inner.toRaw(cluster.rawStart, cluster.rawStart + 1)[0]
    }
  }

  /** Excludes stripped characters right before a start position. */
  #start(position: number): number {
    const cluster = this.#last((c) => c.at <= position)
    if (cluster === undefined) return position + this.#shift
    if (position < cluster.at + cluster.length) return cluster.rawStart
    return cluster.rawEnd + (position - cluster.at - cluster.length)
  }

  /** Excludes stripped characters right after an end position. */
  #end(position: number): number {
    const cluster = this.#last((c) => c.at < position)
    if (cluster === undefined) return position + this.#shift
    if (position < cluster.at + cluster.length) return cluster.rawEnd
    return cluster.rawEnd + (position - cluster.at - cluster.length)
  }

  #last(holds: (cluster: Cluster) => boolean): Cluster | undefined {
    let low = this.#head
    let high = this.#clusters.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (holds(this.#clusters[middle]!)) low = middle + 1
      else high = middle
    }
    return low === this.#head ? undefined : this.#clusters[low - 1]
  }
}
