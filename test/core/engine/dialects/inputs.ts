/** What holds for requests with inputs in every API that has them: completions, embeddings and moderations. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GovernanceEvent } from '../../../../core/engine/contract/plugin.ts'
import { type Plugin, word } from '../../../helpers/core.ts'
import type { Owner } from '../../../helpers/gateway.ts'

export const WORD = 'anna.berg@example.com'
export const redacts = word(WORD)

interface Answered {
  readonly status: number
  readonly got: { readonly error?: { readonly code: string; readonly param: string | null } }
  readonly sent: object | undefined
  readonly request: unknown
  readonly events: readonly GovernanceEvent[]
}
type Asked = (t: Owner, plugins: readonly Plugin[], body: object) => Promise<Answered>

export function blocksFindings(asked: Asked, cases: readonly (readonly [name: string, body: object])[]): void {
  for (const [name, body] of cases)
    it(`blocked by a finding in ${name}`, async (t) => {
      const { status, got, request, events } = await asked(t, [word(WORD, 'block')], body)
      assert.deepEqual([status, got.error?.code, request], [403, 'permission_denied', undefined])
      assert.ok(events.some(({ type }) => type === 'request.blocked'))
    })
}

export function refuses(asked: Asked, cases: readonly (readonly [name: string, body: object, param: string])[]): void {
  for (const [name, body, param] of cases)
    it(`refused with ${name}`, async (t) => {
      const { status, got, request } = await asked(t, [redacts], body)
      assert.deepEqual([status, got.error?.param, request], [400, param, undefined])
    })
}

export function takesMany(asked: Asked, member: 'input' | 'prompt'): void {
  it('read and redacted in turns, where there are many', async (t) => {
    const inputs = [...Array.from({ length: 2000 }, (_, i) => `${'text '.repeat(20)}${i}`), `Ask ${WORD}!`]
    const { status, sent } = await asked(t, [redacts], { [member]: inputs })
    assert.deepEqual(
      [status, (sent as Record<string, unknown>)[member]],
      [200, [...inputs.slice(0, -1), 'Ask [WORD]!']],
    )
  })
}
