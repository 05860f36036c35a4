import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Action } from '../../../../core/engine/contract/plugin.ts'
import { applyRewrites } from '../../../../core/engine/text/field-view.ts'
import { readFinding } from '../../../../core/engine/text/finding.ts'
import { mergeInSteps, type Report, rewrites } from '../../../../core/engine/text/findings.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import { rounds } from '../../../helpers/rounds.ts'

const TEXT = 'abcdefghijklmnopqrstuvwxyz0123456789'
const textOf = (start: number, end: number) => TEXT.slice(start, end)

const report = (start: number, end: number, action: Action, more: Partial<Report> = {}): Report => ({
  plugin: 'p',
  type: 'thing',
  action,
  start,
  end,
  reason: undefined,
  replace: undefined,
  continued: false,
  restore: false,
  ...more,
})
const restore = (start: number, end: number, value: string): Report =>
  report(start, end, 'detect', { restore: true, replace: value })
const merge = (...args: Parameters<typeof mergeInSteps>) => allSteps(mergeInSteps(...args))
const shown = (reports: Report[]) =>
  merge(reports, textOf).map(({ start, end, text, action }) => [start, end, text, action])

const anyReport = fc
  .record({
    start: fc.nat({ max: 30 }),
    length: fc.integer({ min: 1, max: 6 }),
    action: fc.constantFrom<Action[]>('detect', 'tokenize', 'redact', 'block'),
    restore: fc.constantFrom(false, false, false, true),
    type: fc.constantFrom('a', 'b'),
  })
  .map(({ start, length, action, ...more }) =>
    report(start, start + length, more.restore ? 'detect' : action, {
      ...more,
      replace: more.restore ? '<value>' : action === 'tokenize' ? (text: string) => `<token of ${text}>` : undefined,
    }),
  )

describe('a finding', () => {
  const read = (type: unknown) => readFinding({ name: 'mine' } as never, { type: type as string, start: 0, end: 1 })

  it('has a type in snake_case', () => {
    for (const type of ['a', 'email', 'us_ssn2', 'x'.repeat(128)]) assert.equal(read(type).type, type)
  })

  it('has no text of the view as type, which events and answers would tell', () => {
    for (const type of ['ann@example.com', 'Two Words', 'a\nb', '', '4111', 'E-Mail', 'x'.repeat(129), 7, undefined]) {
      assert.throws(() => read(type), {
        code: 'GW_PLUGIN_CONTRACT',
        message: 'Plugin mine reported a finding whose type is not snake_case of at most 128 characters.',
      })
    }
  })
})

describe('merge', () => {
  it('takes the union of what overlaps, with the strongest action', () => {
    assert.deepEqual(shown([report(2, 6, 'redact', { type: 'a' }), report(4, 9, 'block', { type: 'b' })]), [
      [2, 9, '[B]', 'block'],
    ])
    assert.deepEqual(shown([report(2, 6, 'redact'), report(0, 20, 'tokenize'), report(19, 22, 'tokenize')]), [
      [0, 22, '[THING]', 'redact'],
    ])
  })

  it('keeps apart what only touches', () => {
    assert.deepEqual(shown([report(2, 4, 'redact'), report(4, 6, 'redact')]), [
      [2, 4, '[THING]', 'redact'],
      [4, 6, '[THING]', 'redact'],
    ])
  })

  it('never widens a rewrite by a detection', () => {
    assert.deepEqual(shown([report(2, 4, 'redact'), report(0, 9, 'detect')]), [[2, 4, '[THING]', 'redact']])
    assert.deepEqual(shown([report(0, 9, 'detect')]), [])
  })

  it('tokenises a finding that stands alone, and only that', () => {
    const replace = (text: string) => `<${text}>`
    assert.deepEqual(shown([report(0, 3, 'tokenize', { replace })]), [[0, 3, '<abc>', 'tokenize']])
    assert.deepEqual(
      shown([report(0, 3, 'tokenize', { replace }), report(0, 3, 'tokenize', { replace, plugin: 'q' })]),
      [[0, 3, '<abc>', 'tokenize']],
    )
    for (const other of [
      report(1, 2, 'tokenize', { replace }),
      report(2, 5, 'tokenize', { replace }),
      report(0, 3, 'redact'),
    ]) {
      const [merged] = merge([report(0, 3, 'tokenize', { replace }), other], textOf)
      assert.equal(merged?.action, 'redact')
      assert.doesNotMatch(merged?.text ?? '', /</)
    }
  })

  it('restores where nothing else was found', () => {
    assert.deepEqual(shown([restore(2, 5, 'value')]), [[2, 5, 'value', undefined]])
    for (const action of ['tokenize', 'redact', 'block'] as const) {
      assert.deepEqual(shown([restore(2, 5, 'value'), report(4, 6, action)]), [[4, 6, '[THING]', action]])
    }
    assert.deepEqual(shown([restore(2, 5, 'value'), report(4, 6, 'detect')]), [[2, 5, 'value', undefined]])
  })

  it('calls a replacement once, with the text of the union', () => {
    const seen: string[] = []
    const replace = (text: string) => {
      seen.push(text)
      return '*'
    }
    shown([report(2, 6, 'redact', { replace }), report(4, 9, 'redact', { type: 'b' })])
    assert.deepEqual(seen, ['cdefghi'])
  })

  it('leaves nothing of a rewritten span in clear and nothing else changed', () => {
    fc.assert(
      fc.property(fc.array(anyReport, { maxLength: 8 }), (reports) => {
        const merged = merge(reports, textOf)
        const hidden = new Set<number>()
        for (const one of reports) {
          if (one.restore || !rewrites(one)) continue
          for (let i = one.start; i < one.end; i++) hidden.add(i)
        }
        const covered = new Set<number>()
        let before = 0
        for (const { start, end, action, text } of merged) {
          assert.ok(start >= before && end > start, 'in order, apart')
          before = end
          for (let i = start; i < end; i++) covered.add(i)
          const group = reports.filter((one) => !one.restore && rewrites(one) && one.start < end && one.end > start)
          if (action === undefined) {
            assert.equal(group.length, 0, 'a restored token overlaps nothing')
            continue
          }
          const strongest = Math.max(
            ...group.map((one) => ['detect', 'tokenize', 'redact', 'block'].indexOf(one.action)),
          )
          const single = group.every((one) => one.start === start && one.end === end)
          assert.equal(action, strongest === 1 && !single ? 'redact' : ['', 'tokenize', 'redact', 'block'][strongest])
          if (action !== 'tokenize') assert.ok(!text.includes('token'))
        }
        for (const i of hidden) assert.ok(covered.has(i))
        for (const i of covered)
          if (!hidden.has(i)) assert.ok(reports.some((one) => one.restore && one.start <= i && i < one.end))
        const out = applyRewrites(TEXT, merged)
        const kept = [...TEXT].filter((_, i) => !covered.has(i)).join('')
        const marks = /\[[A-Z]\]|<value>|<token of [a-z0-9]*>/g
        assert.equal(out.replace(marks, ''), kept)
        assert.deepEqual(
          merge([...reports].reverse(), textOf).map(({ start, end, action }) => [start, end, action]),
          merged.map(({ start, end, action }) => [start, end, action]),
        )
      }),
      { numRuns: rounds(1000) },
    )
  })
})
