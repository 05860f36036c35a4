/** The egress guard for plugin authors. `services.fetch` and `services.connect` already apply it. */
export { EgressError, type EgressFailure, type RefusedCategory, refusal } from '../engine/egress/category.ts'
export { checkUrl, type Resolve } from '../engine/egress/guard.ts'
