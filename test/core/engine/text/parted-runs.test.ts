/** Base64 and hex with characters in them that show nothing, between words that such characters part. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodedRuns } from '../../../../core/engine/text/encoded-runs.ts'
import secrets from '../../../../plugins/secrets/index.ts'
import { Drive } from '../../../eval/drive.ts'
import { chunk } from '../../../helpers/detector.ts'
import { part, some } from '../../../helpers/rounds.ts'
import { base64, hex } from '../../../helpers/text.ts'

const KEY = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`
const CODES: Record<string, string> = {
  base64: base64(`${KEY}!.`),
  'base64 of a line between others': base64(`\n${KEY}\n`),
  hex: hex(KEY),
}
const AROUND: Record<string, readonly [string, string]> = {
  'between words': ['I note ', ' for later'],
  'between records': ['A=b\0TOKEN=', '\0PATH=/usr/bin'],
  'between words that show nothing parts': ['so it\u200b', '\u200bgoes on'],
}

describe('a value in base64 or hex with characters that show nothing', () => {
  const drive = new Drive(secrets, { input: 'redact', output: 'redact' })
  for (const [code, run] of Object.entries(CODES)) {
    for (const [name, [before, after]] of Object.entries(AROUND)) {
      it(`does not pass at any place: ${code} ${name}`, () => {
        for (const at of part(
          Array.from({ length: run.length - 1 }, (_, i) => i + 1),
          7,
          5,
        )) {
          for (const second of ['', '\ufeff']) {
            const spelled = [run.slice(0, at), '\u3164', run.slice(at, at + 5), second, run.slice(at + 5)].join('')
            const text = before + spelled + after
            for (const size of some([text.length, 1, 3, 7], 2, at)) {
              const { output } = drive.next().stream(chunk(text, size))
              const seen = output.replace(/[\u3164\u200b\ufeff\0]/g, '')
              assert.ok(!seen.includes(run.slice(8, -8)), `at ${at} in pieces of ${size}: ${seen}`)
            }
          }
        }
      })
    }
  }
})

describe('runs with seams', () => {
  const texts = (text: string): string[] => (encodedRuns(text, 0) ?? []).map(({ text }) => text)
  const RUN = base64('note: jo@example.org')
  const seam = (...parts: string[]): string => parts.join('\ufeff')
  const CASES: readonly [name: string, text: string, runs: readonly string[]][] = [
    ['is read whole', seam(RUN.slice(0, 12), RUN.slice(12)), ['note: jo@example.org']],
    [
      'is read whole before a word',
      seam(RUN.slice(0, 5), RUN.slice(5).replace('=', ''), 'PATH'),
      ['note: jo@example.org'],
    ],
    ['is read whole behind words', seam('so', 'it', 'was', RUN.slice(0, 5), RUN.slice(5)), ['note: jo@example.org']],
    [
      'is read with the word behind it, and without',
      seam(RUN.replace('=', ''), 'was'),
      ['note: jo@example.org0j\nnote: jo@example.org'],
    ],
    ['are two', seam(base64('note: jo@xy.org!'), base64('and also an@xy.org')), ['note: jo@xy.org!and also an@xy.org']],
    ['are words', seam('words', 'that', 'nothing', 'parts'), []],
    ['is in many pieces', seam('it', ...RUN), ['note: jo@example.org']],
  ]
  for (const [name, text, runs] of CASES)
    it(name, () => {
      assert.deepEqual([texts(text).join('')], [runs.join('')])
    })
})

it('a value does not pass in lines of base64 with characters that show nothing', () => {
  const drive = new Drive(secrets, { input: 'redact', output: 'redact' })
  for (const length of [64, 76]) {
    for (const before of [4, 30, 51]) {
      const lines = base64(`# ${'.'.repeat(before)}\nsee ${KEY}\nPOOL_SIZE=12\n`).match(
        new RegExp(`.{1,${length}}`, 'g'),
      )
      for (const lineBreak of ['\n', '\r\n', '\\n']) {
        const run = (lines ?? []).join(lineBreak)
        for (const at of part(
          Array.from({ length: run.length - 1 }, (_, i) => i + 1),
          13,
          13,
        )) {
          const text = `so ${run.slice(0, at)}\u3164${run.slice(at)} and more`
          for (const size of some([text.length, 1, 7, 38], 4, at)) {
            const { output } = drive.next().stream(chunk(text, size))
            const rest = output.replace(/\u3164|\\+[nr]|^so | and more$|[^A-Za-z0-9+/]/g, '')
            const seen = Buffer.from(rest, 'base64').toString()
            assert.doesNotMatch(
              seen,
              /ghp_\w{4}|\w{12}9012/,
              `${JSON.stringify(lineBreak)}, ${length}, ${before}: at ${at}, pieces of ${size}`,
            )
          }
        }
      }
    }
  }
})
