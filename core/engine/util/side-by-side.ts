/** Exchanges that continue in one turn of the event loop; others are served before the next. */
const AT_ONCE = 16

let waiting: (() => void)[] = []
const NOW = Promise.resolve()

/**
 * Waits until the event loop has read what came for other exchanges, too. Those that wait continue together, from one promise
 * to the next, so that each step finds its code and tables in the caches, where the exchange before it left them.
 */
export const sideBySide = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })

/** Continues when the exchanges beside this one have come as far, in the same turn of the event loop. Alone, at once. */
export const inStep = (go: () => void): void => void NOW.then(go)

function goOn(): void {
  const now = waiting
  waiting = now.splice(AT_ONCE)
  if (waiting.length > 0) setImmediate(goOn)
  for (const go of now) go()
}
