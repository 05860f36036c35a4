/** How long a process takes until it answers, and the memory it then has. */
import { rssBytes } from '../proc.ts'
import type { Scenario } from './scenario.ts'

export const start: Scenario = {
  name: 'start',
  title: 'Time from the start of a process until it is ready',
  unit: 'ms',
  rounds: { full: 9, quick: 3 },
  generations: { full: 1, quick: 1 },
  fresh: true,
  direct: false,
  limits: {
    none: {},
    default: { details: { readyMs: 500, rssMB: 130 } },
    rules: { details: { readyMs: 500, rssMB: 130 } },
  },
  async warm() {},
  async measure(_session, running) {
    const value = running.readyMs
    return { value, details: { readyMs: value, rssMB: rssBytes(running.pid) / 1024 / 1024 } }
  },
}
