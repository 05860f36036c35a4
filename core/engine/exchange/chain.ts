import type { BlockPhases } from '../contract/hooks.ts'
import type {
  DescribeEvent,
  ErrorSpec,
  Exchange,
  FlagSpec,
  Hooks,
  OpenRoute,
  PluginInfo,
  Route,
  UnauthorizedCall,
  UpstreamAttempt,
} from '../contract/plugin.ts'
import type { PrincipalSource } from '../contract/principal.ts'
import type { Emitter } from '../events/emitter.ts'
import type { Memo } from '../text/memo.ts'
import type { Recorder } from './recorder.ts'

/** A started set of plugins. An exchange keeps the chain it began with. */
export interface Chain {
  readonly hooks: Hooks
  /** The taps of `hooks.block`, in two phases. */
  readonly block: BlockPhases
  readonly events: Emitter
  readonly recorder: Recorder
  /** Names of the plugins in the order of their taps. */
  readonly plugins: readonly string[]
  readonly flags: ReadonlyMap<string, FlagSpec & { readonly owner: string }>
  /** Where callers may come from, beside the keys of the config. */
  readonly sources: readonly { readonly plugin: string; readonly source: PrincipalSource }[]
  readonly routes: readonly (Route | OpenRoute)[]
  /** Reports a request to a provider to observers, and returns whether one needs its end; undefined without observers. Never throws. */
  readonly onAttempt: ((x: Exchange, attempt: UpstreamAttempt) => boolean) | undefined
  /** Reports a request without a valid key to observers; undefined without observers. Never throws. */
  readonly onUnauthorized: ((call: UnauthorizedCall) => void) | undefined
  /** The plugins, for people. */
  readonly infos: readonly PluginInfo[]
  /** Keys of the facts that these plugins provide. */
  readonly provided: ReadonlySet<string>
  /** Every event type of the core and these plugins. */
  readonly eventTypes: ReadonlySet<string>
  readonly describe: DescribeEvent
  /** Errors declared by these plugins, by code. */
  readonly errors: ReadonlyMap<string, ErrorSpec>
  /** The `….detected` event of the core and of each plugin that declares one. */
  readonly detectionEvents: ReadonlyMap<string, string>
  /** Findings of earlier requests; undefined when the config remembers none. */
  readonly memo: Memo | undefined
  /** Whether a plugin reads request text. */
  readonly inspectsInput: boolean
  /** Whether a plugin reads reply text. */
  readonly inspectsOutput: boolean
  /** Whether a content plugin reads requests or replies. */
  readonly readsContent: boolean
  /** Whether a usage plugin reads replies; no mode switches it off. */
  readonly limitsOutput: boolean
}
