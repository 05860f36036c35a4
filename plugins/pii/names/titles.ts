/** Words of courtesy, degrees and ranks before a name. */
const TITLES: ReadonlySet<string> = new Set(
  `mr mrs ms miss mx dr doctor prof professor sir madam lady lord dame rev reverend fr father sister brother hon judge justice capt captain
  col colonel gen general lt lieutenant sgt sergeant maj major officer nurse coach herr herrn frau fräulein dipl ing m mm mme mlle monsieur
  madame mademoiselle maître sr sra srta señor señora señorita don doña dra sig signor signora dott dottor dottoressa avv mevr mevrouw meneer
  dhr senhor senhora senator president minister chancellor`.split(/\s+/),
)

/** Only these show that a person is meant who is no public figure. */
const COURTESY =
  /(?:^|\s)(?:mr|mrs|ms|miss|mx|herr|herrn|frau|mme|mlle|monsieur|madame|sr|sra|srta|señor|señora|sig|signor|signora|mevrouw|meneer|dhr)\.?\s*$/i

export const isTitle = (lower: string): boolean => TITLES.has(lower)
export const isCourtesy = (before: string): boolean => COURTESY.test(before)

/** The titles that a name begins with, with the blanks behind them; '' if none. */
export function titlesOf(name: string): string {
  let at = 0
  for (const [word] of name.matchAll(/[\p{L}\p{M}]+\.?\s+/gu)) {
    if (!name.startsWith(word, at) || !isTitle(word.replace(/[.\s]+$/, '').toLowerCase())) break
    at += word.length
  }
  return name.slice(0, at)
}
