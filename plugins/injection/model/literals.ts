/** A part of a text, in characters. */
type Span = readonly [start: number, end: number]

/**
 * The beginning of a string that a program gives to a model: a variable, a parameter or a call named after prompts and
 * messages. Names in quotes are members of records, whose values anybody may have written.
 */
const OPENING =
  /(?:prompt|messages?|msg|reminder|instructions?|template|content|description|backstory|goal|system|user|assistant)\w{0,20}\s{0,2}(?::\s?\w[\w[\], ]{0,30})?(?:[:=+]=?|\()\s{0,20}\(?\s{0,20}[frb]{0,2}("""|'''|`|["'])/gi

/** The strings of a program's own prompts, in order. A string that does not end is none. Linear. */
export function promptLiterals(text: string): Span[] {
  const spans: Span[] = []
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const quote = match[1] as string
    const start = OPENING.lastIndex
    const end = endOf(text, start, quote)
    if (end < 0) continue
    spans.push([start, end])
    OPENING.lastIndex = end + quote.length
  }
  return spans
}

/** -1 for a string that does not end, or not on its line. */
function endOf(text: string, start: number, quote: string): number {
  const end = text.indexOf(quote, start)
  if (quote !== '"' && quote !== "'") return end
  return text.slice(start, end).includes('\n') ? -1 : end
}

/** Whether a part begins before the end of one of these, and ends after its beginning. */
export function isWithin(spans: readonly Span[], start: number, end: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as Span)[1] <= start) low = middle + 1
    else high = middle
  }
  return low < spans.length && (spans[low] as Span)[0] < end
}
