/** Finds the value of a label such as `api_key` or `password` in the usual notations. */

import { GENERIC_NAMES } from './member.ts'
import { endsWithQualifier } from './qualifiers.ts'
import { SERVICE_NAMES } from './services.ts'

/**
 * `opaque`: a name such as `acme_key`; only a value that is random beyond doubt counts. `tailed`: the name goes on behind
 * the word. `service`: only where it is assigned to the name, and hashes and UUIDs never. `pw`: a password that is no
 * width and no power.
 */
export type LabelKind =
  | 'password'
  | 'pw'
  | 'api_key'
  | 'secret'
  | 'token'
  | 'authorization'
  | 'session'
  | 'opaque'
  | 'tailed'
  | 'service'

export interface LabelWord {
  readonly word: string
  readonly kind: LabelKind
  /** Where the three letters begin by which the scan finds it. */
  readonly anchor: number
  /** For `notations.ts`: what stands between the word and the value. Sticky. */
  readonly after?: RegExp
  /** And what must follow the value, within {@link THEN} characters. */
  readonly then?: RegExp
  /** The code of a sign that ends the value as a quote does. */
  readonly until?: number
}

export const THEN = 112

/** A dot stands before the three letters by which the scan finds a word: those that ordinary text has least. */
export function labelWord(kind: LabelKind, marked: string, after?: RegExp, then?: RegExp): LabelWord {
  const word = marked.replace('·', '')
  return { word, kind, anchor: Math.max(0, marked.indexOf('·')), ...(after && { after }), ...(then && { then }) }
}

const words = (kind: LabelKind, list: string): LabelWord[] => list.split(' ').map((word) => labelWord(kind, word))

/** Lower case. Each is the last component of an identifier; `labelEnd` checks the text before it. */
export const LABEL_WORDS: readonly LabelWord[] = [
  ...words(
    'password',
    'pas·sword pas·swd paswd pswd psswd passwrd paswrd psswrd pas·word psword pssword pas·swort pas·sphrase pa·sscode pwd pass ken·nwort contras·eña cont·rasena contras·enya s·enha c·lave p·arola wachtwoord hasło h·aslo lösenord losenord şifre sifre salasana a·dgangskode jelszo jelszó пароль p·arol 密码 密碼 口令 パスワード 비밀번호 비번 पासवर्ड รหัสผ่าน mdp pa·ssord',
  ),
  ...['mot de passe', 'mật khẩu', 'kata sandi', 'kata laluan', 'كلمة المرور', 'كلمة السر'].map((word) =>
    labelWord('password', word),
  ),
  ...words('password', 'passwords pas·s_phrase psk'),
  ...words('pw', '_pw roo·tpw bi·ndpw adm·inpw userpw'),
  ...words('api_key', 'key k·eys sc·hlüssel'),
  ...words('secret', 's·ecret s·ecrets cr·edential cr·edentials cr·eds'),
  ...words('token', 'token tokens pat'),
  ...words('authorization', 'authori·zation'),
  ...words(
    'session',
    'phpsessid jsessionid sessio·nid sessid gitl·ab_session larav·el_session connec·t.sid jen·kins-crumb',
  ),
  ...words('opaque', 'key k·eys auth api a·ccess'),
  ...words('service', SERVICE_NAMES),
]

/** Of these the value may come after a comma; a password is too often one of several words there. */
const AFTER_COMMAS: ReadonlySet<LabelKind> = new Set(['api_key', 'secret', 'token', 'opaque'])
/** Tokens that are no credentials: cursors, model vocabulary, cancellation. */
const TOKEN_EXEMPT = new Set(
  (
    'page pagination next prev previous continuation continue sync cancel cancellation pad eos bos unk sep cls mask stop special start end csrf xsrf ' +
    'forgery delta resume change max min total prompt completion input output cached per num of idempotency design color syntax lex lexer parse ' +
    'parser current snapshot request'
  ).split(' '),
)
/** Keys that are no credentials: of tables, caches, maps, keyboards, or public. */
const OPAQUE_EXEMPT = new Set(
  (
    'public pub publishable foreign socket cache sort partition idempotency dedup dedupe deduplication object map dict index group translation i18n ' +
    'locale lang react row column field prop property search hot arrow shift ctrl meta alt unique natural composite candidate event message ' +
    'topic registry file path resource bucket answer state query store item entry record node tree leaf hash content etag image asset blob the ' +
    'checksum integrity fingerprint digest block commit build known host shard range primary no each every'
  ).split(' '),
)
const PASS_EXEMPT =
  /(?:com|by|tres|over|sur|under|bi|im|tre|low|high|band|test|all|first|second|one|two|multi|single|render|boarding|season|bus|day|ski|hall|mountain)[_ -]?$/i

const SUFFIX =
  /(?:(?:[_-]?(?:v?\d{1,3}|confirmation|confirm|repeat|again|production|prod|dev|test|staging|stage|sandbox|uat|qa|ci|local|default|live|main|primary|secondary|base64|b64|value|string|str|plaintext|plain|text|raw|current|new|old|hex|env|base)){1,2}|[_-]for[_-][a-z]{2,12}|[ \t]\d{1,2}(?=:))?(?=[^\p{L}\p{N}_-]|-(?![\p{L}\p{N}])|$)/iuy

/** Backslashes before a quote: JSON within JSON doubles them with each level. */
const MAX_BACKSLASHES = 15
const ESCAPE = `\\\\{0,${MAX_BACKSLASHES}}`

/** Text between label and value: assignment, call, element, column. */
const ASSIGN =
  /(?:\\{4,15}["'`])?["'`\\\])}*_]{0,4}(?:\[\d{0,4}\])?[ \t]{0,16}(?:=>|!?={1,3}|:{1,3}=|[.?+|]{1,2}=|:{1,2}|->|→)[*_]{0,3}[ \t]{0,16}(?:(?:[|>][+-]?|\()?\r?\n[ \t]{1,24})?/y
const TYPED =
  /["'`]?[ \t]?\??(?::[ \t]{0,2}(?:&(?:'\w{1,12} )?)?)?[ \t]{0,2}[A-Za-z_][\w<>[\]?|.* ]{0,24}[ \t]{0,2}=[ \t]{0,4}/y
/** `set("TOKEN", "…")`; `options['token'], '…'`. */
const ARGUMENT = /["'`]\]?[ \t]{0,4}\)?,[ \t]{0,4}(?=["'`])/y
/** The same in the next line, behind {@link FIRST_ARGUMENT}: in a list the next line is the next word. */
const ARGUMENT_BELOW = /["'`],[ \t]{0,4}\r?\n[ \t]{0,24}(?=["'`])/y
const FIRST_ARGUMENT = /\w\(\s{0,24}["'`][\w.-]*$/
/** `mailgun "…"` */
const QUOTED = /[ \t]{1,2}(?=["'])/y
/** `name="token" value="…"`, `variable "token" { type = string default = "…" }`. */
const ATTRIBUTE =
  /["']\s{1,24}(?:\{\s{0,24})?(?:\w{1,16}[ \t]{0,8}=[ \t]{0,4}\S{1,40}\s{1,24}){0,2}(?:value|content|default)[ \t]{0,8}=[ \t]{0,4}(?=["'])/iy
/** `<entry key="token">…`, but not behind `<input name="token" />`. */
const TAGGED = /["'][^<>"'\n]{0,24}(?<![\s"']\/)>\s{0,40}(?=[^\s<])/y
/** `<key>Token</key><string>…`, `<token><![CDATA[…`. */
const NESTED = /(?:<\/\w{1,12}>\s{0,16}<\w{1,12}>|>\s{0,8}<!\[CDATA\[)\s{0,16}(?=[^\s<])/y
/** `{"name": "TOKEN", "value": "…"}`; the next line of YAML. */
const BESIDE = new RegExp(
  `${ESCAPE}["'\`][ \\t]{0,4},\\s{0,24}(?:${ESCAPE}["']\\w{1,16}${ESCAPE}["'][ \\t]{0,4}:[ \\t]{0,4}(?:${ESCAPE}"\\w{0,24}${ESCAPE}"|\\w{1,16})[ \\t]{0,4},\\s{0,24})?` +
    `${ESCAPE}["'](?:\\w{0,16}value|val|content|default|text)${ESCAPE}["'][ \\t]{0,4}:[ \\t]{0,4}(?=${ESCAPE}["'])`,
  'iy',
)
const BELOW = /["']?[ \t]{0,4}\r?\n[ \t]{1,24}value[ \t]{0,4}:[ \t]{1,4}(?=\S)/iy
/** `token = String::from("…")`, `secret := []byte("…")`, `token[] = {"…"}`, `apiKey={'…'}`. */
const WRAPPED =
  /["'`\])]{0,3}(?:\[\])?[ \t]{0,4}(?::?=|:|=>)?[ \t]{0,4}(?:(?:new[ \t])?(?:[\w.:]{0,24}(?:from|of|byte|bytes|String|str|Some|SecretStr|Secret|Text)|\[\]byte)\(|\{)\s{0,24}(?=["'])/y
/** `env.TOKEN || "…"`, `token = getenv("TOKEN", "…")`. */
const FALLBACK =
  /["'\])]{0,3}[ \t]{0,2}(?:\|\||\?\?|\?:)\s{0,24}(?=["'])|[ \t]{0,4}=[ \t]{0,4}[\w.]{0,24}(?:getenv|get|getEnv|env|fetch|config)\(\s{0,24}(?:"[^"\s]{1,60}"|'[^'\s]{1,60}'),\s{0,24}(?=["'])/y
/** CSV doubles a quote. */
const QUOTES = `${ESCAPE}["'\`]{1,2}`
const OPENING = new RegExp(`^(?:${QUOTES})?[ \\t]{0,4}[:=][ \\t]{0,4}[[{]`)
/** The first element of a list, or a generic member of an object: `"password": {"value": "…"}`. */
const IN_LIST = new RegExp(`(?:${QUOTES})?[ \\t]{0,4}[:=][ \\t]{0,4}(?:\\[\\s{0,16}){1,3}(?=${QUOTES})`, 'y')
const IN_OBJECT = new RegExp(
  `(?:${QUOTES})?[ \\t]{0,4}[:=][ \\t]{0,4}\\{\\s{0,16}(?:${QUOTES})?(?:${GENERIC_NAMES})(?:${QUOTES})?\\s{0,4}[:=]\\s{0,16}(?:\\[\\s{0,16})?(?=${QUOTES})`,
  'iy',
)
/** The second argument of `setBasicAuth("user", "…")` and `auth=("user", "…")`. */
const PAIR = /[ \t]{0,2}=?[ \t]{0,2}\([ \t]{0,2}(?:"[^"\s]{0,80}"|'[^'\s]{0,80}'),[ \t]{0,4}(?=["'])/y
const PAIR_OVER_LINES = /[ \t]{0,2}=?[ \t]{0,2}\(\s{0,24}(?:"[^"\s]{0,80}"|'[^'\s]{0,80}'),\s{0,24}(?=["'])/y
const CALL = /\(\s{0,24}(?=["'])/y
/** `put(API_TOKEN, "…")`; `api_token,…` of CSV. */
const AFTER_COMMA = /[ \t]{0,2},[ \t]{0,4}(?=["'`\w])/y
/** `api_token - "…"`. */
const DASHED = /[ \t]{1,3}[-–—][ \t]{1,3}(?=["'`])/y
const ELEMENT = />\s{0,40}(?=[^\s<])/y
/** `<password encoding="base64">…`. */
const ATTRIBUTED = /(?:[ \t][\w:-]{1,16}=(?:"[^"\n]{0,24}"|'[^'\n]{0,24}')){1,2}[ \t]?>\s{0,16}(?=[^\s<])/y
/** The columns of an `INSERT` before a label, between it and the values, and a value; bounded, so that a stream has them all. */
const COLUMNS_BEFORE = /\(\s?((?:["'`[]?\w{1,24}["'`\]]?\s?,\s?){0,6})["'`[]?\w{0,24}$/
const TO_VALUES = /["'`\]]?(?:\s?,\s?["'`[]?\w{1,24}["'`\]]?){0,6}\s?\)\s{1,4}values\s{0,4}\(\s{0,2}/iy
const SQL_VALUE = /(?:[NE]?'[^'\n]{0,40}'|[\w.+-]{1,24}(?:\(\))?)\s?,\s{0,2}/y
const MAX_INSERT = 176
/** `token <- "…"` of R. */
const ARROW = /[ \t]{0,8}<-[ \t]{0,8}(?=["'])/y
/** `getToken(): string { return "…"`, `Token { get; set; } = "…"`. */
const RETURNED =
  /(?:\([^()\n"']{0,32}\))?[ \t]{0,2}(?:(?:->|:)?[ \t]{0,2}[\w.<>?[\]]{1,24}[ \t]{0,2})?(?:[{:]\s{0,16}return[ \t]{1,2}\(?|\{[ \t]get;[ \t](?:(?:private |protected |internal )?(?:set|init);[ \t])?\}[ \t]=[ \t]|=[ \t]?)(?=["'`])/y
/** A stored credential of a build server: `<secret>{AQAAABAAA…}</secret>`, with words before it. */
const BRACED_ELEMENT = />\s{0,40}\{(?:[\w.-]{1,40} ){0,3}(?=[^\s<{}])/y
const COLUMN = /[*_`]{0,3}[ \t]{0,24}\|{1,2}[ \t]{0,24}[*_]{0,3}/y
const CONNECTED =
  /["'*_)]{0,3}(?:[ \t]{1,3}(?:is|was|will be|shall be|should be|set to|equals|ist|lautet|est|es|é|è|jest|är|er|to)[ \t]{0,2}:?|:)[ \t\n]{1,3}/iy
const DESCRIBED =
  /["'*_)]{0,3}[ \t]{1,2}(?:for|of|to|on|at|in)(?:[ \t][\w.@'/-]{1,24}){1,5}?(?:[ \t]{1,3}(?:is|was|will be|equals|ist|est|es)[ \t]{0,2}:?|:)[ \t\n]{1,3}/iy
const PARTICLE = /[ \t]{0,2}(?:是|为|為|は|が|은|는|이|가|คือ)[ \t:]{0,3}/y
const DIRECT = /[ \t]{1,3}/y
/** `--password`, `login bob password` in netrc, or `ENV PASSWORD` of an image. */
const FLAG = /(?:^|\s)--?[\w-]*$|\blogin \S{1,40} $|(?:^|\n)ENV \w*$/
/** A letter or digit directly before a word, unless the word begins a part in camel case. */
const CAMEL = /[a-z0-9]$/
const ELEMENT_NAME = /<[\w:.-]*$/
const IDEOGRAPHIC = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** How certain it is that the text after a label is its value. */
export type Trust =
  /** The argument of a command or call whose value can be nothing else. */
  | 'argument'
  /** An assignment, an argument or a flag. */
  | 'firm'
  /** An assignment whose value may be an expression. */
  | 'code'
  /** Words in between: "the password for staging is …". */
  | 'prose'
  /** Only a space in between. */
  | 'direct'

export interface Slot {
  readonly start: number
  /** Code of the closing quote or sign; 0 if the value is not quoted. */
  readonly quote: number
  readonly trust: Trust
}

/**
 * Reads what a name may have behind the word at `at`.
 *
 * @returns the end of the label, or -1
 */
export function labelEnd(text: string, at: number, { word }: LabelWord): number {
  const end = at + word.length
  if (IDEOGRAPHIC.test(word)) return end
  SUFFIX.lastIndex = end
  const suffix = SUFFIX.exec(text)
  return suffix === null ? -1 : end + suffix[0].length
}

/** Checks the text before the word at `at`. */
export function isQualified(text: string, at: number, { word, kind }: LabelWord): boolean {
  const left = text.slice(Math.max(0, at - 24), at)
  const inWord = /[\p{L}\p{N}]$/u.test(left)
  if (kind === 'password') {
    // Short words must be separate, after an underscore or a camel-case part. Otherwise `compass` would match.
    const camel = /[a-z]$/.test(left) && /[A-Z]/.test(text[at]!)
    // `ACRPWD`: no word ends in these letters.
    if (word === 'pwd' && text.startsWith('PWD', at) && /[A-Z\d]{2}$/.test(left)) return true
    if (word.length <= 5 && inWord && !camel) return /(?:db|my|pg|ftp|user|admin|root|sql|smtp|mail|ssh)$/i.test(left)
    return word !== 'pass' || !PASS_EXEMPT.test(left)
  }
  if (kind === 'api_key') return endsWithQualifier(left)
  if (kind === 'opaque') {
    if (inWord && !(CAMEL.test(left) && /[A-Z]/.test(text[at]!))) return false
    if (word === 'auth') return true
    return !(word.startsWith('key') && endsWithQualifier(left)) && !OPAQUE_EXEMPT.has(lastWord(left))
  }
  if (kind === 'token') return word === 'pat' ? !inWord && isPat(text, at, left) : !TOKEN_EXEMPT.has(lastWord(left))
  // `@mapbox/…`, `www.mapbox…` and `docker-mapbox` name a package, a page and an image.
  if (kind === 'service') return !inWord && !/[./@\\-]$/.test(left)
  return kind !== 'session' || !inWord
}

/** `GITLAB_PAT`, `azure devops pat`, `PAT`, no `pat` of a pattern. */
const isPat = (text: string, at: number, left: string): boolean =>
  /[_.-]$|(?:devops|github|gitlab|bitbucket|access) $/i.test(left) || text.startsWith('PAT', at)

/** Last word of an identifier: `page` in `nextPage_`. */
const lastWord = (left: string): string =>
  /[A-Z]?[a-z]+(?=[_ -]?$)|[A-Z]+(?=[_ -]?$)/.exec(left)?.[0].toLowerCase() ?? ''

const isBlank = (code: number): boolean => code === 32 || code === 9
const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96
/** Typographic quotes of all languages, single and double. */
export const isTypographic = (code: number): boolean =>
  (code >= 0x2018 && code <= 0x201f) || code === 0xab || code === 0xbb || code === 0x2039 || code === 0x203a
const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 127

/** The first character after quotes, brackets and blanks. */
function signAfter(text: string, end: number): number {
  for (let i = end; i < end + 8; i++) {
    const code = text.charCodeAt(i)
    if (!isQuote(code) && !isBlank(code) && code !== 91 && code !== 93 && code !== 41) return code
  }
  return 0
}

/**
 * Places after a label (`at`..`end`) that may have its value, leftmost first, because a stream sees them in this
 * order.
 */
export function slots(text: string, at: number, end: number, kind: LabelKind): Slot[] {
  const found: Slot[] = []
  if (end >= text.length) return found
  const add = (rule: RegExp, trust: Trust): void => {
    rule.lastIndex = end
    const match = rule.exec(text)
    if (match !== null) found.push(slotAt(text, end + match[0].length, trust))
  }
  const next = text.charCodeAt(end)
  let i = end
  while (i < end + 3 && isBlank(text.charCodeAt(i))) i++
  const code = text.charCodeAt(i)
  if (!isLetter(code)) add(ASSIGN, isBlank(next) ? 'code' : 'firm')
  if (code === 44 && AFTER_COMMAS.has(kind)) add(AFTER_COMMA, 'code')
  if (kind === 'session' || kind === 'opaque' || kind === 'tailed' || kind === 'service') {
    if (kind === 'opaque' && isQuote(next)) add(ARGUMENT, 'firm')
    if (kind === 'service' && isBlank(next)) add(QUOTED, 'firm')
    if (kind !== 'service' && kind !== 'session' && (isBlank(next) || code === 58)) add(TYPED, 'code')
    const name = text.slice(Math.max(0, at - 48), at)
    if (kind === 'opaque' && next === 62 && ELEMENT_NAME.test(name)) add(ELEMENT, 'firm')
    if (kind === 'opaque' && end - at < 4 && isBlank(next) && FLAG.test(name)) add(DIRECT, 'argument')
    if (kind === 'opaque' && isBlank(next)) add(DASHED, 'firm')
    if (kind === 'opaque' && (next === 40 || code === 61)) add(PAIR, 'firm')
    if (kind === 'opaque' && isBlank(next)) add(CONNECTED, 'prose')
    if (kind === 'opaque' && code === 124) add(FALLBACK, 'firm')
    return found.length > 1 ? found.sort((a, b) => a.start - b.start) : found
  }
  const opening = OPENING.exec(text.slice(end, end + 16 + MAX_BACKSLASHES))?.[0]
  if (opening !== undefined) add(opening.endsWith('[') ? IN_LIST : IN_OBJECT, 'firm')
  if (isQuote(next) || next === 92) {
    const close = pastBackslashes(text, end) + 1
    let j = close
    while (j < close + 4 && isBlank(text.charCodeAt(j))) j++
    const then = text.charCodeAt(j)
    if (then === 44) add(BESIDE, 'firm')
    if (then === 44 || then === 41 || then === 93) add(ARGUMENT, 'firm')
    if (then === 44 && FIRST_ARGUMENT.test(text.slice(Math.max(0, at - 48), at))) add(ARGUMENT_BELOW, 'firm')
    if (j > close || then <= 32 || then === 123) add(ATTRIBUTE, 'firm')
    if (then === 62 || j > close) add(TAGGED, 'firm')
    if (then <= 13) add(BELOW, 'firm')
  } else if (code <= 13) add(BELOW, 'firm')
  if (next === 40) {
    add(CALL, 'firm')
    add(PAIR_OVER_LINES, 'firm')
  }
  if (next === 60 || next === 62) add(NESTED, 'firm')
  const sign = signAfter(text, end)
  if (sign === 61 || sign === 58 || sign === 123) add(WRAPPED, 'firm')
  if (sign === 61 || sign === 124 || sign === 63) add(FALLBACK, 'firm')
  const left = text.slice(Math.max(0, at - 48), at)
  if (next === 62 && ELEMENT_NAME.test(left)) {
    add(ELEMENT, 'firm')
    add(BRACED_ELEMENT, 'firm')
  }
  if (isBlank(next) && ELEMENT_NAME.test(left)) add(ATTRIBUTED, 'firm')
  if (code === 60) add(ARROW, 'firm')
  if (code === 41 || code === 44 || isQuote(code) || code === 93) {
    const value = insertedAt(text, at, end)
    if (value > 0) found.push(slotAt(text, value, 'firm'))
  }
  if (next === 40 || code === 123) add(RETURNED, 'firm')
  if (isBlank(next)) add(DASHED, 'firm')
  if (text.slice(i, i + 32).includes('=')) add(TYPED, 'code')
  if (code === 124 || !isLetter(code)) add(COLUMN, 'code')
  // The verb `pass` is no label.
  const noun = end - at !== 4 || /\w$/.test(left) || text.slice(at, end).toLowerCase() !== 'pass'
  if (noun && (isBlank(next) || !isLetter(next))) {
    add(CONNECTED, 'prose')
    add(DESCRIBED, 'prose')
  }
  if (next > 127 || IDEOGRAPHIC.test(text[at]!)) add(PARTICLE, 'firm')
  if (isBlank(next)) {
    const flag = FLAG.test(left)
    if (noun || flag) add(DIRECT, flag ? 'argument' : 'direct')
  }
  return found.length > 1 ? found.sort((a, b) => a.start - b.start) : found
}

/** Where the value of a column begins in `INSERT INTO users (name, password) VALUES ('bob', '…')`, or -1. */
function insertedAt(text: string, at: number, end: number): number {
  TO_VALUES.lastIndex = end
  if (!TO_VALUES.test(text)) return -1
  let value = TO_VALUES.lastIndex
  const before = COLUMNS_BEFORE.exec(text.slice(Math.max(0, value - MAX_INSERT, at - 120), at))
  if (before === null) return -1
  for (const sign of before[1]!) {
    if (sign !== ',') continue
    SQL_VALUE.lastIndex = value
    if (!SQL_VALUE.test(text)) return -1
    value = SQL_VALUE.lastIndex
  }
  const first = at - before[0].length
  return value - first <= MAX_INSERT && /[NE]?'/y.test(text.slice(value, value + 2)) ? value : -1
}

/** CSV doubles a quote with each level: a cell of a table in a cell of a table in a cell. */
const MAX_QUOTES = 8

/**
 * Index after an opening quote, including the doubled or tripled quotes of CSV cells and long strings. `""` is an
 * empty string.
 */
function openingEnd(text: string, start: number, quote: number): number {
  let end = start + 1
  for (let n = 0; n < MAX_QUOTES - 1; n++) {
    let next = end
    while (next - end < 16 && text[next] === '\\') next++
    if (text.charCodeAt(next) !== quote) break
    end = next + 1
  }
  return end > start + 1 && /[\s,;:)\]}\\]|^$/.test(text[end] ?? '') ? start + 1 : end
}

function pastBackslashes(text: string, at: number): number {
  let end = at
  while (end < at + MAX_BACKSLASHES && text.charCodeAt(end) === 92) end++
  return end
}

/** The place after a notation of `notations.ts`. */
export function slotAfter(text: string, end: number, after: RegExp, until = 0): Slot | undefined {
  after.lastIndex = end
  if (!after.test(text)) return undefined
  const start = after.lastIndex
  return until > 0 ? { start, quote: until, trust: 'argument' } : slotAt(text, start, 'argument')
}

function slotAt(text: string, at: number, trust: Trust): Slot {
  let start = at
  // String prefixes: b"…", f'…', @"…", R"…".
  if (/[bfruLR@$]/.test(text[start] ?? '') && /["'`]/.test(text[start + 1] ?? '')) start++
  // A string inside a string: \"…\".
  const quoted = pastBackslashes(text, start)
  if (isQuote(text.charCodeAt(quoted))) start = quoted
  const code = text.charCodeAt(start)
  if (!isQuote(code)) return { start: isTypographic(code) ? start + 1 : start, quote: 0, trust }
  return { start: openingEnd(text, start, code), quote: code, trust: trust === 'direct' ? 'firm' : trust }
}
