import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FieldList } from '../../../../core/engine/json/fields.ts'
import { Spellings } from '../../../../core/engine/json/spellings.ts'
import { parseStrictText } from '../../../../core/engine/json/strict.ts'

describe('spellings of numbers', () => {
  it('are those of the text', () => {
    const text = ' {"a" : [ {"\\u0062" : 1.50E+3 } , -0.0,12345678901234567890 ],"":"1.5","e":[],"o":{ },"t":true} '
    const spellings = new Spellings(text)
    assert.equal(spellings.at(['a', 0, 'b']), '1.50E+3')
    assert.equal(spellings.at(['a', 1]), '-0.0')
    assert.equal(spellings.at(['a', 2]), '12345678901234567890')
    for (const path of [[''], ['a'], ['a', 3], ['e', 0], ['o', 'x'], ['t'], ['a', 0, 'b', 'c'], []]) {
      assert.equal(spellings.at(path), undefined, path.join('.'))
    }
    assert.equal(new Spellings('1.250').at([]), '1.250')
  })

  it('in a list that begins with others, and has others between them', () => {
    const spellings = new Spellings('[1,"x",2.50,[],3,4.50]')
    const spelled = ['2.50', undefined, undefined, '4.50', undefined]
    assert.deepEqual(
      [0, 1].map((i) => spellings.at([i])),
      [undefined, undefined],
    )
    assert.deepEqual(
      spelled.map((_, i) => spellings.at([i + 2])),
      spelled,
    )
    assert.equal(spellings.at([2, 0]), undefined)
  })

  it('of the last of members with one name', () => {
    assert.equal(new Spellings('{"a":1.50,"a":2.50}').at(['a']), '2.50')
    assert.equal(new Spellings('{"a":1.50,"a":"x"}').at(['a']), undefined)
  })

  it('of every number that is no short integer, wherever it stands', () => {
    const spelled = fc
      .tuple(fc.integer(), fc.nat(), fc.constantFrom('', 'e2', 'E-3'))
      .map(([a, b, c]) => `${a}.${b}${c}`)
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        spelled,
        fc.constantFrom('"x"', 'null', '17', '{}', '[]'),
        fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(tie('value'), { maxLength: 3 })
          .map((items) => `{${items.map((item, i) => `"k\\"${i}" : ${item}`).join(',')}}`),
      ),
    }))
    fc.assert(
      fc.property(value, (text) => {
        const list = new FieldList(text)
        list.addAll('other', [], parseStrictText(text).tree)
        const found = list.fields.filter(({ place }) => place === 'number').map((field) => field.text)
        const digits = (number: string) => number.replace(/\D/g, '').length
        const expected = (text.match(/-?\d+\.\d+(?:[eE]-?\d)?/g) ?? []).filter((number) => {
          const safe = Number.isSafeInteger(Number(number)) ? String(Number(number)) : number
          return digits(safe) >= 6
        })
        assert.equal(found.length, expected.length)
        for (const [i, number] of found.entries())
          assert.equal(number, Number.isSafeInteger(Number(expected[i])) ? String(Number(expected[i])) : expected[i])
      }),
    )
  })
})
