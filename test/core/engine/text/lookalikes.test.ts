/** Look-alikes in names and keys are read as what they look like; words of one script stay. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readAgain } from '../../../../core/engine/text/readings.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { reporter, Stream } from '../../../helpers/text.ts'

const READ: readonly [name: string, text: string, read: string][] = [
  ['directly behind an ideograph', '记住хoxb', '记住xoxb'],
  ['directly behind a syllable of Hangul', '서울аpi', '서울api'],
  ['a whole word in front of a hyphen and ASCII', 'ѕк-proj', 'sk-proj'],
  ['words in front of a mixed one', 'ѕк-ѕvсассt', 'sk-svcacct'],
  ['whole words with an underscore between', 'арі_кеу', 'api_key'],
  ['the name in front of an at sign', 'ехсһаѕе@x.org', 'exchase@x.org'],
  ['rare ones behind an underscore and in front of a digit', 'gһр_кК4', 'ghp_kK4'],
  ['rare ones behind a hyphen and in front of a digit', 'ѕк-рrоj-АһЕк8аһC', 'sk-proj-AhEk8ahC'],
  ['rare ones in front of digits in a word that goes on in ASCII', 'рк2хvі8сz', 'pk2xvi8cz'],
  ['rare ones between digits and letters', '7кA2', '7kA2'],
  ['a rare one behind a digit, at the end of a key', 'dvPr8к', 'dvPr8k'],
  ['two behind a digit, of which one may be a digit', 'dvPr8Ік', 'dvPr81k'],
]
const KEPT = [
  'сор и вор',
  'рк2 и рк20',
  'корпус рк2,a',
  'йсор-ха',
  'вес - 90',
  'С. Сор',
  'Ростов-на-Дону',
  'какао-сок',
  'дата_рождения',
  'номер_снилс',
  'αριθμός_τηλεφώνου',
]

describe('look-alikes', () => {
  for (const [name, text, read] of READ) it(`are folded: ${name}`, () => assert.equal(normalise(text).text, read))
  for (const [spelled, shown] of [
    ['\\u0000', ''],
    ['\\u0080', ''],
    ['\\x52', 'R'],
    ['\\120', 'P'],
    ['%50', 'P'],
  ] as const)
    it(`are letters behind ${spelled}, which ends with a digit`, () =>
      assert.equal(readAgain(normalise(`kurepar${spelled}ох end`).text, true).text, `kurepar${shown}ox end`))
  for (const text of KEPT) it(`stay in ${text}`, () => assert.equal(normalise(text).text, text))

  it('read in a stream as in a whole text, however it is cut', () => {
    const piece = fc.constantFrom('с', 'к', 'й', '-', '_', '@', 'a', '4', ' ', '住', 'ɡ', 'ο', '\u0301', '\\n')
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
        (pieces, lengths) => {
          const text = pieces.join('')
          const stream = new Stream()
          const { view } = stream
          let seen = ''
          for (let at = 0, i = 0; at < text.length; i++) {
            const end = at + (lengths[i % lengths.length] as number)
            stream.read(text.slice(at, end), end >= text.length, [
              reporter(),
              () => {
                seen = seen.slice(0, view.offset) + view.text
                // Two characters wait, so that marks find their base.
                if (!view.final) view.hold(Math.max(0, view.text.length - 2))
              },
            ])
            at = end
          }
          assert.equal(seen, normalise(text).text, JSON.stringify([text, lengths]))
        },
      ),
      { numRuns: rounds(3000) },
    )
  })
})
