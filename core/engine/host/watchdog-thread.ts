/** The thread of `watchdog.ts`: waits for each step to end, and ends the process if one does not. */
import { writeSync } from 'node:fs'
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Watched } from './watchdog.ts'

const { state, texts, limitMs, idleMs, closed } = workerData as Watched
/** How long the main thread may take to end the process, milliseconds. */
const END_MS = 3000

for (;;) {
  const step = Atomics.load(state, 0)
  const runs = step % 2 === 1
  if (Atomics.wait(state, 0, step, runs ? limitMs : idleMs) !== 'timed-out') continue
  if (runs) await interrupt(step)
  else if (Atomics.compareExchange(state, 0, step, closed) === step) break
}
texts.close()

/** The main thread tells and exits in the middle of the loop. Code that is not JavaScript cannot be interrupted, so this thread does. */
async function interrupt(step: number): Promise<void> {
  try {
    const { Session } = await import('node:inspector')
    const session = new Session()
    session.connectToMainThread()
    session.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('governed-gateway.blocked')](${step})` })
    const over = Atomics.wait(state, 0, step, END_MS) !== 'timed-out'
    session.disconnect()
    if (over) return
  } catch {
    // A Node without an inspector.
  }
  let text = ''
  for (let next = receiveMessageOnPort(texts); next !== undefined; next = receiveMessageOnPort(texts)) {
    text = String(next.message)
  }
  writeSync(2, `${text}\n`)
  process.kill(process.pid, 'SIGKILL')
}
