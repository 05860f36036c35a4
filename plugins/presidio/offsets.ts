/** The analyzer counts code points; texts here count UTF-16 units. */

const SURROGATE = /[\ud800-\udfff]/

/**
 * Returns a function that turns an offset in code points into one in UTF-16 units. Offsets beyond the text become its
 * length. The identity when the text has no character outside the basic plane.
 */
export function toUtf16(text: string): (codePoints: number) => number {
  if (!SURROGATE.test(text)) return (codePoints) => Math.min(codePoints, text.length)
  const units: number[] = []
  for (let i = 0; i < text.length; i++) {
    units.push(i)
    const code = text.charCodeAt(i)
    const next = text.charCodeAt(i + 1)
    // A lone surrogate becomes one replacement character on the wire.
    if (code >= 0xd800 && code < 0xdc00 && next >= 0xdc00 && next < 0xe000) i++
  }
  return (codePoints) => units[codePoints] ?? text.length
}
