/** Freezes plain data through and through; what is frozen already is taken to be so within. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key in value) deepFreeze(value[key])
  }
  return value
}
