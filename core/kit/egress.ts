/** The egress guard for plugin authors. `services.fetch` and `services.connect` go through it by themselves. */
export { EgressError, type EgressFailure, type RefusedCategory, refusal } from '../egress/category.ts'
export { checkUrl, type Resolve } from '../egress/guard.ts'
