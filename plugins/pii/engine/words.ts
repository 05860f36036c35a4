/** Splits a comma-separated list of phrases. */
export const words = (list: string): readonly string[] =>
  list
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')
