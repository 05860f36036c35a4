import type { Json } from '../../contract/plugin.ts'
import { decodeTokens } from './tokens.ts'

export const isTokens = (value: Json | undefined): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((id) => Number.isInteger(id) && (id as number) >= 0)

/** The inputs of a request, as a list; token ids stay numbers. */
export const inputsOf = (input: Json | undefined): readonly Json[] =>
  Array.isArray(input) && !isTokens(input) ? input : [input as Json]

/** The text of each input; empty if the tokens cannot be decoded. */
export const inputTexts = (model: Json | undefined, input: Json | undefined): string[] =>
  inputsOf(input).map((one) => (isTokens(one) ? (decodeTokens(model, one) ?? '') : String(one)))
