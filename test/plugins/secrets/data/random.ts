/** Deterministic numbers in [0, 1): the same seed gives the same corpus everywhere (mulberry32). */
export type Random = () => number

export function random(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const pick = <T extends string | readonly unknown[]>(
  next: Random,
  from: T,
): T extends readonly (infer U)[] ? U : string => from[Math.floor(next() * from.length)] as never
