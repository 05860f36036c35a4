/** All places of a JSON value where something else can be put. */
import assert from 'node:assert/strict'
import { GatewayError } from '../../core/engine/contract/errors.ts'
import type { Json } from '../../core/engine/contract/plugin.ts'
import { some } from './rounds.ts'

/** Puts a value in one place and gives the whole. */
export type Put = (inner: Json) => Json

/** One for each value within `value`, itself first, and one for an extra member of each object. */
export function placesOf(value: Json, put: Put = (inner) => inner): Put[] {
  const out: Put[] = [put]
  if (typeof value !== 'object' || value === null) return out
  if (!Array.isArray(value)) out.push((inner) => put({ ...value, 'an extra one': inner }))
  for (const [key, inner] of Object.entries(value)) {
    const putInner: Put = (other) =>
      put(Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other })
    out.push(...placesOf(inner, putInner))
  }
  return out
}

export const HIDDEN = 'a hidden text'

/** What has the shape of nothing that may go unseen, though some of it is made to look like an id, a date or media. */
const HIDDEN_VALUES: readonly string[] = [
  HIDDEN,
  '4111111111111111',
  'call_4111111111111111',
  'chatcmpl-4111-1111-1111-1111',
  '41111111-1111-1111-1111-111111111111',
  '41111111111111111111111111111111',
  'fp_4111111111111',
  'gpt-4-4111111111111111',
  'AKIAQ3EGRIXTNO5ZKLPV',
  'call_AKIAQ3EGRIXTNO5ZKLPV',
  'sk-proj-Q3EGRIXTNO5ZKLPVw9',
  'ghp_Q3EGRIXTNO5ZKLPVQ3EGRIXTNO5ZKLPV0000',
  'jo@example.org',
  'data:image/png;name=4111111111111111;base64,iVBORw0KGgoAAAANSUhEUg',
  `data:text/plain;base64,${Buffer.from('My card is 4111 1111 1111 1111. '.repeat(4)).toString('base64')}`,
  'MyCardIs4111111111111111AndNobodyLooksAtWhatIsLongAndHasNoBlanks'.repeat(9),
]

/** A text in every disguise: alone, as a name, in a list, deep inside. */
const HIDDEN_FORMS: readonly { readonly hidden: string; readonly value: Json }[] = HIDDEN_VALUES.flatMap((hidden) =>
  [hidden, { [hidden]: 1 }, [hidden], [{ x: { y: hidden } }]].map((value) => ({ hidden, value })),
)

/** For one of many places; in the fast run every seventh, others at the next place. */
export const hiddenForms = (row: number) => some(HIDDEN_FORMS, 7, row)

/** Any text put anywhere is found, or what holds it is refused. How many were found. */
export function assertSeenAnywhere(puts: readonly Put[], fields: (whole: object) => readonly string[]): number {
  let accepted = 0
  for (const [row, put] of puts.entries()) {
    for (const { hidden, value } of hiddenForms(row)) {
      const whole = put(value) as object
      let found: readonly string[]
      try {
        found = fields(whole)
      } catch (error) {
        assert.ok(error instanceof GatewayError, String(error))
        continue
      }
      accepted++
      assert.ok(
        found.some((field) => field.endsWith(` ${hidden}`)),
        JSON.stringify(whole),
      )
    }
  }
  return accepted
}
