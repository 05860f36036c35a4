import { buffered, burst, burstPacked, paced } from './cpu.ts'
import { latency } from './latency.ts'
import { rss, vanished } from './memory.ts'
import type { Scenario } from './scenario.ts'

export const SCENARIOS: readonly Scenario[] = [buffered, paced, burst, burstPacked, latency, rss, vanished]
