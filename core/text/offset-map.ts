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

export class OffsetMap {
  readonly #clusters: readonly Cluster[]

  constructor(clusters: readonly Cluster[]) {
    this.#clusters = clusters
  }

  /** The source of `text[start..end]`, widened to whole clusters. What was stripped inside belongs to it. */
  toRaw(start: number, end: number): [start: number, end: number] {
    const rawStart = this.#start(start)
    return [rawStart, end <= start ? rawStart : this.#end(end)]
  }

  /** The normalised position of a source position; inside a cluster, the cluster's. */
  fromRaw(raw: number): number {
    const cluster = this.#last((c) => c.rawStart <= raw)
    if (cluster === undefined) return raw
    return raw < cluster.rawEnd ? cluster.at : cluster.at + cluster.length + (raw - cluster.rawEnd)
  }

  /** Stripped characters right before a position stay outside of what begins there. */
  #start(position: number): number {
    const cluster = this.#last((c) => c.at <= position)
    if (cluster === undefined) return position
    if (position < cluster.at + cluster.length) return cluster.rawStart
    return cluster.rawEnd + (position - cluster.at - cluster.length)
  }

  /** Stripped characters right after a position stay outside of what ends there. */
  #end(position: number): number {
    const cluster = this.#last((c) => c.at < position)
    if (cluster === undefined) return position
    if (position < cluster.at + cluster.length) return cluster.rawEnd
    return cluster.rawEnd + (position - cluster.at - cluster.length)
  }

  #last(holds: (cluster: Cluster) => boolean): Cluster | undefined {
    let low = 0
    let high = this.#clusters.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (holds(this.#clusters[middle]!)) low = middle + 1
      else high = middle
    }
    return this.#clusters[low - 1]
  }
}
