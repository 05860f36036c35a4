/** Data classification labels, lowest first (after the ladder of ISO/IEC 27001 practice). */
export const LEVELS = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] as const
export type Level = (typeof LEVELS)[number]

const RANK: Readonly<Record<Level, number>> = { PUBLIC: 0, INTERNAL: 1, CONFIDENTIAL: 2, RESTRICTED: 3 }

export const isLevel = (value: unknown): value is Level => typeof value === 'string' && Object.hasOwn(RANK, value)
export const higher = (a: Level, b: Level): Level => (RANK[a] >= RANK[b] ? a : b)
export const lower = (a: Level, b: Level): Level => (RANK[a] <= RANK[b] ? a : b)
/** Whether `a` is above `b` on the ladder. */
export const exceeds = (a: Level, b: Level): boolean => RANK[a] > RANK[b]
