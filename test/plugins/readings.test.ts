/** Values that are written in another way are found, whatever the detector, buffered and streamed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { testPlugin } from 'governed-gateway/testing'
import { readAgain } from '../../core/engine/text/readings.ts'
import { normalise } from '../../core/engine/text/unicode.ts'
import classification from '../../plugins/classification/index.ts'
import pii from '../../plugins/pii/index.ts'
import policy from '../../plugins/policy/index.ts'
import secrets from '../../plugins/secrets/index.ts'
import { Drive } from '../eval/drive.ts'
import { BEHIND, ENCODINGS, NESTINGS } from '../helpers/encodings.ts'
import { diagonal, rounds } from '../helpers/rounds.ts'
import { AMERICAS } from './pii/cases/americas.ts'
import { ASIA_PACIFIC } from './pii/cases/asia-pacific.ts'
import { unmark } from './pii/cases/cases.ts'
import { CONTACT } from './pii/cases/contact.ts'
import { EUROPE } from './pii/cases/europe.ts'
import { FINANCIAL } from './pii/cases/financial.ts'
import { IN_CONTEXT } from './pii/cases/in-context.ts'

const personal = new Drive(pii, { action: 'redact' })
const secret = new Drive(secrets, { input: 'redact', output: 'redact' })

interface Known {
  readonly drive: Drive
  readonly text: string
  readonly values: readonly string[]
  /** Always: its first characters may be read as part of an escape. */
  readonly drawn: boolean
}

/** Texts whose values are found as they stand. */
const KNOWN: readonly Known[] = [
  ...[...CONTACT, ...FINANCIAL, ...AMERICAS, ...EUROPE, ...ASIA_PACIFIC, ...IN_CONTEXT].flatMap(({ type, good }) =>
    good.map((marked) => {
      const { text, spans } = unmark(marked)
      const values = spans.map(({ start, end }) => text.slice(start, end))
      return { drive: personal, text, values, drawn: type === 'mac_address' || type === 'crypto_wallet' }
    }),
  ),
  ...['ghp', 'gho', 'ghs'].map((kind, i) => known(`${kind}_16C7e42F292c6912E7710c838347Ae178B${i}a`)),
  known('postgres://app:s3cr3tPa55w0rd!@db.internal/main', 's3cr3tPa55w0rd'),
  known('password: "hunter2!Xq9"', 'hunter2!Xq9'),
  known('api_key=9f8e7d6c5b4a39281706f5e4d3c2b1a0', '9f8e7d6c5b4a39281706f5e4d3c2b1a0'),
].filter(({ drive, text, values }) => {
  // A name in quotes is found as it is written, and in JSON.
  if (text.includes('"@')) return false
  // Only what is plain enough that no bytes beyond ASCII begin it.
  const { output } = drive.next().input(text)
  // Some stand alone: behind a word they are numbers of something else.
  const { output: behind } = drive.next().input(`see\n${text}`)
  // Within an encoding, what looks like an escape is read as one: `41=11=11` of a card.
  if (readAgain(text, true).text !== text) return false
  return values.every((value) => !holds(output, value) && !holds(behind, value)) && /^[\x20-\x7e]{9,}$/.test(text)
})

function known(text: string, value = text): Known {
  return { drive: secret, text, values: [value], drawn: false }
}

function compact(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
}

/** Whether a text still holds a value in one of its readings. */
function holds(text: string, value: string): boolean {
  const plain = normalise(text).text
  return [text, plain, readAgain(plain, true).text].some((reading) => compact(reading).includes(compact(value)))
}

const ENCODED = /^[\w+/-]{8,}={0,2}$/

function check({ drive, text, values }: Known, written: string): void {
  const { output } = drive.next().reply(written)
  for (const value of values) assert.ok(!holds(output, value), `${text}: ${written} -> ${output}`)
  // Of a run of base64 or hex, some characters may have left before it is known. `Kreditkarte4012…` is none.
  const isRun = ENCODED.test(written) && written !== text
  const pieces = isRun ? [written.slice(0, 12), written.slice(12)] : [...written]
  const streamed = drive.next().stream(pieces).output
  assert.equal(streamed, output, `${text}: ${written}, streamed`)
  if (!isRun) return
  for (const size of [1, 3, 5]) {
    const tokens = written.match(new RegExp(`.{1,${size}}`, 'g')) as string[]
    const { output: left } = drive.next().stream(tokens)
    for (const value of values) assert.ok(!holds(left, value), `${text}: ${written}, ${size} at once -> ${left}`)
    assert.ok(!left.includes(written.slice(0, 16)), `${text}: ${written}, ${size} at once -> ${left}`)
  }
}

describe('a value', () => {
  it('covers enough kinds', () => assert.ok(KNOWN.length > 400, `${KNOWN.length}`))

  for (const [i, [name, write]] of Object.entries({ ...BEHIND, ...ENCODINGS }).entries()) {
    it(`is found ${name}`, () => {
      const always = name in BEHIND ? KNOWN.filter(({ drawn }) => drawn) : []
      for (const one of new Set([...always, ...diagonal(KNOWN, i)])) {
        // `\0` in front of a digit is octal, and a short number in hex is a number.
        if (name === 'behind \\0' && /^[0-7]/.test(one.text)) continue
        if (name === 'hex' && (one.text.length < 12 || /^\d+$/.test(write(one.text).slice(0, 20)))) continue
        check(one, write(one.text))
      }
    })
  }

  it('is found in encodings within one another, cut anywhere', () => {
    const { base64, base64url, hex, ...readable } = ENCODINGS
    const encoding = fc.constantFrom(...Object.values(readable))
    const nesting = fc.array(fc.constantFrom(NESTINGS.JSON, NESTINGS.percent, NESTINGS.entities), { maxLength: 3 })
    const values = KNOWN.filter(({ text }) => /[@:]|\d{4} /.test(text) && text.length > 14)
    // By its index: a counterexample shall not print the plugin.
    const value = fc.nat(values.length - 1)
    fc.assert(
      fc.property(
        value,
        encoding,
        nesting,
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (index, write, around, cuts) => {
          const one = values[index] as Known
          const written = around.reduce((text, wrap) => wrap?.(text) ?? text, write(one.text))
          // Longer runs are not waited for.
          fc.pre(written.length < 1000)
          const { output } = one.drive.next().reply(written)
          for (const found of one.values) assert.ok(!holds(output, found), `${one.text}: ${written} -> ${output}`)
          const pieces: string[] = []
          for (let at = 0, i = 0; at < written.length; i++) {
            const length = cuts[i % cuts.length] as number
            pieces.push(written.slice(at, at + length))
            at += length
          }
          assert.equal(one.drive.next().stream(pieces).output, output, `${one.text}: ${JSON.stringify(pieces)}`)
        },
      ),
      { numRuns: rounds(300) },
    )
  })
})

describe('what stands around a value', () => {
  it('stays: JSON is JSON, an escape is never cut in two', () => {
    for (const mail of ['nora@example.org', 'tom@example.org', 'jo@example.org', 'rob@example.org']) {
      for (const lead of ['\n', '\t', '\r\n', '"', '\\']) {
        const json = JSON.stringify({ a: `x${lead}${mail}${lead}y` })
        const { output } = personal.next().reply(json)
        assert.equal(JSON.parse(output).a.includes(mail.slice(1)), false, output)
        assert.equal(personal.next().stream([...json]).output, output)
      }
    }
  })

  it('stays in a path, of which at most the first letter of a name may be an escape', () => {
    assert.equal(personal.next().input('C:\\users\\nora@example.org').output, 'C:\\users\\n[EMAIL]')
    assert.equal(personal.next().input('C:\\users\\kim@example.org').output, 'C:\\users\\[EMAIL]')
  })

  for (const text of [
    'C:\\new\\table\\report_2024.txt',
    'a=40b&page=4111&x=%20y',
    '/^\\d+\\n\\t[a-f]+$/',
    '$\\nu = \\frac{1}{\\beta}$ and \\rho_{\\theta}',
    'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
  ]) {
    it(`is left alone: ${text}`, () => {
      for (const drive of [personal, secret]) {
        assert.equal(drive.next().input(text).output, text)
        assert.equal(drive.next().stream([...text]).output, text)
      }
    })
  }

  it('counts a value once that both readings show', () => {
    const drive = personal.next()
    drive.input('a\\n jo@example.org')
    assert.deepEqual(
      drive.inspection.findings.map(({ type, count }) => [type, count]),
      [['email', 1]],
    )
  })
})

describe('keywords', () => {
  const text = 'see\\nfalcon and \\\\tproject\\u0020harvest'
  const rules = (more: object) => ({ rules: [{ name: 'code', keywords: ['falcon', 'project harvest'], ...more }] })

  it('of a policy are found behind written-out line breaks', async () => {
    const options = rules({ action: 'redact' })
    const clean = 'see\\n[CODE] and \\\\t[CODE]'
    await testPlugin(policy, {
      options,
      request: text,
      reply: text,
      expect: { text: clean, sent: { messages: [{ role: 'user', content: clean }] }, detections: { code: 4 } },
    })
  })

  it('of a classification raise the label', async () => {
    await testPlugin(classification, {
      options: rules({ label: 'RESTRICTED' }),
      request: text,
      expect: { service: { classification: 'RESTRICTED' } },
    })
  })
})
