/** @throws whatever a getter throws */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'

/** Wraps a plugin's promise or thenable: settles at most once, and never throws synchronously. */
export const adopt = async (promise: PromiseLike<unknown>): Promise<unknown> => await promise
