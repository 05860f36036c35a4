import assert from 'node:assert/strict'

/** CPU time of this thread, milliseconds: what others do on the machine, or other threads of the process, does not count. */
export function threadTime(): number {
  // Linux brings the account of the running thread up to date only when the whole process is asked about; without
  // that the time of a thread goes in steps of four milliseconds.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What a call costs. */
export function costOf(run: () => void): number {
  const before = threadTime()
  run()
  return threadTime() - before
}

const TRIES = 5

/**
 * Fails if 50,000 characters of repeated pieces cost `most` ms each of five times, which should be ten times what they cost on an
 * idle core: this is about order, not about speed.
 */
export function assertLinear(
  pieces: Readonly<Record<string, string>>,
  most: number,
  run: (text: string) => void,
): void {
  for (const [name, piece] of Object.entries(pieces)) {
    const text = piece.repeat(Math.ceil(50_000 / piece.length)).slice(0, 50_000)
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < TRIES && best >= most; i++)
      best = Math.min(
        best,
        costOf(() => run(text)),
      )
    assert.ok(best < most, `${name}: ${best.toFixed(1)} ms`)
  }
}
