import type { TextView } from 'governed-gateway'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result', 'user'])
const MAX_LABEL = 41
const LABEL = /^[\p{L}_][\p{L}\w-]{1,40}(?: [\p{L}\w-]{1,20}){0,2}$/u
/** `spring.datasource.password`, `/prod/db/password`. */
const STEPS = /(?!^)[./:](?=.)/g
/** Names without meaning for the value: `{"password": {"value": "…"}}`. */
export const GENERIC_NAMES =
  'value|values|val|text|data|content|string|str|plain|plaintext|raw|current|new|old|previous|default|secret|item|items'
const GENERIC = new RegExp(`^(?:${GENERIC_NAMES})$`, 'i')
/** Names that label a secret. */
const LABELLING = /pass|pwd|(?:^|[_-])pw$|secret|token|key|cred|auth|sess/i

/** Names of containers whose members are secrets by any name: `{"api_keys": {"stripe": "…"}}`. */
const CONTAINER =
  /(?:^|[a-z_-])(?:secrets|tokens|passwords|credentials|creds|(?:api|access|secret|private)[_-]?keys)$|^keys$/i
/** Members of such a container that are none. */
const NO_SECRET =
  'id ids name type kind hash url uri date at on by scope scopes user username email issuer version provider region status path file count ' +
  'limit algorithm alg expiry expires host'
const PLAIN_NAME = new RegExp(`(?:^|[_.-])(?:${NO_SECRET.replaceAll(' ', '|')})$`, 'i')
const CAMEL_NAME = new RegExp(
  `[a-z](?:${NO_SECRET.replace(/\b[a-z]/g, (sign) => sign.toUpperCase()).replaceAll(' ', '|')})$`,
)
export const isBesideSecrets = (name: string): boolean => PLAIN_NAME.test(name) || CAMEL_NAME.test(name)
/** Members that say what they are only together with the name of their container. */
const BARE = /^(?:key|auth)$/i

/** Too short for a label in other texts. */
const SHORT = /^(?:user|db|admin|root)?[_-]?pw$/i

/** Before an option or path: `--token`. */
const DASHES = /^(?:--?|\/)(?=[A-Za-z])/
/** Of a control: `#password`, `input[name="password"]`, `Password field`. */
const CONTROL = /[\s_-]?(?:field|input|box|text ?box)$/i
const LAST_NAME = /(?<=^\S*)[\p{L}_][\p{L}\w-]*(?=(?:[^\p{L}\w\s-][^\p{L}\w\s]*)?$)/u

/** In tool arguments every value is its own text, and the member's name is its label: `{"password": "…"}`. */
export function memberContext(view: TextView): string {
  if (view.offset !== 0 || view.before !== '' || !CHANNELS.has(view.channel)) return ''
  const { member, beside } = view
  const isGeneric = member === undefined || GENERIC.test(member) || !LABELLING.test(member)
  if (isGeneric && beside !== undefined && LABELLING.test(beside)) {
    const name = beside.replace(DASHES, '').replace(CONTROL, '')
    const label = labelOf(name) || labelOf(LAST_NAME.exec(name)?.[0] ?? '')
    if (label !== '') return label
  }
  if (member === undefined) return ''
  const [container] = view.within ?? []
  if (container !== undefined && LABELLING.test(container)) {
    if (BARE.test(member)) return labelOf(`${container}_${member}`)
    if (CONTAINER.test(container) && !LABELLING.test(member) && !isBesideSecrets(member)) return labelOf(container)
  }
  return labelOf(GENERIC.test(member) ? (nearest(view.within) ?? member) : member)
}

/** The end of a long name says what it is: `TAP_SHOP_CONFIG_CREDENTIALS_ACCESS_TOKEN`. */
const lastParts = (name: string): string =>
  name.length <= MAX_LABEL ? name : name.slice(-MAX_LABEL).replace(/^[^_-]*[_-]+/, '')

function labelOf(name: string): string {
  if (SHORT.test(name)) return 'password: '
  const plain = lastParts(name.replace(STEPS, '_'))
  return LABEL.test(plain) ? `${plain}: ` : ''
}

/** The nearest meaningful name, if it labels a secret. */
function nearest(names: TextView['within']): string | undefined {
  const name = names?.find((one) => !GENERIC.test(one))
  return name !== undefined && LABELLING.test(name) ? name : undefined
}
