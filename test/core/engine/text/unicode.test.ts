import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { openTail } from '../../../../core/engine/text/open-tail.ts'
import { normalise } from '../../../../core/engine/text/unicode.ts'
import { rounds } from '../../../helpers/rounds.ts'

const RAW = [
  'a',
  'e',
  '7',
  ' ',
  '.',
  '@',
  'é',
  'ß',
  '\u0301',
  '\u0336',
  '\u200b',
  '\u00ad',
  '\u2060',
  '\ufe0f',
  '４',
  '＠',
  '－',
  '–',
  '—',
  'о',
  'О',
  'е',
  'П',
  'か',
  '\u3099',
  'ー',
  '中',
  '，',
  '٣',
  '९',
  '½',
  'ﬁ',
  '…',
  '™',
  '%40',
  '%4',
  '%',
  '&#64;',
  '&#x40;',
  '&#64',
  '&commat;',
  '&#',
  '&',
  '&am',
  '\\u0040',
  '\\\\u0040',
  '\\u00',
  '\\',
  '\\x40',
  '\u{1d7db}',
  '\u{1f600}',
  '\ud83d',
  '\ude00',
  '\u{e0041}',
  '\u3164',
  '\u0007',
  'р',
  'т',
  'ɪ',
  'ο',
  '⃣',
  '각',
]
const rawText = fc.array(fc.constantFrom(...RAW), { maxLength: 24 }).map((parts) => parts.join(''))

const CASES: readonly [name: string, raw: string, text: string][] = [
  ['full-width', '４１１１－１１１１ ｊｏ＠ｅｘａｍｐｌｅ．ｃｏｍ', '4111-1111 jo@example.com'],
  ['zero width', 'j\u200bo\u2060@x.\ufeffcom', 'j\ufeffo\ufeff@x.com'],
  ['soft hyphen and joiner', '123\u00ad-45\u200d-6789', '123-45-6789'],
  ['bidi controls', '\u202e123\u202c', '123\ufeff'],
  ['dashes', '123‐45‑6789 1–2—3−4', '123-45-6789 1-2-3-4'],
  ['no-break and ideographic spaces', '4111\u00a01111\u30001111', '4111 1111 1111'],
  ['Arabic, Persian and Devanagari digits', '٠١٢ ۳۴۵ ६७८', '012 345 678'],
  ['mathematical digits and letters', '\u{1d7d9}\u{1d7da}\u{1d7db} \u{1d4d0}', '123 A'],
  ['enclosed digits', '①②③', '123'],
  ['marks of other scripts on ASCII', '41\u048311\u0591\u064b a\u0e31@x\u1037.o\u{101fd}rg\u302a', '4111 a@x.org'],
  ['a blank of Ogham', 'jo\u1680smith', 'jo smith'],
  ['keycaps', '4️⃣1️⃣', '41'],
  ['struck through', '4\u03361\u0336', '41'],
  ['struck through, marks too', '4\u03361\u0336-\u03361\u0336 \u0336@\u0336', '41-1 @'],
  [
    'colours of a terminal',
    'a \u001b[1;31mjo@x.org\u001b[0m\u001b[K \u001b[38;5;196m4\u001b(B\u009b0m1',
    'a jo@x.org\ufeff 4\ufeff1',
  ],
  ['what is no colour behind the escape character', '\u001b[DE89 \u001b[4111-1111', '[D\ufeffE89 [4111-1111'],
  ['Cyrillic letters in a Latin word', 'jоhn@exаmple.cоm', 'john@example.com'],
  ['Cyrillic letters in a number', '4О11', '4011'],
  ['a look-alike in front', 'О41', '041'],
  ['Greek letter in an IBAN', 'GΒ29', 'GB29'],
  ['percent', 'jo%40example%2Ecom', 'jo@example.com'],
  ['percent before a digit', '%4111 %41a \\%4111', '%4111 Aa \\%4111'],
  ['entities', 'jo&#64;example&#x2e;com&commat;&#064', 'jo@example.com@@'],
  [
    'entities of letters',
    'Gro&szlig;b&auml;r &Eacute;t&eacute; &Ccaron;apek &bacute; &auml',
    'Großbär Été Čapek &bacute; &auml',
  ],
  ['entity of a full-width sign', 'jo&#xFF20;x', 'jo@x'],
  ['backslash', 'jo\\u0040x \\x40 \\\\u0040 \\U0000002d', 'jo@x @ @ -'],
  ['halves of a pair', '\\ud835\\udfd9\\\\uD835\\\\uDFDA a\\udb40\\udc41b', '12 ab'],
  [
    'invisible characters behind an open reference',
    'a&#127\u007f2&#x1F\u200bb&#64&#8203;2&#7\u00ad\u200b2',
    'a&#127\ufeff2&#x1F\ufeffb@2&#7\ufeff2',
  ],
  ['escapes of Markdown within percent and entities', 'jo\\%40x \\&#64;', 'jo@x @'],
  ['keycaps as entities', '4&#xfe0f;&#x20e3;1&#822;', '41'],
  ['decomposed accent', 'cafe\u0301', 'café'],
  ['decomposed kana', 'か\u3099', 'が'],
  ['length mark after a digit', '03ー1234', '03-1234'],
  ['Hangul fillers', '4111\u31641111\uffa0-\u115f22\u116033', '4111\ufeff1111\ufeff-22\ufeff33'],
  ['Khmer, Mongolian and musical controls', 'a\u17b4b\u180bc\u{1d173}d\u{1bca0}e', 'a\ufeffbc\ufeffd\ufeffe'],
  ['an Arabic word that is stretched', 'مشــروع', 'مشروع'],
  ['a blank Braille pattern', 'AKIA\u2800IOSF', 'AKIA\ufeffIOSF'],
  ['control characters', 'jo\u0000hn\u007f@\u0008example\u0085.\u009bcom', 'jo\ufeffhn\ufeff@example\u0085.com'],
  ['tags and variation selectors', 'a\u{e0061}\u{e0062}b\u{e0100}', 'a\ufeffb'],
  ['several look-alikes in front', 'раyroll АКІАIOSF ѕесret', 'payroll AKIAIOSF secret'],
  ['look-alikes of small letters', 'pаyroll ѕecreт', 'payroll secret'],
  ['Greek, Armenian and Cherokee letters', 'ραyroll ᎪᏦIA հօme', 'payroll AKIA home'],
  ['look-alikes of two scripts', 'ραу', 'pay'],
  ['small capitals', 'ᴘᴀʏʀᴏʟʟ', 'payroll'],
]

const UNCHANGED = [
  '',
  'plain ASCII 123',
  'naïve Größe São',
  'Привет, о мир',
  '日本語のテキスト',
  'हिन्दी',
  'שלום',
  '‘smart’ “quotes”',
  '100% of A & B \\ C',
  '%ZZ &unknown; \\q',
  'émoji 😀',
  'サーバー',
  '%C3%A9',
  'Тест: в сумме 5 тонн, а не 7. Рота, сорт, ток, ОАО.',
  'Η σοφία και η τέχνη του ανθρώπου, ο νους και το σώμα.',
  'Україна, її мова і серце. България, това е текст.',
  'tabs\tand\r\nlines\fand\vpages',
  '&amp; &lt;',
]

describe('normalise', () => {
  for (const [name, raw, text] of CASES) it(`reads ${name}`, () => assert.equal(normalise(raw).text, text))

  for (const raw of UNCHANGED) {
    it(`leaves ${JSON.stringify(raw)} alone`, () => {
      const result = normalise(raw)
      assert.equal(result.text, raw)
      assert.equal(result.map, undefined)
    })
  }

  it('needs no map when every change is one for one', () => assert.equal(normalise('１２–３').map, undefined))

  it('maps a value back to whole source clusters', () => {
    const raw = 'to j\u00ado&#64;x%2Ecom\u200b now'
    const { text, map } = normalise(raw)
    const at = text.indexOf('jo@x.com')
    assert.deepEqual(map?.toRaw(at, at + 8), [3, raw.indexOf('com') + 3])
  })

  it('keeps every span inside the source, monotonic and on cluster borders', () => {
    fc.assert(
      fc.property(rawText, (raw) => {
        const { text, map } = normalise(raw)
        if (map === undefined) return assert.equal(text.length, raw.length)
        let last = 0
        for (let i = 0; i < text.length; i++) {
          const [start, end] = map.toRaw(i, i + 1)
          assert.ok(start >= last || end > start, 'monotonic')
          assert.ok(start >= 0 && end <= raw.length && start < end)
          assert.ok(map.fromRaw(start) <= i)
          last = start
        }
        const [start, end] = map.toRaw(0, text.length)
        assert.equal(normalise(raw.slice(start, end)).text.length > 0, text.length > 0)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('normalises again to the same text when nothing is escaped', () => {
    fc.assert(
      fc.property(rawText, (raw) => {
        if (/[%&\\]/.test(raw)) return
        const once = normalise(raw).text
        assert.equal(normalise(once).text.length <= once.length, true)
      }),
    )
  })

  for (const unit of [
    'a\u0301',
    '\u0301',
    '%4',
    '%40',
    '&',
    '&a',
    '&#6',
    '&#64;',
    '\\',
    '\\u',
    'О',
    '1О',
    '\u200b',
    '４',
    '\ud83d',
    'か\u3099',
  ]) {
    it(`takes linear time on repeated ${JSON.stringify(unit)}`, () => {
      const time = (count: number): number => {
        const raw = unit.repeat(count)
        let best = Number.POSITIVE_INFINITY
        for (let round = 0; round < 3; round++) {
          const start = process.cpuUsage()
          normalise(raw)
          openTail(raw)
          best = Math.min(best, process.cpuUsage(start).user / 1000)
        }
        return best
      }
      time(1000)
      // 50 KB in far less than the time a quadratic walk takes; generous, because machines are noisy.
      assert.ok(time(Math.ceil(51_200 / unit.length)) < 100)
    })
  }
})

describe('openTail', () => {
  const open: readonly [raw: string, at: number][] = [
    ['ab%', 2],
    ['ab%4', 2],
    ['ab&', 2],
    ['ab&#', 2],
    ['ab&#6', 2],
    ['ab&#64', 2],
    ['ab&#x4', 2],
    ['ab&comm', 2],
    ['ab\\', 2],
    ['ab\\u', 2],
    ['ab\\u00', 2],
    ['ab\\\\u004', 2],
    ['ab\\x4', 2],
    ['ab\\%4', 2],
    ['ab%40', 2],
    ['ab\\ud835', 2],
    ['ab\\ud835\\ud', 2],
    ['ab\\U0000004', 2],
    ['ab\u001b', 2],
    ['ab\u001b[', 2],
    ['ab\u001b[1;3', 2],
    ['ab\u009b38;5', 2],
    ['ab\ud83d', 2],
    ['abe\u0301', 2],
    ['ab\u200b', 2],
    ['ab О', 3],
  ]
  for (const [raw, at] of open) it(`is ${at} for ${JSON.stringify(raw)}`, () => assert.equal(openTail(raw), at))
  for (const raw of ['', 'ab', 'ab%4a', 'ab%40x', 'ab&#64;', 'ab\\u0040', 'abé', 'ab😀', 'про', 'a & b', '100% a']) {
    it(`is the end for ${JSON.stringify(raw)}`, () => assert.equal(openTail(raw), raw.length))
  }

  it('cuts where the halves read as the whole', () => {
    // Only the left neighbour of a look-alike, decoration, length mark or invisible character crosses the cut: the caller knows it.
    const calm = rawText.filter((raw) => !/[оОертοɪ½™ー⃣\u0301\u0336\u3099\u3164]|[\p{Cf}\p{Cc}]/u.test(raw))
    fc.assert(
      fc.property(calm, calm, (left, right) => {
        const at = openTail(left)
        const whole = normalise(left + right).text
        assert.equal(normalise(left.slice(0, at)).text + normalise(left.slice(at) + right).text, whole)
      }),
      { numRuns: rounds(3000) },
    )
  })
})
