import { Pace, type Steps } from './steps.ts'

/** Freezes plain data recursively; assumes that frozen objects are deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (!isThawed(value)) return value
  Object.freeze(value)
  // `for…in` would make a string of each index of an array.
  if (Array.isArray(value)) for (let i = 0; i < value.length; i++) deepFreeze(value[i])
  else for (const key in value) deepFreeze(value[key])
  return value
}

/** Values of one step. */
const STEP = 16 * 1024

/** Like `deepFreeze`, for much data. */
export function* freezeInSteps<T>(value: T): Steps<T> {
  const pace = new Pace(STEP)
  const open: unknown[] = [value]
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (!isThawed(top)) continue
    Object.freeze(top)
    const values = Array.isArray(top) ? (top as readonly unknown[]) : Object.values(top)
    for (let i = 0; i < values.length; i++) {
      if (isThawed(values[i])) open.push(values[i])
      if (pace.spent(1)) yield
    }
  }
  return value
}

const isThawed = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Object.isFrozen(value)
