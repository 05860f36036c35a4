/** The same JSON in other spellings: what one program writes is not what another one writes. */

export const SPELLINGS = ['plain', 'spaced', 'ascii', 'escaped', 'escaped-names', 'reversed', 'slashes'] as const
export type Spelling = (typeof SPELLINGS)[number]

const unit = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
/** Every unit by its number, halves of pairs too. */
const escaped = (text: string): string => `"${text.replace(/[\s\S]/g, unit)}"`

interface Style {
  readonly text: (text: string) => string
  readonly name: (text: string) => string
  readonly gap: string
  readonly backwards: boolean
}

const STYLE: Style = { text: JSON.stringify, name: JSON.stringify, gap: '', backwards: false }

const STYLES: Readonly<Partial<Record<Spelling, Partial<Style>>>> = {
  spaced: { gap: ' \t' },
  escaped: { text: escaped },
  'escaped-names': { name: escaped },
  reversed: { backwards: true },
}

function spelt(value: unknown, style: Style): string {
  const { text, name, gap, backwards } = style
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const comma = `${gap},${gap}`
  if (Array.isArray(value)) return `[${gap}${value.map((inner) => spelt(inner, style)).join(comma)}${gap}]`
  const members = Object.entries(value).map(([key, inner]) => `${name(key)}${gap}:${gap}${spelt(inner, style)}`)
  return `{${gap}${(backwards ? members.reverse() : members).join(comma)}${gap}}`
}

/** What is no JSON stays as it is. */
export function respell(json: string, spelling: Spelling): string {
  if (spelling === 'ascii') return json.replace(/[^\x00-\x7f]/g, unit)
  if (spelling === 'slashes') return json.replaceAll('/', '\\/')
  const style = STYLES[spelling]
  if (style === undefined) return json
  try {
    return spelt(JSON.parse(json), { ...STYLE, ...style })
  } catch {
    return json
  }
}
