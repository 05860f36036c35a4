/** What one detector finds and what it leaves alone. `«…»` marks the value that must be found, to the character. */
export interface DetectorCases {
  readonly type: string
  readonly good: readonly string[]
  /** Other numbers, wrong check digits, the same form without the words it needs. Nothing of this type is found. */
  readonly bad: readonly string[]
}

export interface Marked {
  readonly text: string
  readonly spans: readonly { readonly start: number; readonly end: number }[]
}

export function unmark(marked: string): Marked {
  const spans: { start: number; end: number }[] = []
  let text = ''
  let start = 0
  for (const char of marked) {
    if (char === '«') start = text.length
    else if (char === '»') spans.push({ start, end: text.length })
    else text += char
  }
  return { text, spans }
}
