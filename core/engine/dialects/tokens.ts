import { createRequire } from 'node:module'
import { allSteps, Pace, type Steps } from '../util/steps.ts'

/** Models that use the tokens of `cl100k_base`. Other models may use any ids. */
const KNOWN =
  /^(?:text-embedding-(?:ada-002|3-small|3-large)|gpt-3\.5-turbo-instruct(?:-0914)?|davinci-002|babbage-002)$/

/** What each token stands for: text, or bytes that are part of a character. */
type Token = string | readonly number[]

const load = createRequire(import.meta.url)
let table: readonly (Token | undefined)[] | undefined

/** Loads lazily. The table alone takes a third of the time and memory that the tokenizer does. */
function readTable(): readonly (Token | undefined)[] {
  const { default: ranks } = load('gpt-tokenizer/bpeRanks/cl100k_base') as { default: readonly Token[] }
  const { Cl100KBase } = load('gpt-tokenizer/encodingParams/cl100k_base') as {
    Cl100KBase: (ranks: readonly Token[]) => { readonly specialTokensEncoder: ReadonlyMap<string, number> }
  }
  const tokens: (Token | undefined)[] = [...ranks]
  for (const [text, id] of Cl100KBase(ranks).specialTokensEncoder) tokens[id] = text
  return tokens
}

/** No vocabulary is that large: a larger number is a value, not a token. */
const TOKENS = 10_000_000

/** Tokens of one step. */
const STEP = 4096

/** The text of lists of parsed requests that were decoded; undefined if a token is not known. */
const known = new WeakMap<readonly number[], { readonly text: string | undefined }>()

/**
 * Decodes token ids to text; undefined if the model's tokens are unknown.
 *
 * @throws Error for an unknown id
 */
export function decodeTokens(model: unknown, tokens: readonly number[]): string | undefined {
  if (!hasKnownTokens(model)) {
    if (tokens.some((id) => id >= TOKENS)) throw new RangeError('A token of no vocabulary.')
    return undefined
  }
  const { text } = known.get(tokens) ?? allSteps(decodeInSteps(tokens))
  if (text === undefined) throw new RangeError('A token is not known.')
  return text
}

const hasKnownTokens = (model: unknown): boolean => typeof model === 'string' && KNOWN.test(model)

/** Decodes the lists of a large request before `decodeTokens` needs them. */
export function* decodeTokensInSteps(model: unknown, lists: readonly (readonly number[])[]): Steps<void> {
  if (!hasKnownTokens(model)) return
  const pace = new Pace(STEP)
  for (const tokens of lists) {
    yield* decodeInSteps(tokens)
    if (pace.spent(Math.min(tokens.length, STEP - 1) + 1)) yield
  }
}

function* decodeInSteps(tokens: readonly number[]): Steps<{ readonly text: string | undefined }> {
  if (table === undefined) {
    table = readTable()
    yield
  }
  let text = ''
  let parts: string[] = []
  // Of a character that several tokens make up.
  let bytes: number[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = table[tokens[i] as number]
    if (token === undefined) return keep(tokens, undefined)
    if (typeof token !== 'string') bytes.push(...token)
    else {
      if (bytes.length > 0) {
        parts.push(Buffer.from(bytes).toString('utf8'))
        bytes = []
      }
      parts.push(token)
    }
    if (i % STEP !== STEP - 1) continue
    text += parts.join('')
    parts = []
    yield
  }
  if (bytes.length > 0) parts.push(Buffer.from(bytes).toString('utf8'))
  return keep(tokens, text + parts.join(''))
}

function keep(tokens: readonly number[], text: string | undefined): { readonly text: string | undefined } {
  const decoded = { text }
  known.set(tokens, decoded)
  return decoded
}
