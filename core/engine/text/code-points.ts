/**
 * The character at `i`, or its half where the text ends within it; NaN after the end.
 *
 * Not `String.prototype.codePointAt`: the optimised code of V8 13.6 (Node.js 24) reads on after the end of a text that is
 * a slice of a longer one, and gives the whole character.
 */
export function codePointAt(text: string, i: number): number {
  const high = text.charCodeAt(i)
  if (high < 0xd800 || high > 0xdbff) return high
  const low = text.charCodeAt(i + 1)
  return low >= 0xdc00 && low <= 0xdfff ? 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00) : high
}
