import { createRequire } from 'node:module'

/** Models whose tokens are those of `cl100k_base`. The ids of any other model may mean anything. */
const KNOWN = /^text-embedding-(?:ada-002|3-small|3-large)$/

type Decode = (tokens: Iterable<number>) => string

const load = createRequire(import.meta.url)
let decode: Decode | undefined

/**
 * The text that token ids stand for; undefined where that is not known.
 *
 * @throws Error for an id that there is not
 */
export function decodeTokens(model: unknown, tokens: readonly number[]): string | undefined {
  if (typeof model !== 'string' || !KNOWN.test(model)) return undefined
  // Some 100 ms and 40 MB, for those alone who send tokens.
  decode ??= (load('gpt-tokenizer/encoding/cl100k_base') as { decode: Decode }).decode
  return decode(tokens)
}
