export const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words of courtesy, degrees and ranks before a name. */
const TITLES = set(`
  mr mrs ms miss mx dr doctor prof professor sir madam lady lord dame rev reverend fr father sister brother hon judge justice capt captain
  col colonel gen general lt lieutenant sgt sergeant maj major officer nurse coach herr herrn frau fräulein dipl ing mm mme mlle monsieur
  madame mademoiselle maître sr sra srta señor señora señorita don doña dra sig signor signora dott dottor dottoressa avv mevr mevrouw meneer
  dhr senhor senhora`)
/** After these stands the name of a person, whatever it looks like. */
const COURTESY = set(
  `mr mrs ms miss mx dr prof herr herrn frau mme mlle monsieur madame señor señora sra srta signor signora mevrouw`,
)
/** Offices that are after a title, as in "Mr President". */
const OFFICES = set(`
  president speaker chairman chairwoman chair chief justice secretary minister ambassador mayor vice governor senator general attorney
  foreman honor honour majesty congress court`)

export const isTitle = (lower: string): boolean => TITLES.has(lower)
export const isCourtesy = (lower: string): boolean => COURTESY.has(lower)
export const isOffice = (name: string): boolean => OFFICES.has(/^\p{L}*/u.exec(name)![0].toLowerCase())

/** The titles that a name begins with, with the blanks after them; '' if none. */
export function titlesOf(name: string): string {
  let at = 0
  for (const [word] of name.matchAll(/[\p{L}\p{M}]+\.?\s+/gu)) {
    if (!name.startsWith(word, at) || !isTitle(word.replace(/[.\s]+$/, '').toLowerCase())) break
    at += word.length
  }
  return name.slice(0, at)
}
