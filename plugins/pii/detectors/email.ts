import type { Candidate } from '../engine/candidate.ts'
import type { Detector } from '../engine/detector.ts'
import { words } from '../engine/words.ts'
import { isDomainEnding } from './top-level-domains.ts'
import { endingOf, isDomain, isKnownEnding, isProse, UNSPACED_ENDINGS } from './unspaced-domains.ts'

const LOCAL = "\\w[\\w.+%'’_\\-]*"
const ENDING = '\\l\\w{1,24}|xn--[\\w\\-]{1,40}'
const DOMAIN = `([\\w_\\-]+\\.)+(${ENDING})`
/**
 * The same, also with letters of scripts without spaces. After `example.com` they are prose: only the first label may have
 * them after letters of ASCII. Ideographic full stops are dots between letters of ASCII only: elsewhere a sentence ends.
 */
const ANY_DOMAIN =
  `([\\w\\c_\\-]+\\.(([\\w_\\-]+|\\c[\\w\\c\\-]*)\\.)*(${ENDING}|\\c{2,6})` + `|([\\w_\\-]+。){1,2}(${ENDING}))`
/** Characters between quotes that need no backslash. */
const QUOTED = ' !#-Z\\[\\]^-~\\L\\o°’'
const ANY_HOST = `(${ANY_DOMAIN}|\\[\\d{1,3}(\\.\\d{1,3}){3}\\])`

export const email: Detector = {
  type: 'email',
  title: 'E-mail address',
  level: 'CONFIDENTIAL',
  check: 'structure and ending of the domain',
  patterns: [
    `${LOCAL}@${ANY_DOMAIN}`,
    // Over two lines: quoted or indented, or folded as RFC 5322 and RFC 5545 do it.
    `${LOCAL}@ ?\r?\n[> ]*${DOMAIN}`,
    `${LOCAL}@[\\w.\\-]+\r?\n [\\w.\\-]*\\w`,
    // Two without anything in between: of the first only its ending may be told by what follows.
    `${LOCAL}@${DOMAIN}@${DOMAIN}`,
    `${LOCAL}@\\[\\d{1,3}(\\.\\d{1,3}){3}\\]`,
    // A return path that contains another address, or a signature beside it.
    `${LOCAL}=${DOMAIN}@${DOMAIN}`,
    `(?i:srs[01])[=+\\-][\\w.+=/%_\\-]+@${DOMAIN}`,
    `(?i:prvs|msprvs1|btv1)=[\\w.+=/%_\\-]+@${DOMAIN}`,
  ],
  context: words(`
    email, e-mail, emails, email address, mail, mail me, email me, write to, contact, reach me, reach, correo,
    correo electrónico, courriel, adresse mail, posta elettronica, e-mailadres, sähköposti, e-post, mailadresse
  `),
  signs: ['@'],
  // `jane@acme.com.txt` is a file name.
  everyEnd: true,
  refuses: ({ value }) => isAssignment(value) || isProse(value),
  judge,
}

export const emailUnspaced: Detector = {
  type: 'email',
  title: 'E-mail address',
  level: 'CONFIDENTIAL',
  check: 'name in Chinese, Japanese or Korean letters, known ending of the domain',
  patterns: [`[\\w\\c.+%'’_\\-]+@${ANY_DOMAIN}`],
  signs: ['@'],
  aroundAt: true,
  everyEnd: true,
  refuses: ({ value }) => isProse(value),
  judge: (m) => (isKnownEnding(endingOf(m.value)) ? judge(m) : 0),
}

export const emailQuoted: Detector = {
  type: 'email',
  title: 'E-mail address',
  level: 'CONFIDENTIAL',
  check: 'quoted name: `"jo doe"@example.com`',
  patterns: [`(\\\\)?"([${QUOTED}]|\\\\[ -~])+(\\\\)?"@${ANY_HOST}`],
  signs: ['@'],
  aroundAt: true,
  everyEnd: true,
  judge: (m) => (endsInDomain(m) && !TEMPLATE.test(m.value) ? 1 : 0),
}

function judge(m: Candidate): number {
  const { value } = m
  if (!endsInDomain(m)) return 0
  if (value.includes('=') && !isReturnPath(value)) return 0 // a name and its value: only the value is an address
  if (m.after(1) === ':' && value.startsWith('git@')) return 0 // a repository
  if (CONVERSATION.test(value) && THREAD.test(m.text.slice(Math.max(0, m.start - 96), m.start))) return 0
  return isUserinfo(m) ? 0 : 1
}

/**
 * `19:meeting_…@thread.v2`: a conversation of Microsoft Teams. No domain has these names, and none begins so, which is what
 * stands there if the next message is read together with this one.
 */
const CONVERSATION = /@(?:thread\.(?:v2|tacv2|skype)|unq\.gbl\.spaces)\w*$/
/** What is before it, or before its last part. */
const THREAD = /19(?::|%3a)[\w-]*$/i

const BREAK = / ?\r?\n[> ]*/

function endsInDomain(m: Candidate): boolean {
  const { value } = m
  if (isCutShort(m) && !(isNoMethod(value) && FILE.test(m.following(6)))) return false
  const domain = value.slice(value.lastIndexOf('@') + 1)
  const fold = domain.search(BREAK)
  // A whole domain ends with its line.
  if (fold > 0 && domain.lastIndexOf('.', fold) >= 0 && isDomain(domain.slice(0, fold))) return false
  if (!value.endsWith(']') && !isDomain(domain.replace(BREAK, ''))) return false
  return m.after(1) !== '(' || isNoMethod(value) // no call: `q@k.transpose(0, 1)`
}

/** A name that a program fills in: `"$USER"@build.example.com`. */
const TEMPLATE = /^\\?"(?:\$\w+|\$\([^"]*\)|%\w)\\?"/

/** First parts that mark a return path. */
const TAGGED = /^(?:srs[01][=+-]|(?:prvs|msprvs1|btv1)=|[^=+]*\+[^=]*=|(?:bounces?|returns?|owner|errors?|verp)-)/i
/** The part after the sign is an identifier, or longer than most domains: `trace_id=4bf92f3577b34da6`. */
const IDENTIFIER = /^[^=]*=(?:(?=[a-f]{0,6}\d)[\da-f]{7}|[^.@]{21})/i

const isAssignment = (value: string): boolean => IDENTIFIER.test(value) && !TAGGED.test(value)

/**
 * True for `bounce+user=example.com@lists.example.org`, false for `to=jane.me@example.com`. The part before the last
 * `@` must end like a domain, and unmistakably so unless the first part is a tag.
 */
function isReturnPath(value: string): boolean {
  if (/^(?:srs[01][=+-]|(?:prvs|msprvs1|btv1)=)/i.test(value)) return true
  const inner = value.slice(value.indexOf('=') + 1, value.indexOf('@'))
  if (TAGGED.test(value)) return isDomainEnding(inner.slice(inner.lastIndexOf('.') + 1))
  return NO_METHOD.test(inner) && !isAssignment(value)
}

/** Top-level domains that are not method names. */
const NO_METHOD = /\.(?:com|org|net|edu|gov|de|fr|uk|nl|es|eu|ca|ch|au|br|jp|cn|ru|pl)$/i
const isNoMethod = (value: string): boolean => NO_METHOD.test(value) || UNSPACED_ENDINGS.has(endingOf(value))

/** File extension after an address. */
const FILE = /^\.(?:txt|pdf|eml|msg|json|csv|md|docx?|xlsx?|html?|zip|log|bak|vcf|png|jpe?g)(?![a-z0-9])/i

/** The name continues: the longest match ended elsewhere. */
const isCutShort = (m: Candidate): boolean =>
  /[a-z0-9]/i.test(m.after(1)) || (m.after(1) === '.' && /[a-z0-9]/i.test(m.after(2)))

/** `scheme://user:password@host` is a credential, which `secrets` reports. */
function isUserinfo(m: Candidate): boolean {
  const before = m.before(1)
  if (before !== '/' && before !== ':') return false
  return /:\/\/[^\s/@"'<>]*$/.test(m.text.slice(Math.max(0, m.start - 64), m.start))
}
