import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DIRECT, evaluate, type Rounds, table } from './report.ts'
import type { Sample, Scenario } from './scenarios/scenario.ts'
import { quantile, shuffler, spread } from './stats.ts'
import { parseSubjects } from './targets.ts'

const SCENARIO: Scenario = {
  name: 'made-up',
  title: 'Made-up figure',
  unit: 'µs',
  rounds: { full: 3, quick: 3 },
  generations: { full: 1, quick: 1 },
  fresh: false,
  direct: false,
  limits: { none: { ratio: 1.4 }, default: { ratio: 2 }, rules: { ratio: 3 } },
  warm: async () => {},
  measure: async () => ({ value: 0, details: {} }),
}

const SUBJECTS = parseSubjects('passthrough,none,default')

function rounds(values: Record<string, (number | undefined)[]>, details: Record<string, number> = {}): Rounds {
  const samples = new Map<string, (Sample | undefined)[]>()
  for (const [name, list] of Object.entries(values)) {
    samples.set(
      name,
      list.map((value) => (value === undefined ? undefined : { value, details })),
    )
  }
  return { reference: 'passthrough', samples, errors: new Map() }
}

describe('the report of the bench', () => {
  it('compares each round with the passthrough of the same round', () => {
    // Every second round on a machine twice as slow: the ratios do not show it.
    const result = evaluate(
      SCENARIO,
      SUBJECTS,
      rounds({ passthrough: [10, 20, 10], none: [13, 26, 14], default: [21, 42, 21] }),
    )
    const [reference, none, all] = result.subjects
    assert.equal(reference!.ratio, undefined)
    assert.deepEqual(none!.ratios, [1.3, 1.3, 1.4])
    assert.equal(none!.ratio!.median, 1.3)
    assert.deepEqual([reference!.verdict, none!.verdict, all!.verdict], ['', 'pass', 'FAIL'])
    assert.match(table(result), /\| default .*\| 2\.10 .*\| ≤ 2\.0 *\| FAIL/)
  })

  it('compares what is added to the direct way where there is one', () => {
    const figures = { [DIRECT]: [1, 2], passthrough: [3, 4], none: [4, 5], default: [5, 6] }
    const result = evaluate({ ...SCENARIO, direct: true }, SUBJECTS, rounds(figures))
    assert.deepEqual(
      result.subjects.map((one) => one.ratio?.median),
      [undefined, undefined, 1.5, 2],
    )
  })

  it('judges absolute bounds', () => {
    const limits = { none: { details: { freedMs: 1000 } }, default: { details: { freedMs: 100 } }, rules: {} }
    const made = rounds({ passthrough: [1], none: [1], default: [1] }, { freedMs: 500 })
    const result = evaluate({ ...SCENARIO, limits }, SUBJECTS, made)
    assert.deepEqual(
      result.subjects.map((one) => one.verdict),
      ['', 'pass', 'FAIL'],
    )
  })

  it('says that a subject failed, and never passes it', () => {
    const made = rounds({ passthrough: [1, 1], none: [1, undefined], default: [] })
    made.errors.set('none', 'the counts differ')
    const result = evaluate(SCENARIO, SUBJECTS, made)
    assert.deepEqual(
      result.subjects.map((one) => one.verdict),
      ['', 'error', 'FAIL'],
    )
    assert.match(table(result), /^none: the counts differ$/m)
  })

  it('names repeated subjects and refuses unknown ones', () => {
    const names = parseSubjects('passthrough,passthrough,with:pii+budget').map((one) => one.name)
    assert.deepEqual(names, ['passthrough', 'passthrough#2', 'with:pii+budget'])
    assert.throws(() => parseSubjects('nginx'), /unknown subject "nginx": use passthrough/)
  })

  it('has the usual order statistics', () => {
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5)
    assert.equal(quantile([7], 0.99), 7)
    assert.ok(Number.isNaN(quantile([], 0.5)))
    assert.deepEqual(spread([3, 1, 2]), { median: 2, min: 1, max: 3, q1: 1.5, q3: 2.5 })
  })

  it('shuffles by seed alone', () => {
    const items = [1, 2, 3, 4, 5, 6]
    assert.deepEqual(shuffler(5)(items), shuffler(5)(items))
    const shuffle = shuffler(5)
    const orders = new Set(Array.from({ length: 50 }, () => shuffle(items).join()))
    assert.ok(orders.size > 20)
    assert.deepEqual(shuffle(items).toSorted(), items)
  })
})
