/** A named entity is read as the character that it stands for. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { characterEntities } from 'character-entities'
import { characterEntitiesLegacy } from 'character-entities-legacy'
import { LONGEST_NAME } from '../../../../core/engine/text/entities.ts'
import { openEscape } from '../../../../core/engine/text/escapes.ts'
import { openLooseEscape } from '../../../../core/engine/text/loose-escapes.ts'
import { readAgain } from '../../../../core/engine/text/readings.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'

const read = (text: string): string => readAgain(normalise(text).text, true).text.normalize()

/** Strokes through a character, which are left out where they are spelled. */
const STROKES = /[\u0338\u20d2\u20e5]/

describe('a named entity', () => {
  it('is read as its character, whatever the name', () => {
    for (const [name, chars] of Object.entries(characterEntities)) {
      if (STROKES.test(chars)) continue
      for (const [left, right] of [
        ['a', 'b'],
        ['1', '2'],
        ['a ', ' b'],
      ] as const) {
        assert.equal(read(`${left}&${name};${right}`), read(left + chars + right), name)
      }
    }
  })

  it('is read without its semicolon if it is an old one', () => {
    for (const name of characterEntitiesLegacy)
      for (const right of [' b', '-2', '2']) {
        assert.equal(read(`1&${name}${right}`), read(`1${characterEntities[name]}${right}`), name + right)
      }
    assert.equal(read('AKIA&shyIOS M&uumlller&nbspx'), 'AKIAIOS Müller x')
  })

  for (const text of [
    '/search?q=a&copy=1&region=eu&notify=no&lt=5&not_in=7&shy=1&ampere=1',
    '&nosuch; &NBSP; &constructor; &toString; &1; &; &é; AT&T; R&D',
    `&${'a'.repeat(LONGEST_NAME + 1)};`,
  ])
    it(`is none in ${text}`, () => {
      assert.equal(normalise(text).text, text)
      assert.equal(readAgain(text, true).text, text)
    })

  it('is waited for only as long as a name begins so', () => {
    assert.equal(Math.max(...Object.keys(characterEntities).map((name) => name.length)), LONGEST_NAME)
    const longest = '&CounterClockwiseContourIntegral'
    for (const open of ['&', '&n', '&emsp1', longest, `\\\\\\\\\\\\\\\\${longest}`, '&#8203']) {
      assert.equal(openEscape(`a ${open}`), 2, open)
      assert.equal(openLooseEscape(`a ${open}`), 2, open)
    }
    for (const other of ['&copyr', '&regi', '&param', '&Trust', '\\&Trust', `${longest}s`, '&7']) {
      assert.equal(openEscape(`a ${other}`), 2 + other.length, other)
      assert.equal(openLooseEscape(`a ${other}`), 2 + other.length, other)
    }
    assert.equal(openLooseEscape(`n=25&${longest.slice(1)}`), 1)
  })
})

it('a mark that is spelled is part of the character before it', () => {
  assert.equal(normalise('41&#785;11 F&DownBreve;O a&tdot;b').text, '4111 FO ab')
  assert.equal(normalise('caf&#101;&#769;').text.normalize(), 'café')
})
