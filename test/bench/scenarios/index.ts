import { agent, buffered, burst, burstPacked, cold, messages, paced, responses } from './cpu.ts'
import { latency } from './latency.ts'
import { rss, vanished } from './memory.ts'
import type { Scenario } from './scenario.ts'
import { start } from './start.ts'

export const SCENARIOS: readonly Scenario[] = [
  buffered,
  responses,
  messages,
  agent,
  paced,
  burst,
  burstPacked,
  latency,
  rss,
  vanished,
  cold,
  start,
]
