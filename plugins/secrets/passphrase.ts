/** Passwords of plain words: `"correct horse battery staple"`. */

const FEWEST_WORDS = 4
const MOST_LETTERS = 12
const BLANK = 32
/** Words of sentences about passwords, hints and errors. Words of one or two letters are in no passphrase anyway. */
const TOLD = new Set(
  `about above access account again all already also and any are been before below between blank both but
  can cannot change changed character characters check choose click code compare complete confirm contain contains correctly could
  current default digit digits does doesn done each either email empty enter error every example expired field first
  forgot form from get given has hash hashed have here hidden how incorrect input into invalid its keep last
  least left length less letter letters like line link login long longer lower lowercase make mask masked match matches may
  mean means might minimum missing mixed more must name need needed needs never new next none not nothing number numbers off
  old one only optional other our out over own password passwords passphrase phrase placeholder please private protected provide
  provided read required requires reset rule same secret secure see security sensitive sent set short should show sign some special
  store stored string strong such text than that the their them then there these they this those through too too twice two
  type under unless until upper uppercase use used user username uses using valid value values via visible was weak were what when where which
  who will with within without word words would wrong you your
  aber acht auf bitte darf das der die eine eingeben falsch haben ihr ihre kein keine kennwort lang mindestens mit muss neue neues nicht
  noch oder passwort sechs sein sind und vergessen wird zeichen zehn zwei
  avec avoir dans des deux doit doivent est huit incorrect invalide les mais moins mot nouveau oubli par pas passe pour saisir sont une votre
  caracteres clave con debe deben incorrecta los las menos nueva nuevo ocho para por sin son tener una`.split(/\s+/),
)

/**
 * Where the words of a quoted passphrase end: at its quote, or where a text ends that goes on.
 *
 * @param start of its first word, behind the quote
 * @param limit how far to look
 * @returns -1 if there is no passphrase
 */
export function passphraseEnd(text: string, start: number, limit: number, quote: number, final: boolean): number {
  let words = 0
  for (let at = start; at < limit; at++) {
    const word = at
    while (at < text.length && isSmall(text.charCodeAt(at))) at++
    if (at === text.length) return final ? -1 : at
    if (at - word < 3 || at - word > MOST_LETTERS || TOLD.has(text.slice(word, at))) return -1
    words++
    const next = text.charCodeAt(at)
    if (next === quote) return words < FEWEST_WORDS ? -1 : at
    if (next !== BLANK) return -1
  }
  return -1
}

const isSmall = (code: number): boolean => code >= 97 && code <= 122
