/** Offsets of a normalised text, mapped back to its source. */

/** A place where the two texts differ in length. Clusters stand in order and do not overlap. */
export interface Cluster {
  /** Position in the normalised text. */
  readonly at: number
  /** Length in the normalised text; 0 for something stripped. */
  readonly length: number
  readonly rawStart: number
  readonly rawEnd: number
}

/** Clusters that were dropped stay in the list until they are this many, and half of it. */
const COMPACT = 256

export class OffsetMap {
  readonly #clusters: Cluster[]
  /** The clusters left of this one were dropped. */
  #head = 0
  /** What is added to positions left of all clusters. */
  #shift: number

  constructor(clusters: Cluster[] = [], shift = 0) {
    this.#clusters = clusters
    this.#shift = shift
  }

  /** The source of `text[start..end]`, widened to whole clusters. What was stripped inside belongs to it. */
  toRaw(start: number, end: number): [start: number, end: number] {
    const rawStart = this.#start(start)
    return [rawStart, end <= start ? rawStart : this.#end(end)]
  }

  /** The normalised position of a source position; inside a cluster, the cluster's. */
  fromRaw(raw: number): number {
    const cluster = this.#last((c) => c.rawStart <= raw)
    if (cluster === undefined) return raw - this.#shift
    return raw < cluster.rawEnd ? cluster.at : cluster.at + cluster.length + (raw - cluster.rawEnd)
  }

  /** Takes over the clusters of a text that stands behind what is mapped so far. */
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

  /** Forgets what lies left of a source position, where a cluster may end but none may lie across. */
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

  /** Forgets what lies right of a source position. */
  dropFrom(raw: number): void {
    const clusters = this.#clusters
    while (clusters.length > this.#head && clusters[clusters.length - 1]!.rawStart >= raw) clusters.pop()
  }

  /** Stripped characters right before a position stay outside of what begins there. */
  #start(position: number): number {
    const cluster = this.#last((c) => c.at <= position)
    if (cluster === undefined) return position + this.#shift
    if (position < cluster.at + cluster.length) return cluster.rawStart
    return cluster.rawEnd + (position - cluster.at - cluster.length)
  }

  /** Stripped characters right after a position stay outside of what ends there. */
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
