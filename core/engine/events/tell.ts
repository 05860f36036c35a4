import type { Json } from '../contract/plugin.ts'

/** Emits an event of the gateway itself, outside of exchanges. */
export type Tell = (type: string, payload: Record<string, Json>) => void
