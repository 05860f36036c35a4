/** `npm run test:fast` draws a tenth of the random cases, and takes a part of long lists; `npm test` takes all. */
export const FAST = process.env.TEST_FAST === 'yes'

/** How many random cases to draw. */
export const rounds = (all: number): number => (FAST ? Math.ceil(all / 10) : all)

/** Every `nth` of many cases that differ in little. A prime meets every row and column of a grid. */
export const some = <T>(cases: readonly T[], nth = 7): readonly T[] =>
  FAST ? cases.filter((_, i) => i % nth === 0) : cases
