/**
 * What events and log lines show of data from callers, providers and plugins: plain names unchanged, anything else as a
 * hash, and errors without their message.
 */
import { createHmac, randomBytes } from 'node:crypto'

/** Separate digits, with any separators between them. */
const NUMBER = /(?<![A-Za-z0-9])\d(?:[^A-Za-z0-9]?\d){5}(?![A-Za-z])/
/** Prefixes of known keys. May match too much, because a match is only inspected or hashed. */
const KEY =
  /(?:AKIA|ASIA|AIza|eyJ|gh[opsu]_|github_pat|glpat|xox|hf_|npm_|(?:^|[^a-z])(?:sk|pk|rk|gw|key|token|secret)[-_])/
/** A run of letters and digits, like keys without a known prefix. */
const RANDOM = /(?=[0-9]*[A-Za-z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}/

/** Most digits of a card or an account number, also within a word: what is left of `%C2%A44111…` in a name is `C2-A44111…`. */
const MANY_DIGITS = /\d(?:[^A-Za-z0-9]?\d){10}/
/** An account number: the shortest have 15 characters. */
const ACCOUNT = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=(?:[A-Za-z]*\d){7})[A-Za-z0-9]{11,30}(?![A-Za-z0-9])/

/** Whether a text may contain a card number or a personal number. */
export const mayBeNumber = (text: string): boolean => NUMBER.test(text)

/** Whether a text may contain a card number, a personal number, or a key. */
export const mayBeValue = (text: string): boolean => mayBeNumber(text) || KEY.test(text)

/** A mail address whose `@` became another sign: `jane-roe-example-com`, `jane.roe:example.de`. */
const ADDRESS =
  /[A-Za-z0-9][-._:/][A-Za-z0-9]+(?:[-._:/](?:com|org|net|edu|gov|mil|info|biz)|\.(?:io|co|ai|me|de|uk|fr|eu|ch|at|nl|it|es|pt|pl|cz|se|no|dk|fi|ie|be|ru|cn|jp|kr|in|br|mx|ca|au|nz|za|us))(?![A-Za-z0-9])/i
/** A name for a password, with a digit in what is after it. */
const LABELLED = /(?:passw(?:or)?d|passphrase|pwd)[-._:/](?=[A-Za-z0-9]*\d)/i

/** Like `mayBeValue`, and any other key, account, address or password. */
export const mayBeSecret = (text: string): boolean =>
  mayBeValue(text) ||
  RANDOM.test(text) ||
  MANY_DIGITS.test(text) ||
  ACCOUNT.test(text) ||
  ADDRESS.test(text) ||
  LABELLED.test(text)

const WORD =
  /^(?:[a-z]{1,16}|[A-Z][a-z]{1,15}|[A-Z]{1,16})(?:[-_.](?:[a-z]{1,16}|[A-Z][a-z]{1,15}|[A-Z]{1,16}))*(?:\.?\*)?$/
/** Whether a message may repeat a text of a config: a word such as those that name options, without digits. */
export const isWord = (text: string): boolean => text.length <= 32 && WORD.test(text)

/** Whether the path of a message may show a name that the operator chose, such as that of an upstream or a header. */
export const isShownName = (name: string): boolean =>
  isWord(name) || (/^[\w.*@:/-]{1,64}$/.test(name) && !mayBeSecret(name))

/** A text of a config, which may be a secret at the wrong place: a word in quotes, of anything else the length. */
export const quotedWord = (text: string): string =>
  isWord(text) ? JSON.stringify(text) : `(a text of ${text.length} characters)`

const NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9._:/-]{0,126}[A-Za-z0-9])?$/
const UUID = /^(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** Ids created by a gateway: a derived session, or the request id of another gateway. */
const OWN = /^(?:sess_(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{32}|req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** Text that is safe in an event or a log line. Only this file creates it from external text. */
export type LogSafe = string & { readonly logSafe: true }

/** Whether a name is plain and cannot hide a value. */
export const isPlain = (text: string): text is LogSafe =>
  UUID.test(text) || OWN.test(text) || (NAME.test(text) && !mayBeSecret(text))

/** Unique to this process, so that values cannot be tested against the hashes of a trail. */
const salt = randomBytes(32)

/** The name itself, or a hash if it may be a value; the same for the same name while the process lives. */
export const logSafe = (text: string): LogSafe =>
  isPlain(text) ? text : (`hidden:${createHmac('sha256', salt).update(text).digest('hex').slice(0, 16)}` as LogSafe)

/** Whether a text looks like a model name: short words, versions and dates. */
export const isModelName = (text: string): text is LogSafe => text.length <= 128 && isPlainModel(withoutDate(text))
const isPlainModel = (name: string): boolean => MODEL.test(name) && !mayBeSecret(name)
const MODEL = /^@?(?:[A-Za-z0-9]{1,24}(?:[-_.:/]|$)){0,16}$/
const DATE = /[-@:](?:20\d\d-[01]\d-[0-3]\d|20\d\d[01]\d[0-3]\d|[01]\d-20\d\d)(?![0-9])/
/** A model name without the date of its version: `gpt-4o-2024-08-06`, `claude@20250514`, `command-r-08-2024`. */
export const withoutDate = (name: string): string => name.replace(DATE, '')

/** A W3C trace id; undefined if it has no letters, because then it is not random. */
export const logSafeTrace = (id: string): LogSafe | undefined =>
  /^(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{32}$/.test(id) && !/\d{12}/.test(id) ? (id as LogSafe) : undefined

/** Replaces a text with findings. */
export const FOUND = '[REDACTED]' as LogSafe

/** The model name for events; never the caller's own key, whatever its form. */
export const logSafeModel = (name: string, isOfKey: boolean): LogSafe =>
  isOfKey ? FOUND : isModelName(name) ? name : logSafe(name)

const CLASS = /^[A-Z][A-Za-z]{1,63}$/
const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** Reads a foreign error, which may throw. */
const ask = <T>(question: () => T): T | undefined => {
  try {
    return question()
  } catch {
    return undefined
  }
}

/** The code of an error, or its class; never its message. */
export const errorName = (error: unknown): string => errorCode(error) ?? errorClass(error)

/** Returns false for values that throw when inspected. */
export const isError = (error: unknown): error is Error => ask(() => error instanceof Error) === true

export function errorCode(error: unknown): string | undefined {
  const code = ask(() => (error as { code?: unknown } | null)?.code)
  return typeof code === 'string' && CODE.test(code) && !mayBeSecret(code) ? code : undefined
}

export function errorClass(error: unknown): string {
  if (!isError(error)) return typeof error
  // A DOMException's name is more specific than its class, and is one of a fixed set.
  const named = error instanceof DOMException ? ask(() => error.name) : undefined
  const name = named ?? ask(() => error.constructor.name)
  return typeof name === 'string' && CLASS.test(name) ? name : 'Error'
}

const FRAME = /^\s+at (?:(?:async |new )*[\w$.<>#[\] ]{1,128} \()?(?:file:\/\/|node:|\/)[^()\s]{1,512}:\d+:\d+\)?$/
const MOST_FRAMES = 12

/** Where an error was created: stack frames without the message. */
export function framesOf(error: unknown): string[] {
  const [stack, message] = [ask(() => (error as Error).stack), ask(() => (error as Error).message)]
  if (!isError(error) || typeof stack !== 'string' || typeof message !== 'string') return []
  // Lines of the message may look like frames, so skip the message.
  const at = message === '' ? 0 : stack.indexOf(message)
  if (at < 0) return []
  const frames: string[] = []
  for (const line of stack.slice(at + message.length).split('\n')) {
    if (FRAME.test(line) && !KEY.test(line)) frames.push(line.trim())
    if (frames.length === MOST_FRAMES) break
  }
  return frames
}
