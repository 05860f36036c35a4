/** Where a text can be cut so that no name is torn apart. */

/** A sentence that is longer is cut between words. */
const LONGEST = 600
/** Words that stay together with what follows when a long sentence is cut, characters. */
const OVERLAP = 80

const END = /[.!?…]["'”’)\]]{0,3}(?=\s)|[。！？]["'”’」』）]{0,3}|\n/g

/** Before these a full stop ends nothing: titles, initials, common abbreviations. */
const ABBREVIATION =
  /(?:^|[^\p{L}])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Jr|No|Nr|Hr|Fr|Mme|vs|approx|ca|e\.g|i\.e|z\.B|bzw|Sra?|Dott|Ing)$/u

/** Index after the last sentence that is complete in `text`, from `from` on; `from` when none is. */
export function completeUntil(text: string, from: number): number {
  let end = from
  END.lastIndex = from
  for (let match = END.exec(text); match !== null; match = END.exec(text)) {
    if (match[0].startsWith('.') && ABBREVIATION.test(text.slice(Math.max(0, match.index - 8), match.index))) continue
    end = match.index + match[0].length
  }
  if (text.length - end <= LONGEST) return end
  const space = text.lastIndexOf(' ', text.length - OVERLAP)
  return space > end ? space : text.length - OVERLAP
}

/** Cuts a long text into pieces of at most `limit` characters, between sentences where possible. */
export function pieces(text: string, limit: number): { readonly text: string; readonly offset: number }[] {
  if (text.length <= limit) return [{ text, offset: 0 }]
  const out: { text: string; offset: number }[] = []
  let at = 0
  while (at < text.length) {
    let end = at + limit
    if (end < text.length) {
      const cut = completeUntil(text.slice(0, end), at)
      if (cut > at) end = cut
      // Never between the halves of a surrogate pair.
      if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end--
    }
    out.push({ text: text.slice(at, end), offset: at })
    at = end
  }
  return out
}
