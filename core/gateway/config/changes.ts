/** Differences between two configs as paths such as `keys.app.models`, never values. */
import { isDeepStrictEqual } from 'node:util'
import { isShownName } from '../../engine/util/outside.ts'

export type Changes = {
  readonly added: string[]
  readonly removed: string[]
  readonly changed: string[]
}

/** Maximum depth of a path: `plugins.budget.limits.team_usd_day`. */
const DEEPEST = 4
const MOST = 100
const LONGEST = 200

export function changesOf(previous: object, next: object): Changes {
  const changes: Changes = { added: [], removed: [], changed: [] }
  compare('', previous, next, 0, changes)
  return changes
}

function compare(path: string, before: unknown, after: unknown, depth: number, out: Changes): void {
  if (isDeepStrictEqual(before, after)) return
  const [was, is] = [before, after].map((value) => membersOf(value, path.startsWith('plugins.')))
  if (was === undefined || is === undefined || depth === DEEPEST) return note(out.changed, path)
  const known = out.added.length + out.removed.length + out.changed.length
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const inner = path === '' ? name : `${path}.${name}`
    if (was.get(name) === undefined) note(out.added, inner, is.get(name))
    else if (is.get(name) === undefined) note(out.removed, inner, was.get(name))
    else compare(inner, was.get(name), is.get(name), depth + 1, out)
  }
  // Only the order changed, or parts without a name.
  if (known === out.added.length + out.removed.length + out.changed.length) note(out.changed, path)
}

/** Reports an added or removed section by the names inside it. */
function note(list: string[], path: string, section?: unknown): void {
  const names = path.includes('.') ? undefined : membersOf(section)
  for (const one of names === undefined || names.size === 0 ? [path] : [...names.keys()].map((n) => `${path}.${n}`)) {
    if (list.length < MOST) list.push(one.slice(0, LONGEST))
  }
}

/** Members by name; list entries by their `id`, `name` or `use`. A plugin's options appear beside its entry. */
function membersOf(value: unknown, isOption = false): Map<string, unknown> | undefined {
  if (Array.isArray(value)) return recordsOf(value, isOption)
  if (typeof value !== 'object' || value === null) return undefined
  const { options, ...others } = value as Record<string, unknown>
  const inner = 'use' in value && typeof options === 'object' ? options : { options }
  return new Map(Object.entries({ ...others, ...inner }).filter(([, one]) => one !== undefined))
}

/** A name in a plugin's options may be of any kind, even a value from the environment. */
function recordsOf(list: readonly unknown[], isOption: boolean): Map<string, unknown> | undefined {
  const members = new Map<string, unknown>()
  for (const one of list) {
    const { id, name, use } = (one ?? {}) as Record<string, unknown>
    const label = [id, name, use].find((text) => typeof text === 'string') as string | undefined
    if (label === undefined || members.has(label) || (isOption && !isShownName(label))) return undefined
    members.set(label, one)
  }
  return members
}
