/** Questions of a plugin to itself in the other workers. */
import type { Json, Peers } from '../engine/contract/plugin.ts'

/** The channel of all plugins of this worker. */
export interface PeerChannel {
  readonly inherited: Readonly<Record<string, Json>>
  answer(plugin: string, read: () => Promise<Json>): void
  ask(plugin: string): Promise<readonly Json[]>
}

export const peersOf = (plugin: string, channel: PeerChannel | undefined): Peers => ({
  answer: (read) => channel?.answer(plugin, async () => read()),
  ask: async () => channel?.ask(plugin) ?? [],
  inherited: channel?.inherited[plugin],
})
