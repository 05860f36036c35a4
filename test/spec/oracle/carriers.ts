/** What stands around a value. */
const PROSE = 'The quarterly figures look fine and nobody has to worry about the roof. '

export const CARRIERS = [
  'sentence',
  'bare',
  'quotes',
  'brackets',
  'typographic',
  'colon',
  'equals',
  'cjk',
  'late',
  'early',
  'markup',
  'lines',
  'twice',
  'repeated',
  'comma-list',
  'sentence-end',
  'possessive',
  'emoji',
  'cells',
  'table',
  'angle',
  'rtl',
  'thai',
  'border',
] as const

export type Carrier = (typeof CARRIERS)[number] | 'far'

/** Up to 200 KB in front of the value. */
const far = (value: string): string => PROSE.repeat(300 * (1 + (value.length % 9)))

/** Lengths at which windows, holds and steps of programs begin or end. */
const BORDERS = [64, 128, 254, 256, 500, 512, 1000, 1024, 2048, 4096, 8192, 32768]

/** Prose that ends so that the value stands over a border, or close to one. */
function upToBorder(value: string): string {
  let seed = 0
  for (const char of value) seed = (seed * 31 + char.charCodeAt(0)) % 65521
  const border = BORDERS[seed % BORDERS.length] as number
  const length = Math.max(1, border - (seed % (value.length + 12)) + 4)
  // Whole words are before the value: behind half of `figures`, a number is one of a picture.
  return PROSE.repeat(Math.ceil(length / PROSE.length)).slice(-length)
}

export function carry(carrier: Carrier, value: string): string {
  switch (carrier) {
    case 'bare':
      return value
    case 'quotes':
      return `I note "${value}" for later`
    case 'brackets':
      return `I note (${value}) and [${value}] for later`
    case 'typographic':
      return `I note \u201c${value}\u201d \u2013 for later`
    case 'colon':
      return `note: ${value}`
    case 'equals':
      return `note=${value}`
    case 'cjk':
      return `\u8bf7\u8bb0\u4f4f${value}\u8c22\u8c22`
    case 'late':
      return `${PROSE.repeat(12)}${value} for later`
    case 'far':
      return `${far(value)}${value} for later. ${PROSE}`
    case 'border':
      return `${upToBorder(value)}${value} for later`
    case 'early':
      return `I note ${value} for later. ${PROSE.repeat(12)}`
    case 'markup':
      return `<p>I note <b>${value}</b></p>`
    case 'lines':
      return `I note\n${value}\nfor later\n`
    case 'twice':
      return `I note ${value} and ${value} for later`
    case 'repeated':
      return `I note ${value}${value} for later`
    case 'comma-list':
      return `a,${value},b`
    case 'sentence-end':
      return `I note ${value}. Then ${value}! Or ${value}? And ${value}\u2026`
    case 'possessive':
      return `It is ${value}'s turn`
    case 'emoji':
      return `\u{1f449}${value}\u{1f448} noted`
    case 'cells':
      return `name\tnote\nx\t${value}\ny\t1`
    case 'table':
      return `| a | b |\n|---|---|\n| x | ${value} |\n|x|${value}|`
    case 'angle':
      return `Someone <${value}> wrote`
    case 'rtl':
      return `\u05d0\u05e0\u05d0 \u05e8\u05e9\u05d5\u05dd ${value} \u05ea\u05d5\u05d3\u05d4`
    case 'thai':
      return `\u0e01\u0e23\u0e38\u0e13\u0e32\u0e08\u0e14${value}\u0e44\u0e27\u0e49`
    default:
      return `I note ${value} for later`
  }
}
