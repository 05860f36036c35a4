/** The operator's words and patterns, whole, at every split of a stream, and one character at a time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'

const driveOf = (...words: string[]) =>
  new Drive(pii, { action: 'redact', words: [{ type: 'project', words, level: 'RESTRICTED' }] })

function outputOf(drive: Drive, text: string): string {
  const { output } = drive.next().reply(text)
  for (let i = 1; i < text.length; i++)
    assert.equal(drive.next().stream([text.slice(0, i), text.slice(i)]).output, output, `${text}, cut at ${i}`)
  assert.equal(drive.next().stream([...text]).output, output)
  return output
}

describe('pii: words', () => {
  for (const [word, ...texts] of [
    ["O'Brien", "O'Brien", 'O’Brien', 'O&rsquo;Brien', 'o‘brien'],
    ['O’Brien', "O'Brien", 'O’Brien'],
    ['The "Nest"', 'the “nest”', 'The "Nest"'],
    ['Ｆａｌｃｏｎ', 'Falcon', 'Ｆａｌｃｏｎ'],
    ['東京 計画', '東京 計画', '東京  計画', '東京\n計画', '東京**計画**'],
    ['東京-計画', '東京-計画'],
    ['x𠮷', 'x𠮷', 'X𠮷'],
    ['Nest—Egg', 'Nest—Egg', 'nest-egg'],
    ['Nest°', 'Nest°'],
    ['Straße', 'STRASSE', 'straße'],
    ['İstanbul', 'istanbul', 'İSTANBUL'],
    ['Blue Heron', 'blue  heron', 'Blue\n> Heron', 'blue_heron', '**Blue** Heron'],
  ] as const)
    for (const text of texts)
      it(`${word} is found in ${JSON.stringify(text)}`, () =>
        assert.match(outputOf(driveOf(word), `see ${text}, ok`), /^see \W{0,2}\[PROJECT\]\W{0,2}, ok$/))

  for (const [word, text] of [
    ["O'Brien", "O'Briens"],
    ['Heron', 'herons'],
    ['Blue Heron', 'blueheron'],
  ] as const)
    it(`${word} is not found in ${text}`, () =>
      assert.equal(outputOf(driveOf(word), `see ${text}, ok`), `see ${text}, ok`))

  it('may be part of a value, and a value part of one', () => {
    assert.equal(outputOf(driveOf('heron'), 'to heron@example.com now'), 'to [EMAIL] now')
    assert.equal(outputOf(driveOf('the 4111 1111 1111 1111 card'), 'a the 4111 1111 1111 1111 card'), 'a [PROJECT]')
  })

  it('are values that the operator may allow', () =>
    assert.equal(
      new Drive(pii, {
        action: 'redact',
        words: [{ type: 'project', words: ['heron'], level: 'RESTRICTED' }],
        allow: { values: ['Heron'] },
      }).reply('a heron').output,
      'a heron',
    ))
})

it('pii: a pattern that begins within a value lets nothing of it out', () => {
  const drive = new Drive(pii, {
    action: 'redact',
    patterns: [{ type: 'own', pattern: '1111 x{5,50}', max_length: 64, level: 'RESTRICTED' }],
  })
  assert.doesNotMatch(outputOf(drive, `card 4111 1111 1111 1111 ${'x'.repeat(75)}`), /1111/)
})
