import { TextUnits } from 'governed-gateway/kit'

const units = new TextUnits()

/** The UTF-16 units of a text, then a zero. Valid until the next call. */
export const unitsOf = (text: string): Uint16Array => units.of(text)

export const isAsciiAlnum = (c: number): boolean =>
  (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122)
