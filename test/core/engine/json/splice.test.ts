import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  type Edit,
  encodeInSteps,
  headAndTailInSteps,
  rangeOf,
  splice,
  valueAt,
} from '../../../../core/engine/json/splice.ts'
import type { Path } from '../../../../core/engine/json/strict.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import { rounds } from '../../../helpers/rounds.ts'

/** A value as it is spelled, with what shall become of it. */
interface Node {
  kind: 'scalar' | 'array' | 'object'
  /** Of a scalar. */
  text: string
  entries: Entry[]
  replace: string | undefined
  /** Members to insert into an object, elements to put in front of an array. */
  adds: string[]
}
interface Entry {
  /** The name as spelled. */
  key: string
  /** White space around it. */
  gap: string
  value: Node
  remove: boolean
  rename: string | undefined
}

const gap = fc.constantFrom('', '', '', ' ', '\n', '\t \r\n')
const scalar = fc.constantFrom(
  '1',
  '-0.10e+5',
  '12345678901234567890',
  'true',
  'null',
  '""',
  '"a,b]}{["',
  '"\\"\\\\"',
  '"\\u00e9é"',
  '"x:1"',
)
const KEYS = ['"a"', '"b"', '"\\u0063"', '"d\\"e"', '"f\\\\"', '"é,:"', '""', '"new"', '"[X]"']
const replace = fc.constantFrom(undefined, undefined, undefined, '"[R]"', '{}')
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({ text: scalar, replace }).map((own) => ({ ...own, kind: 'scalar' as const, entries: [], adds: [] })),
    fc
      .record({
        kind: fc.constantFrom('array' as const, 'object' as const, 'object' as const),
        keys: fc.shuffledSubarray(KEYS, { maxLength: 4 }),
        entries: fc.array(
          fc.record({
            gap,
            value: tie('node'),
            remove: fc.constantFrom(false, false, true),
            rename: fc.constantFrom(undefined, undefined, undefined, 'new', '[X]'),
          }),
          { maxLength: 4 },
        ),
        replace,
        adds: fc.constantFrom<string[][]>([], [], ['1'], ['2', '"x"']),
      })
      .map(({ keys, entries, ...rest }) => ({
        ...rest,
        text: '',
        entries: entries
          .slice(0, rest.kind === 'object' ? keys.length : 4)
          .map((entry, i) => ({ ...entry, key: keys[i] ?? '""' })),
      })),
  ),
}))

function spell({ kind, text, entries }: Node): string {
  if (kind === 'scalar') return text
  const inner = entries.map(
    ({ key, gap: g, value }) => `${g}${kind === 'object' ? `${key}${g}:${g}` : ''}${spell(value)}${g}`,
  )
  return kind === 'array' ? `[${inner.join(',')}]` : `{${inner.join(',')}}`
}

function editsOf(node: Node, path: Path, out: Edit[]): Edit[] {
  if (node.replace !== undefined) out.push({ kind: 'replace', path, json: node.replace })
  if (node.kind === 'scalar') return out
  for (const [i, json] of node.adds.entries()) {
    out.push(
      node.kind === 'array' ? { kind: 'prepend', path, json } : { kind: 'insert', path, name: `added${i}`, json },
    )
  }
  for (const [i, { key, value, remove, rename }] of node.entries.entries()) {
    const below = [...path, node.kind === 'array' ? i : (JSON.parse(key) as string)]
    if (remove) out.push({ kind: 'remove', path: below })
    if (rename !== undefined && node.kind === 'object') out.push({ kind: 'rename', path: below, name: rename })
    editsOf(value, below, out)
  }
  return out
}

/** What the edits make of it, without white space. */
function expected({ kind, text, entries, replace, adds }: Node): string {
  if (replace !== undefined) return replace
  if (kind === 'scalar') return text
  const kept = entries.filter(({ remove }) => !remove)
  if (kind === 'array') return `[${[...adds, ...kept.map(({ value }) => expected(value))].join(',')}]`
  const used = new Set(kept.filter(({ rename }) => rename === undefined).map(({ key }) => JSON.parse(key) as string))
  for (const i of adds.keys()) used.add(`added${i}`)
  const members = kept.map(({ key, value, rename }) => {
    if (rename === undefined) return `${key}:${expected(value)}`
    let name = rename
    for (let i = 2; used.has(name); i++) name = `${rename}_${i}`
    used.add(name)
    return `${JSON.stringify(name)}:${expected(value)}`
  })
  return `{${[...members, ...adds.map((json, i) => `"added${i}":${json}`)].join(',')}}`
}

const withoutSpace = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_all, string?: string) => string ?? '')

describe('splice', () => {
  it('does what the edits say and leaves every other spelling alone', () => {
    fc.assert(
      fc.property(node, fc.boolean(), (root, reverse) => {
        const text = `\n ${spell(root)} `
        JSON.parse(text)
        const edits = editsOf(root, [], [])
        if (reverse) edits.reverse()
        // Additions to one container keep the order they are given in.
        const ordered = reverse ? edits.filter((e) => e.kind !== 'insert' && e.kind !== 'prepend') : edits
        const adds = reverse ? edits.filter((e) => e.kind === 'insert' || e.kind === 'prepend').reverse() : []
        const spliced = splice(text, [...ordered, ...adds])
        JSON.parse(spliced)
        assert.equal(withoutSpace(spliced), expected(root))
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('keeps every byte outside of a replaced value', () => {
    fc.assert(
      fc.property(node, fc.nat(), (root, pick) => {
        const text = `  ${spell(root)}\n`
        const paths: Path[] = []
        const collect = ({ kind, entries }: Node, path: Path) => {
          paths.push(path)
          if (kind === 'scalar') return
          for (const [i, { key, value }] of entries.entries()) {
            collect(value, [...path, kind === 'array' ? i : (JSON.parse(key) as string)])
          }
        }
        collect(root, [])
        const path = paths[pick % paths.length] as Path
        const range = rangeOf(text, path) as { start: number; end: number }
        assert.deepEqual(JSON.parse(text.slice(range.start, range.end)), valueAt(JSON.parse(text), path))
        assert.equal(
          splice(text, [{ kind: 'replace', path, json: '[7]' }]),
          `${text.slice(0, range.start)}[7]${text.slice(range.end)}`,
        )
      }),
      { numRuns: rounds(500) },
    )
  })

  const cases: [string, string, Edit[], string][] = [
    ['no edit', ' {"a" : 1} ', [], ' {"a" : 1} '],
    ['a removal of what is not there', '{"a":1}', [{ kind: 'remove', path: ['b', 0] }], '{"a":1}'],
    ['an index past the end', '[1]', [{ kind: 'remove', path: [1] }], '[1]'],
    ['the only member', '{ "a" : 1 }', [{ kind: 'remove', path: ['a'] }], '{  }'],
    ['the first of two', '{ "a":1, "b":2 }', [{ kind: 'remove', path: ['a'] }], '{ "b":2 }'],
    ['the last of two', '{ "a":1, "b":2 }', [{ kind: 'remove', path: ['b'] }], '{ "a":1 }'],
    [
      'a removed member with a new name, and something replaced in it',
      '{"service":{"a":1},"b":2}',
      [
        { kind: 'rename', path: ['service'], name: 'x' },
        { kind: 'replace', path: ['service', 'a'], json: '9' },
        { kind: 'remove', path: ['service'] },
      ],
      '{"b":2}',
    ],
    ['into an empty object', '{}', [{ kind: 'insert', path: [], name: 'a"', json: '1' }], '{"a\\"":1}'],
    ['behind white space', '{"a":1 }', [{ kind: 'insert', path: [], name: 'b', json: '2' }], '{"a":1 ,"b":2}'],
    [
      'in place of all members',
      '{"a":1,"b":2}',
      [
        { kind: 'remove', path: ['a'] },
        { kind: 'remove', path: ['b'] },
        { kind: 'insert', path: [], name: 'c', json: '3' },
      ],
      '{"c":3}',
    ],
    [
      'in front of elements that keep their index',
      '[1,2]',
      [
        { kind: 'prepend', path: [], json: '0' },
        { kind: 'replace', path: [1], json: '9' },
      ],
      '[0,1,9]',
    ],
    ['a name with an escape', '{"\\u0061":1}', [{ kind: 'replace', path: ['a'], json: '2' }], '{"\\u0061":2}'],
    [
      'names that would clash with one that is there',
      '{"x@a":1,"[MAIL]":2,"y@a":3}',
      [
        { kind: 'rename', path: ['x@a'], name: '[MAIL]' },
        { kind: 'rename', path: ['y@a'], name: '[MAIL]' },
      ],
      '{"[MAIL]_2":1,"[MAIL]":2,"[MAIL]_3":3}',
    ],
    [
      'both of two members that one name repeats',
      '{"service":1,"a":2,"service":3}',
      [{ kind: 'remove', path: ['service'] }],
      '{"a":2}',
    ],
  ]
  for (const [name, text, edits, result] of cases) {
    it(`${name}: ${text}`, () => assert.equal(splice(text, edits), result))
  }

  const lost: [string, string, Edit][] = [
    ['a value', '{"a":1}', { kind: 'replace', path: ['b'], json: '2' }],
    ['a name', '{"a":{}}', { kind: 'rename', path: ['a', 'b'], name: 'c' }],
    ['an element', '{"a":[1]}', { kind: 'replace', path: ['a', 1], json: '2' }],
    ['a value below another one', '{"a":{"b":1}}', { kind: 'replace', path: ['a', 'c', 'd'], json: '2' }],
    ['a value below a text', '{"a":"b"}', { kind: 'replace', path: ['a', 0], json: '2' }],
  ]
  for (const [name, text, edit] of lost) {
    it(`loses no rewrite: ${name} that is not there`, () => {
      const there: Edit = { kind: 'insert', path: [], name: 'x', json: '1' }
      assert.throws(() => splice(text, [there, edit], false), RangeError)
      assert.match(splice(text, [there, edit]), /"x":1/)
    })
  }
})

describe('edits of a large text', () => {
  /** Longer than a step, and cut nowhere else than between characters. */
  const long = 'a\u{1f600}"\\'.repeat(70_000)
  const list = Array.from({ length: 9000 }, (_, i) => ({ id: i, text: `${i} x` }))
  const tree = {
    long,
    untouched: list,
    edited: list,
    names: Object.fromEntries(list.map((_, i) => [`n${i}`, i])),
    end: 1,
  }
  const text = JSON.stringify(tree)
  const edits: Edit[] = [
    { kind: 'replace', path: ['end'], json: '2' },
    ...list.map((_, i): Edit => ({ kind: 'replace', path: ['edited', i, 'text'], json: '"y"' })),
    ...list.map((_, i): Edit => ({ kind: 'rename', path: ['names', `n${i}`], name: `m${i}` })),
    { kind: 'insert', path: [], name: 'more', json: 'true' },
  ]
  const expected = {
    ...tree,
    edited: list.map((one) => ({ ...one, text: 'y' })),
    names: Object.fromEntries(list.map((_, i) => [`m${i}`, i])),
    end: 2,
    more: true,
  }

  it('are made in steps', () => {
    const steps = encodeInSteps(text, edits)
    let count = 0
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) {
        assert.deepEqual(JSON.parse(value.toString('utf8')), expected)
        break
      }
      count++
    }
    assert.ok(count > 10, `${count} steps`)
  })

  it('keep every character where nothing changes', () => {
    assert.equal(allSteps(encodeInSteps(text, [])).toString('utf8'), text)
    const spaced = `${text}${' '.repeat(400_000)}`
    const { head, tail } = allSteps(headAndTailInSteps(spaced, edits))
    assert.ok(tail.includes('}'))
    assert.deepEqual(JSON.parse(Buffer.concat([...head, Buffer.from(tail)]).toString('utf8')), expected)
  })
})
