/** An object with members: neither null nor an array. */
export const isObject = <V = unknown>(value: unknown): value is Record<string, V> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
