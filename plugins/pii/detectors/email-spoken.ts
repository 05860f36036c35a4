import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { isDomainEnding } from './top-level-domains.ts'

const OPEN = '[\\[({<]'
const CLOSE = '[\\])}>]'
const AT = `( ?@ ?| ?${OPEN} ?@ ?${CLOSE} ?|(?i: at | ?${OPEN} ?at ?${CLOSE} ?|_at_|-at-| arroba | chiocciola | apenstaartje | at-tecken ))`
const DOT = `( ?\\. ?| ?${OPEN} ?\\. ?${CLOSE} ?|(?i: dot | ?${OPEN} ?dot ?${CLOSE} ?|_dot_|-dot-| punto | punkt | point | ponto | punt ))`
const JOIN = `(${DOT}|(?i: underscore | dash | hyphen | minus | plus ))`
const NAME = '[\\w][\\w_+\\-]*'

/** Words before "at" that are no mailbox: "look at example dot com". */
const NOT_A_NAME = new Set(
  (
    'a an the this that these those is are was were be been look looked looking looks work worked working works available live lives ' +
    'living shop buy order found find visit us me them him her it you we they online here there more now today based meet met arrive ' +
    'arrived stay stayed start started starts begin begins began end ends ended open opens opened close closes closed arrives leave leaves ' +
    'bake baked preheat heat heated roast simmer boil boils melts freezes stand stands stood sit sits sat priced valued aged one day night week not all no any some every each what which only just and or but if so up out in on off'
  ).split(' '),
)
const MAILBOXES =
  /(?:gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|icloud|me|aol|gmx|web|proton|protonmail|pm|mail|fastmail|zoho|yandex|qq|163)\W*$/i

export const emailSpoken: Detector = {
  type: 'email',
  title: 'E-mail address',
  level: 'CONFIDENTIAL',
  check: 'spelled out: "jo dot doe at example dot com", `jo[at]example(dot)com`, `jo @ example.com`',
  patterns: [`${NAME}(${JOIN}${NAME}){0,5}${AT}${NAME}(${DOT}${NAME}){1,4}`],
  // See `AT`.
  signs: [
    ...['@', ' at ', '_at_', '-at-', ' at-tecken', ' arroba', ' chiocciola', ' apenstaartje'],
    ...Array.from('([{<', (open) => `${open}at`),
    ...Array.from(')]}>', (close) => ` at${close}`),
  ],
  refuses(m) {
    const [, name, label] = /^([a-z]+) at (?:([\w-]+)[^\w-])?/i.exec(m.value) ?? []
    return name !== undefined && (NOT_A_NAME.has(name.toLowerCase()) || NOT_A_NAME.has(label?.toLowerCase() ?? ''))
  },
  judge(m) {
    return /^[^\s@[({<]+@[^\s@[({<]+$/.test(m.value) ? 0 : judgeSpoken(m) // plain form: see email.ts
  },
}

/** Parts of a spelled-out address: name, at sign, domain. */
const PARTS =
  /^(.*?)( ?[[({<] ?(?:@|at) ?[\])}>] ?| ?@ ?|_at_|-at-| (?:at|arroba|chiocciola|apenstaartje|at-tecken) )(.*)/i
const SPELLED_DOT = /[[({<] ?(?:\.|dot) ?[\])}>]|[ _-](?:dot|punto|punkt|point|ponto|punt)[ _-]/i

function judgeSpoken(m: Candidate): number {
  const parts = PARTS.exec(m.value)
  if (parts === null) return 0
  const [, name, sign, domain] = parts as unknown as [string, string, string, string]
  const ending = /[\w-]+$/.exec(domain)?.[0] ?? ''
  if (!isDomainEnding(ending) || !/^[a-z]/i.test(ending)) return 0
  const spelledDot = SPELLED_DOT.test(domain)
  if (!spelledDot && / \. |\. \w+$/.test(domain)) return sign.includes('@') && / \. /.test(domain) ? 0.7 : 0 // the end of a sentence
  if (/[@[({<_-]/.test(sign)) return sign.trim() === '@' && !spelledDot && m.after(1) === '(' ? 0 : 0.9
  const label = /^[\w-]+/.exec(domain)?.[0].toLowerCase() ?? ''
  const first = name.toLowerCase()
  if (NOT_A_NAME.has(label) || NOT_A_NAME.has(first)) return 0
  if (/[._\d]|\b(?:dot|underscore|dash|hyphen|plus|punto|punkt|point)\b/i.test(name)) return 0.85
  if (MAILBOXES.test(domain.slice(0, -ending.length).replace(/(?:dot|punto|punkt|point|ponto|punt)\W*$/i, '')))
    return 0.85
  return spelledDot ? 0.7 : m.contextBefore() > 0 ? 0.6 : 0
}
