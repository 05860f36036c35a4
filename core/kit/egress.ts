/** The egress guard for plugin authors. `services.fetch` and `services.connect` go through it by themselves. */
export { EgressError, type EgressFailure, type RefusedCategory, refusal } from '../engine/egress/category.ts'
export { checkUrl, type Resolve } from '../engine/egress/guard.ts'
