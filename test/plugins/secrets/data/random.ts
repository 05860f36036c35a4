import { generator } from '../../../../core/testing/provider.ts'

export type Random = () => number

/** Deterministic numbers in [0, 1): the same seed gives the same corpus everywhere. */
export const random: (seed: number) => Random = generator

export const pick = <T extends string | readonly unknown[]>(
  next: Random,
  from: T,
): T extends readonly (infer U)[] ? U : string => from[Math.floor(next() * from.length)] as never
