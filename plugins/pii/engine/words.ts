/** Phrases from a comma-separated text, so that long lists of them stay readable. */
export const words = (list: string): readonly string[] =>
  list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
