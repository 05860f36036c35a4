/** Words that label a secret, and the names that end in one. */

import { endsWithQualifier } from './qualifiers.ts'
import { SERVICE_NAMES, SERVICE_WORDS } from './services.ts'

/**
 * `opaque`: a name such as `acme_key`; only a value that is random beyond doubt counts. `tailed`: the name continues after
 * the word. `service`: only where it is assigned to the name or directly behind it, and hashes and UUIDs never. `hex_service`: these, too. `pw`: a password that is no
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
  | 'hex_service'

export interface LabelWord {
  readonly word: string
  readonly kind: LabelKind
  /** Where the three letters begin by which the scan finds it. */
  readonly anchor: number
  /** For `notations.ts`: what is between the word and the value. Sticky. */
  readonly after?: RegExp
  /** And what must follow the value, within {@link THEN} characters. */
  readonly then?: RegExp
  /** The code of a sign that ends the value as a quote does. */
  readonly until?: number
}

export const THEN = 112

/** A dot is before the three letters by which the scan finds a word: those that ordinary text has least. */
export function labelWord(kind: LabelKind, marked: string, after?: RegExp, then?: RegExp): LabelWord {
  const word = marked.replace('·', '')
  return { word, kind, anchor: Math.max(0, marked.indexOf('·')), ...(after && { after }), ...(then && { then }) }
}

const words = (kind: LabelKind, list: string): LabelWord[] => list.split(' ').map((word) => labelWord(kind, word))

/** Lower case. Each is the last component of an identifier; `labelEnd` checks the text before it. */
export const LABEL_WORDS: readonly LabelWord[] = [
  ...words(
    'password',
    'pas·sword pas·swd paswd pswd psswd passwrd paswrd psswrd pas·word psword pssword pas·swort pas·sphrase pa·sscode pwd pass ken·nwort contras·eña cont·rasena contras·enya s·enha c·lave p·arola wachtwoord hasło h·aslo lösenord losenord şifre sifre salasana a·dgangskode jelszo jelszó пароль p·arol 密码 密碼 口令 パスワード 비밀번호 비번 पासवर्ड รหัสผ่าน mdp pa·ssord mo·tdepasse mot·_de_passe contras·enia he·slo lo·zinka slap·tazodis mat·_khau ma·tkhau psw p·swrd pas·s_word p·arool סיסמה',
  ),
  ...[
    'mot de passe',
    'mật khẩu',
    'kata sandi',
    'kata laluan',
    'كلمة المرور',
    'كلمة السر',
    'رمز عبور',
    'κωδικός πρόσβασης',
  ].map((word) => labelWord('password', word)),
  ...words('password', 'passwords pas·s_phrase psk'),
  ...words('pw', '_pw d·bpw roo·tpw bi·ndpw adm·inpw userpw'),
  ...words('api_key', 'key k·eys sc·hlüssel'),
  ...words('secret', 's·ecret s·ecrets cr·edential cr·edentials cr·eds'),
  ...words('token', 'token tokens pat'),
  ...words('authorization', 'authori·zation'),
  ...words(
    'session',
    'phpsessid jsessionid sessio·nid sessid gitl·ab_session larav·el_session connec·t.sid jen·kins-crumb',
  ),
  ...words('opaque', 'key k·eys auth authentication api a·ccess'),
  ...words('service', `${SERVICE_NAMES} ${SERVICE_WORDS}`),
]

/** Tokens that are no credentials, also with a blank between: cursors, model vocabulary, protection of forms. */
const TOKENS_OF_NO_WORTH =
  'page pagination next prev previous continuation continue sync pad eos bos unk sep cls mask csrf xsrf forgery delta resume idempotency'
/** After a blank these are words of a sentence or of a log line: `stop TOKEN=…`, `the current token: …`. */
const WORDS_OF_NO_WORTH =
  'stop special start end change max min total prompt completion input output cached per num of design color syntax lex lexer parse parser ' +
  'current snapshot request cancel cancellation'
const SPACED_TOKEN_EXEMPT = new Set(TOKENS_OF_NO_WORTH.split(' '))
const TOKEN_EXEMPT = new Set([...SPACED_TOKEN_EXEMPT, ...WORDS_OF_NO_WORTH.split(' ')])
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
  /(?:com|by|tres|over|sur|under|bi|im|tre|low|high|band|all|first|second|one|two|multi|single|render|boarding|season|bus|day|ski|hall|mountain)[_ -]?$|test[ -]?$/i

const SUFFIX =
  /(?:(?:[_-]?(?:v?\d{1,3}|confirmation|confirm|repeat|again|production|prod|dev|test|staging|stage|sandbox|uat|qa|ci|local|default|live|main|primary|secondary|base64|b64|value|string|str|plaintext|plain|text|raw|current|new|old|hex|env|base)){1,2}|[_-]for[_-][a-z]{2,12}|[ \t]\d{1,2}(?=:)|_)?(?=[^\p{L}\p{N}_-]|-(?![\p{L}\p{N}])|$)/iuy

/** A letter or digit directly before a word, unless the word begins a part in camel case. */
const CAMEL = /[a-z0-9]$/
export const IDEOGRAPHIC = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/**
 * Reads what a name may have after the word at `at`.
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
    if (word.length <= 5 && inWord && !camel)
      return /(?:db|my|pg|ftp|user|admin|root|sql|smtp|mail|ssh|test)$/i.test(left)
    return word !== 'pass' || !PASS_EXEMPT.test(left)
  }
  if (kind === 'api_key') return endsWithQualifier(left)
  if (kind === 'opaque') {
    if (inWord && !(CAMEL.test(left) && /[A-Z]/.test(text[at]!))) return false
    if (word === 'auth') return true
    return !(word.startsWith('key') && endsWithQualifier(left)) && !OPAQUE_EXEMPT.has(lastWord(left))
  }
  if (kind === 'token')
    return word === 'pat'
      ? !inWord && isPat(text, at, left)
      : !(left.endsWith(' ') ? SPACED_TOKEN_EXEMPT : TOKEN_EXEMPT).has(lastWord(left))
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
