import { createHash } from 'node:crypto'
import type { GovernanceEvent } from 'governed-gateway'
import { detectionsOf } from '../card.ts'

/** Events of one type, key and reason: only the first alerts. */
export interface Group {
  readonly id: string
  readonly type: string
  readonly key: string | null
  readonly reason: string
}

const MAX_REASON = 200
/** Separate numbers and times. Keeps numbers in names (`limit_2`) and percentages, which distinguish groups. */
const AMOUNT = /(?<![\w-])\d(?![\d.,:TZ-]* ?%)[\d.,:TZ-]*/g

export function groupOf(event: GovernanceEvent): Group {
  const key = textOf(event.key_id) ?? textOf(event.source_ip) ?? null
  const reason = (reasonOf(event) ?? '').slice(0, MAX_REASON).toWellFormed()
  return { id: groupId(event.type, key, reason), type: event.type, key, reason }
}

export function groupId(type: string, key: string | null, reason: string): string {
  // Amounts, times and places differ between events of a group: `messages[4].content` is the next turn of `[2]`.
  const same = JSON.stringify([type, key, reason.replace(AMOUNT, '#').replace(/\[[\d#]+\]/g, '[]')])
  return createHash('sha256').update(same).digest('base64url').slice(0, 16)
}

/** The reason, without counts and other values that differ within a group. */
function reasonOf(event: GovernanceEvent): string | undefined {
  const said = textOf(event.reason)
  if (said !== undefined) return said
  const found = detectionsOf(event)
  if (found.length > 0) return [...new Set(found.map(({ type }) => type))].sort().join(', ')
  const parts = KINDS.flatMap((name) => textOf(event[name]) ?? [])
  return parts.length > 0 ? parts.join(', ') : undefined
}

const KINDS = ['policy', 'plugin', 'hook', 'flag', 'code', 'error', 'scope', 'threshold', 'destination']

const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
