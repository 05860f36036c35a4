/** When the gateway listens, and the other plugins have started. */
const AFTER_MS = 200

/** What plugins still have to do, in the order in which they came. */
const runs: (() => void)[][] = []

/**
 * Does ahead what the first texts would wait for, such as making a table: 200 ms after the start, one step in each turn of the
 * event loop, whatever the number of plugins. So no request waits for more than a step.
 *
 * @param steps each at most some 20 ms, and cheap if a text came before it
 * @returns ends it; to be called when the plugin stops
 * @example
 * start() { stopWarming = warmUp([() => table.prepare()]) }
 */
export function warmUp(steps: readonly (() => void)[]): () => void {
  const run = [...steps]
  const begin = () => {
    if (runs.push(run) === 1) setImmediate(next)
  }
  const timer = setTimeout(begin, AFTER_MS).unref()
  return () => {
    clearTimeout(timer)
    run.length = 0
  }
}

function next(): void {
  const step = runs[0]?.shift()
  if (step === undefined) runs.shift()
  if (runs.length > 0) setImmediate(next)
  step?.()
}
