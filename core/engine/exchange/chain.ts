import type { BlockPhases } from '../contract/hooks.ts'
import type { DescribeEvent, ErrorSpec, FlagSpec, Hooks, Route } from '../contract/plugin.ts'
import type { Emitter } from '../events/emitter.ts'
import type { Recorder } from './recorder.ts'

/** One built and started set of plugins. Exchanges keep the chain they began with. */
export interface Chain {
  readonly hooks: Hooks
  /** The taps of `hooks.block`, in two phases. */
  readonly block: BlockPhases
  readonly events: Emitter
  readonly recorder: Recorder
  /** Names of the plugins in the order of their taps. */
  readonly plugins: readonly string[]
  readonly flags: ReadonlyMap<string, FlagSpec & { readonly owner: string }>
  readonly routes: readonly Route[]
  /** Every type that the core and these plugins emit. */
  readonly eventTypes: ReadonlySet<string>
  readonly describe: DescribeEvent
  /** Errors that these plugins declare, by code. */
  readonly errors: ReadonlyMap<string, ErrorSpec>
  /** The `….detected` event of each plugin that declares one, and of the core. */
  readonly detectionEvents: ReadonlyMap<string, string>
  /** A plugin reads the text of requests. */
  readonly inspectsInput: boolean
  /** A plugin reads the text of replies. */
  readonly inspectsOutput: boolean
  /** A plugin that governs content reads requests or replies. */
  readonly readsContent: boolean
  /** A plugin that governs usage reads replies, which no mode switches off. */
  readonly limitsOutput: boolean
}
