/**
 * `npm test` and `npm run test:fast` draw a thirtieth of the random cases and take a part of long lists.
 * `TEST_ROUNDS=1` draws all, `TEST_ROUNDS=10` ten times as many.
 */
import type { VariantName } from 'governed-gateway/testing'

export const FAST = process.env.TEST_FAST === 'yes'
const SHARE = Number(process.env.TEST_ROUNDS ?? 1 / 30)
if (!(SHARE > 0)) throw new Error(`TEST_ROUNDS is no number above 0: ${process.env.TEST_ROUNDS}`)

/** Whether long lists and grids are taken as a whole. */
export const ALL = SHARE >= 1

/** Forms of a case for `testPlugin` that is not about cuts: with each cut of the reply only where all is drawn. */
export const FORMS: readonly VariantName[] = [
  ...(['buffered', 'bytes'] as const),
  ...(ALL ? (['streamed'] as const) : []),
  ...(FAST ? [] : (['aborted'] as const)),
]

/** How many random cases to draw. */
export const rounds = (all: number): number => Math.ceil(all * SHARE)

/**
 * Of many cases that differ in little every `nth` in the fast run, and a quarter of them in `npm test`; for each `row` others.
 * A prime meets every row and column of a grid.
 */
export const some = <T>(cases: readonly T[], nth = 7, row = 0): readonly T[] => {
  const most = ALL ? nth : FAST ? 1 : Math.ceil(nth / 4)
  return cases.filter((_, i) => (i + nth - (row % nth)) % nth < most)
}

/** The same for a grid so large that `npm test`, too, takes a part: every ninth, or fewer. */
export const part = <T>(cases: readonly T[], nth = 11, ordinary = 9): readonly T[] => {
  const step = FAST ? nth : ALL ? 1 : ordinary
  return cases.filter((_, i) => i % step === 0)
}

/** For a row of a grid, some of its columns, others for the next row: each is met in every 27th row, or every third. */
export const diagonal = <T>(columns: readonly T[], row: number): readonly T[] => {
  const step = ALL ? 3 : 27
  return columns.filter((_, i) => i % step === row % step)
}
