import { createRequire } from 'node:module'

/** Models that use the tokens of `cl100k_base`. Other models may use any ids. */
const KNOWN =
  /^(?:text-embedding-(?:ada-002|3-small|3-large)|gpt-3\.5-turbo-instruct(?:-0914)?|davinci-002|babbage-002)$/

type Decode = (tokens: Iterable<number>) => string

const load = createRequire(import.meta.url)
let decode: Decode | undefined

/**
 * Decodes token ids to text; undefined if the model's tokens are unknown.
 *
 * @throws Error for an unknown id
 */
export function decodeTokens(model: unknown, tokens: readonly number[]): string | undefined {
  if (typeof model !== 'string' || !KNOWN.test(model)) return undefined
  // Loads lazily: it takes some 100 ms and 40 MB.
  decode ??= (load('gpt-tokenizer/encoding/cl100k_base') as { decode: Decode }).decode
  return decode(tokens)
}
