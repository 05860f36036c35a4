/**
 * The thread of a store that `share-thread.ts` started: when it would end, it forgets its store and loads its code again.
 * A thread that fails ends in truth, for it has not closed its files.
 */
import { parentPort, workerData } from 'node:worker_threads'

const port = parentPort!
const end = process.exit
const begin = globalThis.setInterval
let timers: NodeJS.Timeout[] = []
let loads = 0

globalThis.setInterval = ((...args: Parameters<typeof begin>) => {
  const timer = begin(...args)
  timers.push(timer)
  return timer
}) as typeof begin

process.exit = (() => {
  if ((process.exitCode ?? 0) !== 0) end()
  for (const timer of timers) clearInterval(timer)
  timers = []
  port.removeAllListeners('message')
  loads += 1
  void import(`${workerData}?${loads}`).then(() => port.postMessage({ left: true }))
}) as typeof process.exit

await import(workerData)
