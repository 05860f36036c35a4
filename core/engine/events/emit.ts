import type { Json } from '../contract/plugin.ts'

/** Emits an event of the gateway itself, outside of exchanges. */
export type Emit = (type: string, payload: Record<string, Json>) => void
