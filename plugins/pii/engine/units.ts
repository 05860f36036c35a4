/** Texts as arrays of UTF-16 units: a loop over an array is faster than one over a string. */

let units = new Uint16Array(4096)
let bytes = Buffer.from(units.buffer)

/** The units of a text, then a zero. Valid until the next call. */
export function unitsOf(text: string): Uint16Array {
  if (text.length >= units.length) {
    units = new Uint16Array(2 ** Math.ceil(Math.log2(text.length + 1)))
    bytes = Buffer.from(units.buffer)
  }
  bytes.write(text, 'utf16le')
  units[text.length] = 0
  return units
}
