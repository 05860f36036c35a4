/** Parts of the rows in `notations.ts` and `calls.ts`. */
import { type LabelKind, type LabelWord, labelWord } from './labels.ts'

/** An argument of a call that is no credential. */
const ARG = /(?:"[^"\n]{0,120}"|'[^'\n]{0,120}'|[$@\w][\w.$:>()-]{0,60})/.source
export const NEXT = `${ARG}\\s{0,4},\\s{0,24}`
/** What may wrap a text: `Some("…")`, `Encoding.UTF8.GetBytes("…")`, `@"…"`. */
export const WRAPPED = /(?:(?:new )?[\w.:[\]]{0,32}\(\s{0,24}){0,2}(?=[@b$]?["'])/.source
/** Options of a command with their values, before the one that matters. */
export const OPTIONS = /(?:[ \t]-{1,2}[\w-]{1,20}(?:[ =][^\s-]\S{0,60})?){0,5}/.source
/** Between the name of a setting and its value. */
export const ASSIGNED = /["']?[ \t]{0,4}(?:[:?]{0,3}=|:)[ \t]{0,4}["']?/.source

/** Other arguments of the same command. */
export const REST = /[^\n|;&]{0,120}?/.source

export const row = (kind: LabelKind, words: string, after: string, then?: RegExp): LabelWord[] =>
  words.split('|').map((word) => labelWord(kind, word, new RegExp(after, 'iy'), then))
/** The same with options of which a capital means something else. */
export const exact = (kind: LabelKind, words: string, after: string): LabelWord[] =>
  words.split('|').map((word) => labelWord(kind, word, new RegExp(after, 'y')))
