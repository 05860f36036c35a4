/** The analyzer counts code points; texts here count UTF-16 units. */

const SURROGATE = /[\ud800-\udfff]/

export function codePoints(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Returns a function that turns an offset in code points into one in UTF-16 units. The
 * identity when the text has no character outside the basic plane.
 */
export function toUtf16(text: string): (offset: number) => number {
  if (!SURROGATE.test(text)) return (offset) => offset
  const units: number[] = []
  for (let i = 0; i < text.length; i++) {
    units.push(i)
    const code = text.charCodeAt(i)
    const next = text.charCodeAt(i + 1)
    // A lone surrogate becomes one replacement character on the wire.
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) i++
  }
  return (offset) => units[offset] ?? text.length
}
