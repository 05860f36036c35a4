/** The closest candidate, for "did you mean"; undefined if none is close. */
export function suggest(written: string, candidates: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(Math.min(wanted.length, 32) / 3)) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** ` Did you mean "x"?` with a leading blank, or an empty text. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  const best = suggest(written, candidates)
  return best === undefined ? '' : ` Did you mean "${best}"?`
}

/** Damerau-Levenshtein distance (optimal string alignment): a swap of neighbours, the most common typo, counts once. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let distance = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, before[j - 2]! + 1)
      }
      row.push(distance)
    }
    before = previous
    previous = row
  }
  return previous[b.length]!
}
