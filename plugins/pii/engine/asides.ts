/** What stands between a value and its name besides signs: verbs, parentheses, comments, asides. */
import { CLOSING, OPENING } from './emphasis.ts'

/** What joins a value to a name after it: `46 454 286 is my SIN`, `steht 123 als Steuernummer`. */
const LINKS = [
  ...['the right', 'the correct', 'the current', 'die richtige', 'die korrekte', 'das richtige', 'der richtige'],
  ...[
    'a valid',
    'ein gültiger',
    'eine gültige',
    'un numéro',
    'un número',
    'un numero',
    'um número',
    'een geldig',
    'een geldige',
  ],
  ...'is as ist als est comme es como è come é som är jest jako je kao kot kui kā kaip este ca'.split(' '),
  ...'като е как ως είναι sebagai adalah olarak'.split(' '),
  // `I sent 46 454 286 when you asked for my SIN`.
  ...['when', 'because', 'since', 'as'].flatMap((word) =>
    ['you', 'they', 'he', 'she'].flatMap((who) =>
      ['asked for', 'asked me for', 'wanted', 'requested', 'needed'].map((verb) => `${word} ${who} ${verb}`),
    ),
  ),
  ...[
    'als Sie nach',
    'als du nach',
    'quand vous avez demandé',
    'cuando me pidieron',
    'cuando pidieron',
    'quando mi hanno chiesto',
  ],
]
/** Whether a comma and a word are at `at`; either may not have arrived. */
export const isClause = (units: Uint16Array, at: number): boolean =>
  units[at] === COMMA &&
  (units[at + 1] === 0 || (units[at + 1] === BLANK && (units[at + 2]! >= LETTER || units[at + 2] === 0)))
/** Quotes and other marks between a value and what a sentence says of it. */
export const MOST_MARKS = 6
/** 1 for units of {@link CLOSING}. */
export const IS_CLOSING = new Uint8Array(0x10000)
for (const mark of CLOSING.slice(1, -1)) if (mark !== '\\') IS_CLOSING[mark.charCodeAt(0)] = 1
/** 1 for units of {@link OPENING}. */
const IS_OPENING = new Uint8Array(0x10000)
for (const mark of OPENING.slice(1, -1)) if (mark !== '\\') IS_OPENING[mark.charCodeAt(0)] = 1
/** The same behind a comma: `46 454 286, which is my SIN`. */
const CLAUSES = [
  'which is',
  'which was',
  'that is',
  'that s',
  "that's",
  'that’s',
  'das ist',
  'qui est',
  "c'est",
  'que es',
  'che è',
  'que é',
  'dat is',
]
/** Nouns beside it: `46 454 286, my SIN`. */
const APPOSITIONS =
  'my|his|her|our|mein|meine|ihre|seine|mon|ma|son|sa|notre|mi|su|nuestro|il mio|la mia|meu|minha|o meu|a minha|mijn|min|mit|mitt'.split(
    '|',
  )
export const LINK = new RegExp(
  `^${CLOSING}{0,${MOST_MARKS}}(?:(?:::[a-z]{2,16})? (?:${LINKS.join('|')}|AS)|, (?:${[...CLAUSES, ...APPOSITIONS].join('|')}))[ \\n]`,
)
const APPOSITION = new RegExp(`, (?:${APPOSITIONS.join('|')})[ \\n]$`)
/** Whether a link is only a word before the name: `, my `. */
export const isApposition = (link: string): boolean => APPOSITION.test(link)
/** `, my SSN is 212-55-1234`: the name belongs to what follows. */
export const NAMES_NEXT =
  /^[^\p{L}\p{N}\n,;]{0,3}(?:(?:is|was|ist|lautet|est|es|è|é|:|=)[^\p{L}]|(?:number|no|nr)\.?[ :=]|\p{N})/iu
/** `46 454 286 (SIN)`: the name ends where the parentheses do. */
export const IN_PARENTHESES = new RegExp(`^${CLOSING}{0,${MOST_MARKS}} \\((?: ?\\p{L}[^\\n()]{0,42})?`, 'u')
/** `'046454286'); -- SIN`: a comment ends with the name. */
export const IN_COMMENT = new RegExp(
  `^${CLOSING}{0,${MOST_MARKS}};? {1,2}(?:--?|//|#|[–—=]|<--?) ?\\p{L}[^\\n]{0,38}?(?=\\.?${CLOSING}{0,${MOST_MARKS}}[ \\r]?(?:\\n|$))`,
  'u',
)
/** `(SIN)`, `(SIN no.)`. */
const NOUN = /^(?:[ .]{0,2}(?:no|nr|num|number|n[°º]?|code|id))?[^\p{L}\p{N}]{0,2}$/iu
/** Whether a name ends there, but for a noun and a mark. */
export const endsName = (rest: string): boolean => NOUN.test(rest)
/** Whether a comment may begin at `at`. A quick look. */
export function mayBeComment(words: string, at: number): boolean {
  let i = at
  while (i < at + 3 && ' ;'.includes(words[i] ?? '?')) i++
  return '-/#–—<='.includes(words[i] ?? '?')
}
const COMMENTS = ['', ';'].flatMap((sign) =>
  ['--', '//', '#', '–', '—', '=', '<--'].flatMap((mark) =>
    [0, 1, 2, 3, 4].map((n) => `${sign} ${mark} `.slice(0, sign.length + n)),
  ),
)
/** All that may become one of them. */
const BEGINNINGS = new Set(
  [...LINKS.map((link) => ` ${link}`), ...[...CLAUSES, ...APPOSITIONS].map((clause) => `, ${clause}`)]
    .flatMap((link) => [...link].map((_, i) => link.slice(0, i + 1)))
    .concat('', ' ', ...COMMENTS),
)

/** Quotes and other marks behind a value. */
const QUOTES = new RegExp(`^${CLOSING}{1,${MOST_MARKS}}`)
/** `'RA948435'::text AS passport_number`: a cast of SQL, not complete. */
const CAST = /^(?::|::[a-z]{0,16}|(?:::[a-z]{1,16})? (?:[Aa][Ss]?)?)$/

/** Whether what is behind a value may become a link. */
export function mayBeLink(words: string): boolean {
  const rest = words.replace(QUOTES, '')
  return BEGINNINGS.has(rest) || CAST.test(rest)
}

/** Ends the part of a sentence that may name a value. */
export const STOP = /[\n;?!,:(]|\. /

const COMMA = 0x2c
const BLANK = 0x20
const CLOSES = 0x29
const COLON = 0x3a
const EQUALS = 0x3d
const CAPITAL = 0x41
const LAST_OF_VALUE = 0x65
const LETTER = 0x61
const VERB = 'is|was|reads|ist|war|lautet|lautete|est|était|es|era|fue|è|é|foi|luidt|to|jest|är|var|er'
/** `, which she read to me twice, was `; ` (as on the card): `. */
const ASIDE = new RegExp(
  `^(?: \\p{L}{1,12})?(?:, (?:which|that|as|die|der|das|den|wie|qui|que|dont|che|come|cui|dat|welke|zoals|som|który|która|które)[ '’][^.:;!?\\n()]{2,56}, (?:${VERB})|` +
    ` \\([^()\\n]{2,40}\\)(?: (?:${VERB}))?)(?: ?[:=])? ${OPENING}{0,${MOST_MARKS}}$`,
  'u',
)
/** Of a form in HTML, up to the value: `</label> <input id="f4" value="`. */
const FIELD = /^[^\p{L}\p{N}<]{0,4}<\/label>\s{0,8}<input [^<>]{0,64}value=["']$/u
/** Shortest text between a name and its value that has one. */
const SHORTEST_ASIDE = 6

/** Whether only an aside is between a name that ends at `end` and a value at `start`, or the tags of a field. */
export function isAside(text: string, end: number, start: number): boolean {
  if (end < 0 || start - end < SHORTEST_ASIDE) return false
  const between = text.slice(end, start)
  return ASIDE.test(between) || FIELD.test(between)
}

/** Maximum distance of a name before an aside, characters: less than a stream keeps. */
export const ASIDE_BEFORE = 88
const LONGEST_VERB = 8

/** Whether a value at `start` may be behind an aside: a comma and a verb, a parenthesis or `value="` are before it. A quick look. */
export function endsAside(units: Uint16Array, start: number): boolean {
  if (units[start - 2] === EQUALS && units[start - 3] === LAST_OF_VALUE) return true
  let i = start - 1
  while (i > start - 1 - MOST_MARKS && IS_OPENING[units[i]!] === 1) i--
  if (units[i] !== BLANK) return false
  i--
  if (units[i] === COLON || units[i] === EQUALS) i--
  const last = i
  while (i > 0 && i > last - LONGEST_VERB && units[i]! >= LETTER) i--
  if (i < last && units[i] === BLANK) i--
  if (units[i] === CLOSES) return units[i - 1]! >= CAPITAL
  return i < last && units[i] === COMMA
}
