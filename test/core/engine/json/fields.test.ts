import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../../../core/engine/contract/plugin.ts'
import { type Change, toEdits } from '../../../../core/engine/json/edits.ts'
import { type Field, FieldList } from '../../../../core/engine/json/fields.ts'
import { splice } from '../../../../core/engine/json/splice.ts'
import { parseStrictText } from '../../../../core/engine/json/strict.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'

function fieldsOf(text: string): Field[] {
  const list = new FieldList(text)
  list.addAll('other', [], parseStrictText(text).tree)
  return list.fields
}

const shown = ({ place, text, path }: Field) => [place, text, path.join('.')]
const changed = (text: string, changes: readonly Change[]): string => splice(text, toEdits(changes))
const all = (fields: readonly Field[], make: (text: string) => string): Change[] =>
  fields.map((field) => ({ field, text: make(field.text) }))

describe('the name beside a value', () => {
  const named = (text: string) =>
    fieldsOf(text)
      .filter(({ beside }) => beside !== undefined)
      .map(({ path, beside, text: value }) => [path.join('.'), beside, value])

  it('is another member of the object, in any order, and holds for what is below', () => {
    assert.deepEqual(named('{"name":"A","value":"x"}'), [['value', 'A', 'x']])
    assert.deepEqual(named('{"value":"x","name":"A"}'), [['value', 'A', 'x']])
    assert.deepEqual(named('{"id":"7","Key":"A","Value":1234567}'), [['Value', 'A', '1234567']])
    assert.deepEqual(named('{"key":"A","value":{"stringValue":"x","kind":["y"]}}'), [
      ['value.stringValue', 'A', 'x'],
      ['value.kind.0', 'A', 'y'],
    ])
    assert.deepEqual(named('{"key":"A","value":{"key":"B","value":"x"}}'), [
      ['value.key', 'A', 'B'],
      ['value.value', 'B', 'x'],
    ])
  })

  it('is the element before it in a list', () => {
    assert.deepEqual(named('["A","x",["B","y"],"z"]'), [
      ['1', 'A', 'x'],
      ['2.1', 'B', 'y'],
    ])
  })

  it('is neither long, nor a number, nor another member', () => {
    const long = 'n'.repeat(65)
    for (const text of [
      `{"name":"${long}","value":"x"}`,
      `["${long}","x"]`,
      '{"name":1,"value":"x"}',
      '{"name":"A","other":"x"}',
    ])
      assert.deepEqual(named(text), [])
  })

  it('is the same in steps', () => {
    const text = '{"a":[{"name":"A","value":{"b":["x","y"]}},["B",1234567]],"key":"K","val":"z"}'
    const list = new FieldList(text)
    allSteps(list.inSteps(() => list.addAll('other', [], parseStrictText(text).tree)))
    assert.deepEqual(list.fields, fieldsOf(text))
  })
})

describe('fields of a document', () => {
  it('are every string, every key and every number of six digits or more', () => {
    const text =
      '{"a":"x","b":{"c":["y",{"d":"z"}]},"n":[123456,12345,-1234567,0.12345,1234.5678,1e5,true,null],"":"e"}'
    assert.deepEqual(fieldsOf(text).map(shown), [
      ['key', 'a', 'a'],
      ['value', 'x', 'a'],
      ['key', 'b', 'b'],
      ['key', 'c', 'b.c'],
      ['value', 'y', 'b.c.0'],
      ['key', 'd', 'b.c.1.d'],
      ['value', 'z', 'b.c.1.d'],
      ['key', 'n', 'n'],
      ['number', '123456', 'n.0'],
      ['number', '-1234567', 'n.2'],
      ['number', '0.12345', 'n.3'],
      ['number', '1234.5678', 'n.4'],
      ['number', '100000', 'n.5'],
      ['value', 'e', ''],
    ])
  })

  it('show a number with all its digits', () => {
    for (const digits of [
      '4111111111111111',
      '12345678901234567890',
      '-98765432109876543210987',
      '0.1234567890123456789',
    ]) {
      assert.deepEqual(
        fieldsOf(`{"n": ${digits} }`)
          .filter(({ place }) => place === 'number')
          .map(({ text }) => text),
        [digits],
      )
    }
  })

  it('leave a valid document whatever they become, with everything else as it was', () => {
    const tree = fc.jsonValue({ maxDepth: 4 })
    const isNoPrototype = (name: string): boolean => name !== '__proto__' && name !== 'constructor'
    const text = fc.oneof(fc.string().filter(isNoPrototype), fc.constantFrom('"', '\\', '\n', '\ud800', '', '[X]'))
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.option(text, { freq: 2, nil: undefined })), (value, words) => {
        const source = JSON.stringify({ value })
        if (/"(?:__proto__|constructor)"/.test(source)) return
        const changes: Change[] = []
        const kept: Field[] = []
        for (const field of fieldsOf(source)) {
          const word = words.next().value as string | undefined
          if (word === undefined) kept.push(field)
          else changes.push({ field, text: word })
        }
        const result = parseStrictText(changed(source, changes)).tree
        assert.equal(countOf(result), countOf(JSON.parse(source)), 'no value is lost')
        const left = fieldsOf(JSON.stringify(result)).map((field) => field.text)
        for (const field of kept) assert.ok(left.includes(field.text), field.text)
      }),
    )
  })

  it('that are numbers become strings', () => {
    const text = '{"card": 4111111111111111 }'
    assert.equal(
      changed(
        text,
        all(
          fieldsOf(text).filter(({ place }) => place === 'number'),
          () => '[CARD]',
        ),
      ),
      '{"card": "[CARD]" }',
    )
  })

  it('that are keys stay apart', () => {
    const text = '{"a@x":1,"b@x":2,"[MAIL]":3}'
    const keys = fieldsOf(text).filter((field) => field.text.includes('@'))
    assert.equal(
      changed(
        text,
        all(keys, () => '[MAIL]'),
      ),
      '{"[MAIL]_2":1,"[MAIL]_3":2,"[MAIL]":3}',
    )
  })
})

describe('a JSON text in a string', () => {
  const inner = '{ "to":"jo@x.org", "n":4111111111111111, "list":["a",{"jo@x.org":true}] }'
  const outer = JSON.stringify({ arguments: inner, other: 'kept' })

  function innerFields(text = outer): Field[] {
    const list = new FieldList(text)
    list.addJsonText('tool_arguments', ['arguments'], (JSON.parse(text) as { arguments: string }).arguments)
    return list.fields
  }

  it('shows its own texts, decoded', () => {
    assert.deepEqual(
      innerFields().map(({ place, text }) => [place, text]),
      [
        ['key', 'to'],
        ['value', 'jo@x.org'],
        ['key', 'n'],
        ['number', '4111111111111111'],
        ['key', 'list'],
        ['value', 'a'],
        ['key', 'jo@x.org'],
      ],
    )
  })

  it('stays JSON, spelled as it was but for what changed', () => {
    const hits = innerFields().filter(({ text }) => text.includes('@') || text.startsWith('4'))
    const result = changed(
      outer,
      all(hits, () => '"[X]"\\'),
    )
    const { arguments: text, other } = JSON.parse(result) as { arguments: string; other: string }
    assert.equal(other, 'kept')
    assert.equal(text, String.raw`{ "to":"\"[X]\"\\", "n":"\"[X]\"\\", "list":["a",{"\"[X]\"\\":true}] }`)
    assert.deepEqual(JSON.parse(text), { to: '"[X]"\\', n: '"[X]"\\', list: ['a', { '"[X]"\\': true }] })
  })

  it('of a single value is that value', () => {
    for (const [text, view] of [
      ['"jo@x.org"', 'jo@x.org'],
      ['4111111111111111', '4111111111111111'],
    ]) {
      const document = JSON.stringify({ arguments: text })
      const fields = innerFields(document)
      assert.deepEqual(
        fields.map((field) => field.text),
        [view],
      )
      assert.equal(
        changed(
          document,
          all(fields, () => 'X'),
        ),
        '{"arguments":"\\"X\\""}',
      )
    }
  })

  it('that is not strict JSON is one text', () => {
    for (const text of [
      '{"a":',
      "{'a':1}",
      '{"a":1,"a":2}',
      'plain words',
      '\ufeff{}',
      `${'['.repeat(200)}${']'.repeat(200)}`,
    ]) {
      const fields = innerFields(JSON.stringify({ arguments: text }))
      assert.deepEqual(
        fields.map((field) => field.text),
        [text],
      )
      assert.equal(fields[0]?.inner, undefined)
    }
  })

  it('without content shows nothing', () => {
    for (const text of ['', '{}', '[]', '12', 'null']) {
      assert.deepEqual(innerFields(JSON.stringify({ arguments: text })), [])
    }
  })
})

it('gives the same fields at once and in steps, of few values or many, with numbers of any size', () => {
  const { value: any } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Json>(1, 123_456, 1.5, 2 ** 60, true, null, '', 'text', '{"a":[1,12345678.125]}'),
      fc.array(tie('value'), { maxLength: 20 }),
      fc.dictionary(fc.constantFrom('name', 'value', 'a', 'b', '1'), tie('value')),
    ),
  }))
  fc.assert(
    fc.property(any, (value) => {
      const text = JSON.stringify(value)
      const list = new FieldList(text)
      const { tree } = parseStrictText(text)
      allSteps(list.inSteps(() => list.addAll('other', [], tree)))
      assert.deepEqual(list.fields, fieldsOf(text))
    }),
  )
})

it('a list takes no more fields than it may have, at once and in steps', () => {
  const text = '{"a":["word","word"],"b":123456}'
  const walk = (most: number) => {
    const list = new FieldList(text)
    list.most = most
    return { list, all: () => list.addAll('other', [], JSON.parse(text) as Json) }
  }
  const { list, all } = walk(5)
  all()
  assert.equal(list.fields.length, 5)
  assert.throws(walk(4).all, { code: 'GW_TOO_MANY_VALUES' })
  const late = walk(4)
  assert.throws(() => allSteps(late.list.inSteps(late.all)), { code: 'GW_TOO_MANY_VALUES' })
})

function countOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, inner) => sum + countOf(inner), 1)
}
