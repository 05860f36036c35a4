import type { TextView } from 'governed-gateway'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result'])
const LABEL = /^[\p{L}_][\p{L}\w-]{1,40}(?: [\p{L}\w-]{1,20}){0,2}$/u
/** `spring.datasource.password`, `/prod/db/password`. */
const STEPS = /(?!^)[./:](?=.)/g
/** Names without meaning for the value: `{"password": {"value": "…"}}`. */
export const GENERIC_NAMES =
  'value|values|val|text|data|content|string|str|plain|plaintext|raw|current|new|old|previous|default|secret|item|items'
const GENERIC = new RegExp(`^(?:${GENERIC_NAMES})$`, 'i')
/** Names that label a secret. */
const LABELLING = /pass|pwd|secret|token|key|cred|auth|sess/i

/** Before an option or path: `--token`. */
const DASHES = /^(?:--?|\/)(?=[A-Za-z])/

/** In tool arguments every value is its own text, and the member's name is its label: `{"password": "…"}`. */
export function memberContext(view: TextView): string {
  if (view.offset !== 0 || view.before !== '' || !CHANNELS.has(view.channel)) return ''
  const { member, beside } = view
  if (beside !== undefined && LABELLING.test(beside)) {
    const label = labelOf(beside.replace(DASHES, ''))
    if (label !== '') return label
  }
  if (member === undefined) return ''
  return labelOf(GENERIC.test(member) ? (nearest(view.within) ?? member) : member)
}

function labelOf(name: string): string {
  const plain = name.replace(STEPS, '_')
  return LABEL.test(plain) ? `${plain}: ` : ''
}

/** The nearest meaningful name, if it labels a secret. */
function nearest(names: TextView['within']): string | undefined {
  const name = names?.find((one) => !GENERIC.test(one))
  return name !== undefined && LABELLING.test(name) ? name : undefined
}
