/** Valid config that is probably a mistake: `check` reports it, a start ignores it. */
import { expiryTime } from '../../engine/access/keyring.ts'
import { placed, type Segment } from '../../engine/config/paths.ts'
import type { Problem } from '../../engine/config/report.ts'

/** The whole value, or between delimiters of urls and headers. A `$` inside a word is not a reference. */
const LIKE_REFERENCE = /^\$[A-Za-z_]\w*$|(?:^|[\s/:@=])\$[A-Z][A-Z0-9_]{2,}(?=$|[\s/:@?&])/

/** `data` may be invalid. */
export function configWarnings(data: unknown, fromEnv: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = []
  const { keys } = (data ?? {}) as { keys?: unknown }
  for (const [i, key] of Array.isArray(keys) ? keys.entries() : []) {
    const expires = (key as { expires?: unknown } | null)?.expires
    if (typeof expires !== 'string' || !(expiryTime(expires) <= Date.now())) continue
    problems.push({ path: `keys[${i}].expires`, message: `expired on ${expires}: requests with this key get 401` })
  }
  unresolved(data, [], '', fromEnv, problems)
  return problems
}

/** Never shows the value: it may be a secret. */
function unresolved(
  value: unknown,
  path: readonly Segment[],
  pointer: string,
  fromEnv: ReadonlySet<string>,
  problems: Problem[],
): void {
  if (typeof value === 'string') {
    if (fromEnv.has(pointer) || !LIKE_REFERENCE.test(value)) return
    const message = `looks like a reference to the environment, but is used as it is: write \${NAME}`
    problems.push(placed(path, message))
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    const segment = Array.isArray(value) ? Number(name) : name
    const at = [...path, segment]
    if (name.includes('${')) {
      const message = 'names of members are used as they are: references to the environment work in values only'
      problems.push(placed(at, message))
    }
    unresolved(member, at, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, fromEnv, problems)
  }
}
