/** Says whether time grows with size and no faster, and for how long nobody else is served. */

/** What one run cost, in time of the processor: a busy machine adds little. Milliseconds. */
export interface Row {
  readonly bytes: number
  readonly cpu: number
  /** The longest time in which nobody else was served. */
  readonly pause: number
  readonly status?: number
}

export interface Limits {
  /** Time may grow by this much more than size does. */
  readonly factor: number
  /** Of the smaller size, before the first judgement. */
  readonly rounds: number
  /** Before the last one. */
  readonly mostRounds: number
  /** For as long nobody else is served, by the bytes of the body; milliseconds. */
  readonly pause: (bytes: number) => number
}

/** Timers, connections, a collection of garbage. */
const ON_TOP_MS = 8
/** With the limits of an ordinary gateway. */
export const shortPause = (): number => 50
/** Without them: docs/decisions/0033 tells what grows. */
export const growingPause = (bytes: number): number => 50 + (100 * bytes) / 1e6

/** The cheaper of two runs of one size, in each of its costs. */
export const least = (a: Row, b: Row): Row => ({
  ...b,
  cpu: Math.min(a.cpu, b.cpu),
  pause: Math.min(a.pause, b.pause),
})

/**
 * Measures two sizes and keeps the least of each: other work on the machine makes a run dearer, never cheaper. A dear run
 * of the smaller size would hide growth, so that one is measured several times first. What looks wrong is measured again
 * before it is said, and no round is forgotten, so chance ends and a loop that is quadratic stays.
 *
 * @returns what is wrong, if anything
 */
export async function judge(
  measure: (size: number) => Promise<Row> | Row,
  [small, large]: readonly [number, number],
  limits: Limits,
): Promise<string | undefined> {
  const { rounds, mostRounds } = limits
  let one = await measure(small)
  for (let round = 1; round < rounds; round++) one = least(one, await measure(small))
  let other = await measure(large)
  for (let round = rounds; ; round++) {
    const wrong = problem(one, other, limits)
    if (round >= mostRounds || wrong === undefined) return wrong
    one = least(one, await measure(small))
    other = least(other, await measure(large))
  }
}

function problem(a: Row, b: Row, { factor, pause }: Limits): string | undefined {
  const most = factor * (b.bytes / a.bytes) * a.cpu + ON_TOP_MS
  if (b.cpu > most)
    return `${a.bytes} bytes took ${a.cpu.toFixed(1)} ms, ${b.bytes} bytes ${b.cpu.toFixed(1)} ms, more than ${most.toFixed(1)}`
  const longest = pause(b.bytes)
  return b.pause > longest
    ? `others waited ${b.pause.toFixed(1)} ms for ${b.bytes} bytes, more than ${longest.toFixed(1)}`
    : undefined
}
