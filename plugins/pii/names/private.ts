import { CLASS_OF, isWord, SPACE } from './characters.ts'
import {
  BETWEEN,
  CLOSINGS,
  INTRODUCTIONS,
  KEYS,
  LAST_WORDS,
  OWN,
  RELATIONS,
  ROLE_KEYS,
  SALUTATIONS,
  THING_KEYS,
} from './phrases.ts'
import type { Run } from './runs.ts'
import { isCourtesy, isOffice, titlesOf } from './titles.ts'

/** What is looked at before a name, characters; fits the context of a stream. */
const PRIVATE_CONTEXT = 80
/** Longest key of a form that is read, characters. */
const LONGEST_KEY = 32
/** Most words of a phrase. */
const MAX_WORDS = 5

/** Between the names of a list: if the first is private, so are the others. */
export const LINK = /^(?: ?[,;&/] ?(?:and |und |et |y |e |en )?| (?:and|und|et|y|e|en|or) )$/i

/** Whom letters and forms address that are nobody in particular. */
const IMPERSONAL =
  /^(?:sir|madam|team|all|customers?|colleagues?|friends?|everyone|everybody|there|hiring|support|sales|service|user|users|members?|valued|students?|parents?|professor|editor|admin|administrator|unknown|none|null|n\/a|yes|no|damen|herren|kolleg|zusammen|alle|tous|todos|again|god|lord|world|guys|folks|ladies|gentlemen|siri|alexa|google|chatgpt|claude|assistant)\b/i

/** How much more what is introduced looks like a person than its words alone: added to the score of persons. */
const SURELY = 3
const LIKELY = 0.7
const MAYBE = 0.35

/** Departments, which sign letters and own things. */
const DEPARTMENT =
  /\b(?:\w*team|marketing|finance|billing|accounting|human resources|operations|(?:dev)?ops|help ?desk|service (?:client|desk)|customer service|kundenservice|kundendienst|equipo|équipe|department|abteilung)\b/i
/** Types of values in programs and schemas, which are no names. */
const TYPE =
  /^(?:string|str|text|integer|int|number|float|double|decimal|boolean|bool|datetime|uuid|vec|array|optional|nullable|annotated|data ?types?|sequelize|joi|yup|default|true|false)$/i

/** What the keys that name persons elsewhere call steps, jobs, tests and screens; and other types. */
const STEP =
  /^(?:accept|add|apply|assert|bug|build|cache|check|checkout|ci|clean|clone|commit|commons|compile|configure|convert|cookie|copy|create|debug|delete|deploy|disable|download|edit|enable|ensure|execute|export|fetch|fix|format|generate|get|home|host|import|init|install|launch|lint|load|log ?in|log ?out|main|migrate|new|nightly|notify|open|post|prepare|print|publish|pull|push|put|read|release|reload|remove|rename|render|report|reset|restart|restore|run|save|scan|search|security|send|set|set ?up|show|start|stop|submit|sync|tag|test|update|upgrade|upload|use|validate|verify|view|wait|write)\b|^(?:date|list|map|box|option|maybe|dict|any|object|mapped|column|field|schema)$/i
/** And what their last word tells apart from persons. */
const THING =
  /\b(?:api|app|boot|bucket|cli|cluster|collection|configuration|controller|dashboard|db|environment|job|module|package|pipeline|plan|plugin|portal|product|project|queue|report|sdk|server|service|starter|task|template|test|theme|tests|ui|widget|window|workflow)$/i

/** Whether what stands where a name would is a form of address, a department, a type, or the word for what a key names. */
const isNobody = (name: string, after: string): boolean =>
  IMPERSONAL.test(name) ||
  DEPARTMENT.test(name) ||
  TYPE.test(name) ||
  (name === 'N' && /^\/a/i.test(after)) ||
  KEYS.has(name.toLowerCase().replace(/[ _-]+/g, ''))

/** Whether the text before a name says that its bearer is no public figure. */
export const isIntroduced = (text: string, start: number, end: number): boolean =>
  introductionOf(text, start, end) !== undefined

/** How surely the text before a name introduces a person; undefined if it introduces nobody. */
export function introductionOf(text: string, start: number, end: number): number | undefined {
  const name = text.slice(start, end)
  const titles = titlesOf(name)
  if (isOffice(name.slice(titles.length)) || isNobody(name, text.slice(end, end + 2))) return undefined
  if (/^(?:mr|mrs|ms|miss|mx|herrn?|frau|mme|mlle|sra|srta)\b/i.test(titles)) return SURELY
  const before = text
    .slice(Math.max(0, start - PRIVATE_CONTEXT), start)
    .toLowerCase()
    .replaceAll('’', "'")
  const key = keyOf(before)
  if (key !== undefined) {
    const certainty = certaintyOf(key)
    return certainty !== SURELY && (STEP.test(name) || THING.test(name)) ? undefined : certainty
  }
  return isOpened(text, before, end) ? SURELY : undefined
}

/** Whether a letter, a sentence or a signature introduces what follows. */
function isOpened(text: string, before: string, end: number): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).trim()
  if (line === '' || /^[>*–—-]+$/.test(line)) return isSignature(before) && isLineEnd(text, end)
  if (!/[\s]$/.test(before)) return false
  if (line.endsWith(',')) {
    const phrase = lastSentence(line.slice(0, -1))
    if (SALUTATIONS.has(phrase)) return true
    if (CLOSINGS.has(phrase)) return isLineEnd(text, end)
  }
  return isPhrase(line)
}

/** Longest of `LAST_WORDS`, with room. */
const LONGEST_WORD = 24
/** Quotes, brackets and signs of emphasis between a key and its value. */
const OPENING = /["'`*_<([]/
const KEY_SIGN = /[:=|>]/
const BULLET = /[>*–—-]/
/** Last words of what ends a letter, and of greetings before a comma. */
const BEFORE_LINE: ReadonlySet<string> = new Set(
  [...CLOSINGS, ...LAST_WORDS].map((phrase) => phrase.split(' ').at(-1)!),
)

/** Whether a run may hold a name that is introduced; a quick look, which may say so of too many. */
export function mayIntroduce(text: string, { words, start, end }: Run, final: boolean): boolean {
  for (let i = 0; i + 1 < words.length; i++) {
    const { lower } = words[i]!
    if (isCourtesy(lower) || LAST_WORDS.has(lower.replace('’', "'"))) return true
  }
  return mayOpen(text, start) && ((!final && end + 4 > text.length) || isIntroduced(text, start, end))
}

/** Whether the sign or word before a name is one that may stand there. */
function mayOpen(text: string, start: number): boolean {
  let at = start
  while (at > 0 && CLASS_OF[text.charCodeAt(at - 1)] === SPACE) at--
  if (at === 0) return false
  const sign = text[at - 1]!
  if (isWord(CLASS_OF[text.charCodeAt(at - 1)]!)) return at < start && LAST_WORDS.has(wordBefore(text, at))
  if (sign === ',') return BEFORE_LINE.has(wordBefore(text, at - 1))
  if (KEY_SIGN.test(sign)) return true
  while (at > 0 && (OPENING.test(text[at - 1]!) || text[at - 1]!.trim() === '')) at--
  if (at > 0 && KEY_SIGN.test(text[at - 1]!)) return true
  // A signature: the line before ends a letter.
  while (at > 0 && (BULLET.test(text[at - 1]!) || text[at - 1]!.trim() === '')) at--
  if (!text.slice(at, start).includes('\n')) return false
  while (at > 0 && /[,.!]/.test(text[at - 1]!)) at--
  return BEFORE_LINE.has(wordBefore(text, at))
}

/** The word that ends at `end`, in small letters. */
function wordBefore(text: string, end: number): string {
  let at = end
  while (at > 0 && end - at < LONGEST_WORD && !/\s/.test(text[at - 1]!)) at--
  return withoutLead(text.slice(at, end).toLowerCase().replaceAll('’', "'"))
}

/** Whether the last words of a line introduce somebody. */
function isPhrase(line: string): boolean {
  const words = line.split(/\s+/).slice(-MAX_WORDS - 2)
  let phrase = ''
  for (let k = 1; k <= MAX_WORDS && k <= words.length; k++) {
    const word = words[words.length - k]!
    phrase = k === 1 ? word : `${word} ${phrase}`
    if (INTRODUCTIONS.has(withoutLead(phrase))) return true
    // A salutation opens its sentence.
    if (
      SALUTATIONS.has(withoutLead(phrase)) &&
      (phrase !== withoutLead(phrase) || /^$|[\n.!?:,…)\]>-]$/.test(words[words.length - k - 1] ?? ''))
    )
      return true
  }
  return isRelation(words)
}

/** Without quotes, brackets and signs of emphasis in front. */
const withoutLead = (phrase: string): string => phrase.replace(/^["'“„«([*_>–—-]+/, '')

/** `our new customer`, `my brother, `. */
function isRelation(words: readonly string[]): boolean {
  let i = words.length - 1
  if (/^(?:is|was|named|called|heißt|ist|est|es)$/.test(words[i] ?? '')) i--
  if (!RELATIONS.has((words[i] ?? '').replace(/,$/, ''))) return false
  i--
  if (BETWEEN.has(words[i] ?? '')) i--
  return OWN.has(withoutLead(words[i] ?? ''))
}

const KEY_IN_FRONT = /(\p{L}[\p{L} _-]*)(?:["'`*)\]]["'`*_)\]]*)?$/u

/** The key before a value: of a form, of JSON, of a table. Without blanks, hyphens and underscores. */
function keyOf(before: string): string | undefined {
  const sign = before.replace(/[\s"'`*_<([]+$/, '')
  if (!/[:=|>]$/.test(sign)) return undefined
  const key = KEY_IN_FRONT.exec(
    sign
      .slice(-LONGEST_KEY)
      .replace(/[:=|>]+$/, '')
      .trimEnd(),
  )?.[1]
  return key?.replace(/[ _-]+/g, '') ?? ''
}

/** What a key says of its value. */
function certaintyOf(key: string): number | undefined {
  if (THING_KEYS.has(key)) return MAYBE
  if (ROLE_KEYS.has(key)) return LIKELY
  return KEYS.has(key) || isNameKey(key) ? SURELY : undefined
}

/** Keys that end in the name of a person, not of a thing. */
const isNameKey = (key: string): boolean =>
  /(?:first|last|full|given|family|sur|customer|client|patient|employee|guest|contact|owner|member|student|person|holder)name$/.test(
    key,
  )

/** Whether the line before ends a letter. */
function isSignature(before: string): boolean {
  const lines = before
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[>*–—-]+$/.test(line))
  return CLOSINGS.has(lastSentence((lines.at(-1) ?? '').replace(/[,.!]+$/, '')))
}

/** What follows the last full stop or comma of a line. */
const lastSentence = (line: string): string =>
  withoutLead(line.slice(1 + Math.max(...['.', '!', '?', ','].map((sign) => line.lastIndexOf(sign)))).trim())

/** Whether the name ends its line, or more of the signature follows. */
const isLineEnd = (text: string, end: number): boolean =>
  /^ ?(?:$|[.!,]? ?(?:\n|$)|[|,(<-])/.test(text.slice(end, end + 4))
