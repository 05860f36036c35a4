import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type CountryCode, isValidPhoneNumber } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.min'
import { DETECTORS } from '../../../plugins/pii/detectors/index.ts'
import { isNational, splitCallingCode } from '../../../plugins/pii/detectors/phone-plan.ts'
import { Automaton, MAX_ENDS } from '../../../plugins/pii/engine/automaton.ts'
import { Candidate } from '../../../plugins/pii/engine/candidate.ts'
import { isDayOfYear, isTrivial, modulo, weightedSum } from '../../../plugins/pii/engine/checks.ts'
import type { Detector } from '../../../plugins/pii/engine/detector.ts'
import { Keywords } from '../../../plugins/pii/engine/keywords.ts'
import { Marks } from '../../../plugins/pii/engine/marks.ts'
import { positionsOf } from '../../../plugins/pii/engine/positions.ts'
import { MAX_MATCH, Scanner } from '../../../plugins/pii/engine/scanner.ts'
import { unitsOf } from '../../../plugins/pii/engine/units.ts'
import { rounds } from '../../helpers/rounds.ts'

/** Where matches of each rule end, as the automaton sees it. */
function ends(patterns: readonly string[], text: string): string[] {
  const automaton = new Automaton(positionsOf(patterns))
  automaton.run(unitsOf(text), 0, text.length)
  const found: string[] = []
  for (let k = Math.max(0, automaton.count - MAX_ENDS); k < automaton.count; k++) {
    for (const rule of automaton.rules[k % MAX_ENDS]!) found.push(`${rule}:${automaton.ends[k % MAX_ENDS]}`)
  }
  return found
}

describe('the automaton', () => {
  const cases: readonly (readonly [patterns: readonly string[], text: string, found: readonly string[]])[] = [
    [['\\d{3}-\\d{2}'], '123-45 x', ['0:6']],
    [['\\d{3}-\\d{2}'], '123-456', []],
    [['ab|abc d', 'a[b-d]{1,2}'], 'abc d', ['1:3', '0:5']],
    [['(?i:straße|stra\\Le)'.replace('straße|', '')], 'STRAßE', ['0:6']],
    [['a(b c)?'], 'a b', ['0:1']],
    [['\\l+'], 'jürgen!', ['0:6']],
    [['a\\o'], 'a中', ['0:2']],
    [['x?y?z'], 'z', ['0:1']],
    [['a{2,4}'], 'aaaaa', []],
    [['1+( 1+)*'], '11 1 111', ['0:2', '0:4', '0:8']],
  ]
  for (const [patterns, text, found] of cases) {
    it(`reads ${text} by ${patterns.join(' and ')}`, () => assert.deepEqual(ends(patterns, text), found))
  }

  for (const wrong of ['a(b', 'a)b', '[a', 'a{x}', 'a\\', '', 'a?', 'ä']) {
    it(`refuses ${JSON.stringify(wrong)}`, () => assert.throws(() => new Automaton(positionsOf([wrong]))))
  }

  it('finds what a backtracking engine finds', () => {
    const atom = fc.constantFrom('a', 'b', '\\d', '[ab]', ' ', '-', 'ab')
    const piece = fc
      .tuple(atom, fc.constantFrom('', '?', '{2}', '{1,3}', '+', '*'))
      .map(([a, q]) => (a.length > 1 && a[0] !== '[' && a[0] !== '\\' ? `(${a})${q}` : a + q))
    const pattern = fc
      .array(
        fc.oneof(
          piece,
          fc.tuple(piece, piece).map(([x, y]) => `(${x}|${y})`),
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => `a${parts.join('')}`)
    const text = fc
      .array(fc.constantFrom('a', 'b', '1', ' ', '-'), { maxLength: 12 })
      .map((chars) => `a${chars.join('')}`)
    fc.assert(
      fc.property(pattern, text, (source, subject) => {
        const expected: string[] = []
        for (let end = 1; end <= subject.length; end++) {
          const isBorder = end === subject.length || !/[a-z0-9]/.test(subject[end]!)
          if (isBorder && new RegExp(`^(?:${source})$`).test(subject.slice(0, end))) expected.push(`0:${end}`)
        }
        assert.deepEqual(ends([source], subject), expected)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('knows whether a text may go on to match', () => {
    const automaton = new Automaton(positionsOf(['\\d{3}-\\d{2}']))
    const alive = (text: string) => {
      automaton.run(unitsOf(text), 0, text.length)
      return automaton.alive
    }
    assert.deepEqual(['1', '123', '123-', '123-4', '12-'].map(alive), [true, true, true, true, false])
  })

  it('knows which patterns may go on', () => {
    const automaton = new Automaton(positionsOf(['\\d{3}-\\d{2}', '\\d+', '12[a-z]']))
    const open = (text: string) => {
      automaton.run(unitsOf(text), 0, text.length)
      return [...automaton.open].sort()
    }
    assert.deepEqual(['12', '123', '123-', '12a', '123-4', '123-45', 'x'].map(open), [
      [0, 1, 2],
      [0, 1],
      [0],
      [],
      [0],
      [],
      [],
    ])
  })
})

describe('positions', () => {
  it('tell which patterns match without a digit', () => {
    const patterns = ['\\d+a', 'a\\d?b', '[A-Z]{2}\\w', '\\w{2}\\d', '(\\d|-){2}']
    assert.deepEqual([...positionsOf(patterns).digitless], [0, 1, 1, 0, 1])
  })
})

describe('the scanner', () => {
  const words = ['lorem', 'may', 'via', 'roma', 'jo', 'at', 'dot', 'com', 'card', 'order', 'x', 'AB', 'Via', 'May']
  const numbers = ['4', '12', '1980', '12345678', '4111111111111111', 'jo@example.com', 'AB12CDE']
  const parts = fc.array(
    fc.tuple(fc.constantFrom(...words, ...numbers), fc.constantFrom(' ', ' ', ', ', '-', '.', ' at ')),
    { maxLength: 40 },
  )

  it('finds the same where it leaves out what cannot match', () => {
    const found = (scanner: Scanner, text: string) =>
      scanner.scan(text, 0, true).hits.map(({ detector, start, end, score }) => [detector.type, start, end, score])
    // What needs a sign or digits is left out where none is near. This detector, which may need none, prevents that.
    const always: Detector = {
      type: 'never',
      title: '',
      level: 'PUBLIC',
      check: '',
      patterns: ['\\w[\\w @.,\\-]*~'],
      judge: () => 0,
    }
    const usual = new Scanner(DETECTORS)
    const all = new Scanner([...DETECTORS.map(({ signs: _, fewestDigits: __, ...detector }) => detector), always])
    fc.assert(
      fc.property(parts, (pieces) => {
        const text = pieces.flat().join('').slice(0, MAX_MATCH)
        assert.deepEqual(found(usual, text), found(all, text))
      }),
      { numRuns: rounds(1000) },
    )
  })

  it('finds values without a digit where none is near', () => {
    const far = 'lorem ipsum '.repeat(MAX_MATCH / 8)
    const card = `card: ${'four '}${'one '.repeat(15)}`
    const scanner = new Scanner(DETECTORS)
    for (const value of ['SWIFT DEUTDEFF', 'fe80::abc:fed', card, 'jo at example dot com', 'jo@example.com']) {
      const [alone] = scanner.scan(`${value} x`, 0, true).hits
      const [hit] = scanner.scan(`${far}${value} ${far}`, 0, true).hits
      assert.deepEqual([hit?.detector.type, hit?.start], [alone!.detector.type, alone!.start + far.length], value)
    }
  })

  it('asks no detector that rejects so few digits by itself', () => {
    for (const detector of DETECTORS.filter(({ fewestDigits }) => fewestDigits !== undefined)) {
      const candidate = new Candidate(Keywords.of({ other_number: [], [detector.type]: ['number'] }))
      const value = `${'1'.repeat(detector.fewestDigits! - 1)}ABCDEFGHIJKLMNOPQ`
      for (const length of [4, 8, 9, 11, 16, 17]) {
        candidate.open(`number ${value.slice(0, length)} `, false)
        candidate.begin(7, 7 + Math.min(length, value.length))
        candidate.ask(1)
        assert.deepEqual(
          [detector.judge(candidate), candidate.incomplete, candidate.unsettled],
          [0, false, false],
          `${detector.type}: ${value.slice(0, length)}`,
        )
      }
    }
  })
})

describe('marks', () => {
  it('know words, digits and beginnings from any place on, whatever was read before', () => {
    const marks = new Marks()
    const text = fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '+', '(', '-', 'ü', '中'), maxLength: 100 })
    const search = (rest: string, from: number, pattern: RegExp) => {
      const at = rest.search(pattern)
      return from + (at < 0 ? rest.length : at)
    }
    fc.assert(
      fc.property(text, fc.nat(100), (whole, start) => {
        const from = Math.min(start, whole.length)
        marks.read(unitsOf(whole), from, whole.length)
        for (let i = from; i < whole.length; i++) {
          const rest = whole.slice(i)
          assert.equal(marks.wordEnd(i), search(rest, i, /[^aZ7ü]/), whole)
          assert.equal(marks.digit(i), search(rest, i, /7/), whole)
          assert.equal(marks.beginning(i), search(rest, i, /[aZ7ü+(]/), whole)
        }
      }),
      { numRuns: rounds(300) },
    )
  })
})

describe('context words', () => {
  const keywords = Keywords.of({
    id: ['social security', 'd.o.b', 'ssn', "driver's license", '身份证', 'né le'],
    other: ['order no'],
  })
  const found = (text: string, group = 'id', from = 0) => {
    const reader = keywords.reader()
    reader.read(unitsOf(text), from, text.length)
    return reader.end(keywords.group(group))
  }
  const cases: readonly (readonly [text: string, end: number])[] = [
    ['my SSN: ', 6],
    ['Social Security ', 15],
    ['social_security', 15],
    ['socialSecurity', 14],
    ['social   security', 17],
    ['SOCIAL-SECURITY', 15],
    ['drivers license ', 15],
    ['driver’s  license', 17],
    ['D.O.B. ', 5],
    ['身份证号', 3],
    ['Née', -1],
    ['NÉ LE ', 5],
    ['lessn', -1],
    ['ssnx', -1],
    ['userSsn', 7],
    ['9ssn', -1],
    ['social, security', -1],
    ['order no. ', -1],
  ]
  for (const [text, end] of cases)
    it(`are found in ${JSON.stringify(text)} up to ${end}`, () => assert.equal(found(text), end))

  it('of the rarest letters are found as well', () => {
    const many = Keywords.of({
      id: ['ünïcödé', 'паспорт', '주민등록번호', 'αμκα', 'ünï'],
      other: ['ïcö', 'порт', 'x1'],
    })
    const reader = many.reader()
    for (const [text, id, other] of [
      ['ÜNÏCÖDÉ ', 7, -1],
      ['ünï cö', 3, -1],
      ['ünïcö ïcö', -1, 9],
      ['Паспорт: порт', 7, 13],
      ['주민등록번호', 6, -1],
      ['ΑΜΚΑ x1', 4, 7],
    ] as const) {
      reader.reset()
      reader.read(unitsOf(text), 0, text.length)
      assert.deepEqual([reader.end(0), reader.end(1)], [id, other], text)
    }
  })

  it('are forgotten when the window has passed them', () => assert.equal(found('ssn and more', 'id', 1), -1))
})

describe('arithmetic', () => {
  it('sums and divides digits', () => {
    assert.equal(weightedSum('123', [3, 2, 1]), 10)
    assert.equal(modulo('98765432109876543210', 97), Number(98765432109876543210n % 97n))
  })

  it('recognises valid days', () =>
    assert.deepEqual(
      [isDayOfYear(2, 29), isDayOfYear(2, 30), isDayOfYear(13, 1), isDayOfYear(4, 31), isDayOfYear(1, 0)],
      [true, false, false, false, false],
    ))
  it('rejects trivial numbers', () =>
    assert.deepEqual(['1111', '1234', '9876', '7890', '1224'].map(isTrivial), [true, true, true, true, false]))
})

describe('numbering plans', () => {
  const digits = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 3, maxLength: 11 }))
    .map(([first, rest]) => `${first}${rest.join('')}`)
  const answer = (code: CountryCode, national: string): boolean => {
    const { countries, national: rest } = splitCallingCode(`${metadata.countries[code]![0]}${national}`)!
    return countries.some((one) => isNational(rest, one))
  }

  it('answer as libphonenumber-js does', () => {
    const country = fc.constantFrom<CountryCode>('DE', 'FR', 'ES', 'IN', 'JP', 'NL', 'SE', 'PL', 'PT', 'CH', 'BE', 'AT')
    fc.assert(
      fc.property(country, digits, (code, national) => {
        const expected = isValidPhoneNumber(`+${metadata.countries[code]![0]}${national}`, metadata)
        assert.equal(answer(code, national), expected)
      }),
      { numRuns: rounds(3000) },
    )
  })

  it('accept numbers of any country with a shared calling code', () => {
    const numbers: readonly (readonly [CountryCode, string])[] = [
      ['US', '2015550123'],
      ['CA', '5062345678'],
      ['GB', '2079460958'],
      ['IT', '0612345678'],
      ['AU', '412345678'],
    ]
    for (const [code, national] of numbers) assert.ok(answer(code, national), `${code} ${national}`)
    assert.equal(answer('US', '201555012'), false)
    assert.equal(splitCallingCode('999123'), undefined)
  })
})
