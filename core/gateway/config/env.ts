// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to the environment look like this.
import { placed, type Segment } from '../../engine/config/paths.ts'
import type { Problem } from '../../engine/config/report.ts'

export type Env = Readonly<Record<string, string | undefined>>

/**
 * `${NAME}` is not valid YAML inside `{ … }`, where braces are syntax. So before parsing, the characters of each
 * reference are shifted to the private use area, which keeps all positions, and restored in the parsed strings.
 */
const SHIFT = 0xe000
/** A reference, or what is left of one without its closing brace. */
const ENCODED = /\ue024(?:\ue024)?\ue07b[^\ue07d]*\ue07d|\$?\$\{/g

const shift = (text: string): string =>
  text.replace(/[\0-\x7f]/g, (char) => String.fromCharCode(SHIFT + char.charCodeAt(0)))
const unshift = (text: string): string =>
  text.replace(/[\ue000-\ue07f]/g, (char) => String.fromCharCode(char.charCodeAt(0) - SHIFT))

export const protectReferences = (yaml: string): string => yaml.replace(/\$?\$\{[^}\n]*\}/g, shift)
/** Restores the file's text, for messages. */
export const restoreReferences = unshift

const MALFORMED = /(?<!\$)\$\{(?![A-Za-z_]\w*(?::-[^}\n]*)?\})/

/** What is wrong with a `${` that begins no reference. */
export const NO_REFERENCE =
  'has a ${ that begins no reference to the environment: write ${NAME}, ${NAME:-default}, or $${ for the text itself'

/** Position of the first such `${` outside of lines that are comments, or -1. */
export const malformedReference = (yaml: string): number =>
  yaml.replace(/^\s*#.*$/gm, (comment) => ' '.repeat(comment.length)).search(MALFORMED)

export interface Expanded {
  data: unknown
  /** JSON Pointers of values with text from the environment, which may still become numbers or booleans. */
  fromEnv: Set<string>
  problems: Omit<Problem, 'line'>[]
}

/** A copy of `data` with every `${NAME}` and `${NAME:-default}` replaced; `$${NAME}` yields a literal `${NAME}`. */
export function expandReferences(data: unknown, env: Env): Expanded {
  const expanded: Expanded = { data: undefined, fromEnv: new Set(), problems: [] }
  expanded.data = copy(data, [], '', env, expanded)
  return expanded
}

function copy(value: unknown, path: readonly Segment[], pointer: string, env: Env, out: Expanded): unknown {
  if (typeof value === 'string') return expandText(value, path, pointer, env, out)
  if (Array.isArray(value)) return value.map((item, i) => copy(item, [...path, i], `${pointer}/${i}`, env, out))
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [encoded, member] of Object.entries(value)) {
    const name = unshift(encoded)
    if (name === '__proto__') {
      out.problems.push(placed([...path, name], 'is not allowed as a key'))
      continue
    }
    const segment = name.replaceAll('~', '~0').replaceAll('/', '~1')
    result[name] = copy(member, [...path, name], `${pointer}/${segment}`, env, out)
  }
  return result
}

function expandText(text: string, path: readonly Segment[], pointer: string, env: Env, out: Expanded): string {
  return text.replace(ENCODED, (encoded) => {
    const reference = unshift(encoded)
    if (reference.startsWith('$$')) return reference.slice(1)
    const [, name, fallback] = /^\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?\}$/s.exec(reference) ?? []
    if (name === undefined) {
      out.problems.push(placed(path, NO_REFERENCE))
      return reference
    }
    out.fromEnv.add(pointer)
    const value = env[name] || fallback
    if (value !== undefined) return value
    const message = `the environment variable ${name} is not set: set it, or write \${${name}:-default}`
    out.problems.push(placed(path, message))
    return reference
  })
}
