/**
 * What events and log lines may tell of what callers, providers and plugins chose: names of a plain shape as they are,
 * everything else by a hash, and of errors never the message.
 */
import { createHmac, randomBytes } from 'node:crypto'

/** Digits that stand by themselves, whatever separates them. */
const NUMBER = /(?<![A-Za-z0-9])\d(?:[^A-Za-z0-9]?\d){5}(?![A-Za-z])/
/** How known keys begin. It need not be exact: what looks like one is only looked at, or hashed. */
const KEY =
  /(?:AKIA|ASIA|AIza|eyJ|gh[opsu]_|github_pat|glpat|xox|hf_|npm_|(?:^|[^a-z])(?:sk|pk|rk|gw|key|token|secret)[-_])/
/** Letters and digits in one run, as keys without a known beginning are. */
const RANDOM = /(?=[0-9]*[A-Za-z])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}/

/** The number of an account: the shortest have 15 characters. */
const ACCOUNT = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=(?:[A-Za-z]*\d){7})[A-Za-z0-9]{11,30}(?![A-Za-z0-9])/

/** True for what could be a card, a number of a person, or a key. */
export const mayBeValue = (text: string): boolean => NUMBER.test(text) || KEY.test(text)

/** The same, and any other key. */
export const mayBeSecret = (text: string): boolean => mayBeValue(text) || RANDOM.test(text) || ACCOUNT.test(text)

const NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9._:/-]{0,126}[A-Za-z0-9])?$/
const UUID = /^(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
/** Ids that the gateway made itself: a session it derived, a request that came through another gateway. */
const OWN = /^(?:sess_(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{32}|req_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** A text that may stand in an event or a log line. Only this file makes one of a text from outside. */
export type Told = string & { readonly told: true }

/** A name of a plain shape in which no value could hide. */
export const isPlain = (text: string): text is Told =>
  UUID.test(text) || OWN.test(text) || (NAME.test(text) && !mayBeSecret(text))

/** Of this process alone, so that nobody can try values against the hashes of a trail. */
const salt = randomBytes(32)

/** The name itself, or where it could be a value a hash, the same for the same name as long as the process lives. */
export const told = (text: string): Told =>
  isPlain(text) ? text : (`hidden:${createHmac('sha256', salt).update(text).digest('hex').slice(0, 16)}` as Told)

/** The name of a model: short words, versions and dates. */
export const isModelName = (text: string): text is Told => text.length <= 128 && isPlainModel(text.replace(DATE, ''))
const isPlainModel = (name: string): boolean => MODEL.test(name) && !mayBeSecret(name)
const MODEL = /^@?(?:[A-Za-z0-9]{1,24}(?:[-_.:/]|$)){0,16}$/
const DATE = /[-@:](?:20\d\d-[01]\d-[0-3]\d|20\d\d[01]\d[0-3]\d)(?![0-9])/

/** A W3C trace id; one without letters was not made at random, and nothing is told of it. */
export const toldTrace = (id: string): Told | undefined =>
  /^(?=(?:[^a-f]*[a-f]){3})[0-9a-f]{32}$/.test(id) && !/\d{12}/.test(id) ? (id as Told) : undefined

/** Stands for a text in which something was found. */
export const FOUND = '[REDACTED]' as Told

/** The model as events name it: never the caller's own key, whatever its form. */
export const toldModel = (name: string, authorization: string | undefined): Told =>
  name.length >= 8 && authorization?.includes(name) ? FOUND : isModelName(name) ? name : told(name)

const CLASS = /^[A-Z][A-Za-z]{1,63}$/
const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** Runs what an error of somebody else may answer to a question. */
const ask = <T>(question: () => T): T | undefined => {
  try {
    return question()
  } catch {
    return undefined
  }
}

/** The code of an error where it has one, else its class; never what it says. */
export const errorName = (error: unknown): string => errorCode(error) ?? errorClass(error)

/** False for what does not even let itself be asked. */
export const isError = (error: unknown): error is Error => ask(() => error instanceof Error) === true

export function errorCode(error: unknown): string | undefined {
  const code = ask(() => (error as { code?: unknown } | null)?.code)
  return typeof code === 'string' && CODE.test(code) && !mayBeSecret(code) ? code : undefined
}

export function errorClass(error: unknown): string {
  if (!isError(error)) return typeof error
  // Of a DOMException the name says more than the class, and only its own names are ever given.
  const named = error instanceof DOMException ? ask(() => error.name) : undefined
  const name = named ?? ask(() => error.constructor.name)
  return typeof name === 'string' && CLASS.test(name) ? name : 'Error'
}

const FRAME = /^\s+at (?:(?:async |new )*[\w$.<>#[\] ]{1,128} \()?(?:file:\/\/|node:|\/)[^()\s]{1,512}:\d+:\d+\)?$/
const MOST_FRAMES = 12

/** Where an error was made: lines of code without what the error says. */
export function framesOf(error: unknown): string[] {
  const [stack, message] = [ask(() => (error as Error).stack), ask(() => (error as Error).message)]
  if (!isError(error) || typeof stack !== 'string' || typeof message !== 'string') return []
  // A message may have lines that look like frames, so what stands in front of its end is no frame.
  const at = message === '' ? 0 : stack.indexOf(message)
  if (at < 0) return []
  const frames: string[] = []
  for (const line of stack.slice(at + message.length).split('\n')) {
    if (FRAME.test(line) && !KEY.test(line)) frames.push(line.trim())
    if (frames.length === MOST_FRAMES) break
  }
  return frames
}
