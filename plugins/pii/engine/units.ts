import { TextUnits } from 'governed-gateway/kit'

const units = new TextUnits()

/** The UTF-16 units of a text, then a zero. Valid until the next call. */
export const unitsOf = (text: string): Uint16Array => units.of(text)
