import fc from 'fast-check'

const SURROGATES = { from: 0xd800, count: 0x800 }

/**
 * Any character but lone surrogates, as `unit` of `fc.string`. The unit `binary` of fast-check is the same, but makes a table
 * of all of Unicode first: a second or more in each process.
 */
export const codePoint = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count),
  (text) => {
    if (typeof text !== 'string' || [...text].length !== 1 || !text.isWellFormed()) throw new Error('no character')
    const n = text.codePointAt(0) as number
    return n < SURROGATES.from ? n : n - SURROGATES.count
  },
)
