import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { globProblem, limitsModel, matchesGlob } from '../../../../core/engine/util/glob.ts'
import { suggest } from '../../../../core/engine/util/suggest.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { costOf } from '../../../helpers/thread-time.ts'

it('matches like the regular expression with .* for each star', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-'), maxLength: 8 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '-', '*'), maxLength: 6 })
  fc.assert(
    fc.property(pattern, text, (glob, value) => {
      const expected = new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(value)
      assert.equal(matchesGlob(glob, value), expected, `${glob} ${value}`)
    }),
    { numRuns: rounds(2000) },
  )
})

it('takes special characters literally', () => {
  assert.ok(matchesGlob('a.b/c+*', 'a.b/c+d'))
  assert.ok(!matchesGlob('a.b*', 'axb'))
})

it('stays fast on hostile patterns', () => {
  // Backtracking would take years.
  assert.ok(costOf(() => matchesGlob('*a'.repeat(127), `${'a'.repeat(100_000)}b`)) < 2_000)
})

it('explains wildcards that are not', () => {
  assert.equal(globProblem('gpt-*'), undefined)
  assert.match(globProblem('gpt-?')!, /only \* is a wildcard/)
  assert.match(globProblem('')!, /empty/)
  assert.match(globProblem('a'.repeat(300))!, /at most 256/)
})

it('suggests the nearest name only when it is near', () => {
  assert.equal(suggest('prot', ['host', 'port', 'plugins']), 'port')
  assert.equal(suggest('Clasification', ['classification']), 'classification')
  assert.equal(suggest('x', ['port']), undefined)
  assert.equal(suggest('telemetry', ['secrets', 'policy']), undefined)
})

it('holds for a model in any case of letters', () => {
  assert.ok(limitsModel('Vendor/GPT-*', 'vendor/gpt-4o') && limitsModel('vendor/gpt-4o', 'VENDOR/Gpt-4O'))
  assert.ok(!limitsModel('gpt-4o', 'gpt-4o-mini'))
})
