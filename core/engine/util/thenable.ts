/** @throws what a getter throws */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/** A promise of ours for one of a plugin, or for what looks like one: settles once at the most, and never throws. */
export const adopt = async (promise: PromiseLike<unknown>): Promise<unknown> => await promise
