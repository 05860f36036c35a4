/** Values that a second spelling takes apart at its own signs: points of a token, quotes of JSON in JSON. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readingsInSteps } from '../../../../core/engine/text/complete-readings.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import secrets from '../../../../plugins/secrets/index.ts'
import { Drive } from '../../../eval/drive.ts'
import { chunk } from '../../../helpers/detector.ts'
import { part } from '../../../helpers/rounds.ts'

const drive = new Drive(secrets, { output: 'redact' })
const outputs = (said: string): [how: string, output: string][] => [
  ['in a request', drive.next().input(said).output],
  ['in a reply', drive.next().reply(said).output],
  ...[1, 2, 3, 7, 64].map((size): [string, string] => [
    `in pieces of ${size}`,
    drive.next().stream(chunk(said, size)).output,
  ]),
  ...part(Array.from({ length: said.length - 1 }, (_, i) => i + 1)).map((at): [string, string] => [
    `cut at ${at}`,
    drive.next().stream([said.slice(0, at), said.slice(at)]).output,
  ]),
]
const gone = (said: string, rest: string): void => {
  for (const [how, output] of outputs(`so ${said} and more`)) {
    assert.ok(!output.includes(rest), `${how}: ${output}`)
    assert.match(output, /^so .* and more$/s, how)
  }
}

const base64url = (text: string): string => Buffer.from(text).toString('base64url')
const readings = (text: string): string[] => allSteps(readingsInSteps(text)).map(({ read }) => read.text)

describe('a signed token in quoted-printable', () => {
  const header = base64url('{"alg":"RS256","typ":"JWT"}')
  const signature = 'ZPPyaa3BRwfnxHyPcKCY6mIQaVhCHAK4MZDTdM4MMV7EmT29Qj'
  for (const claims of [
    '{"sub":"hnvvbs","scope":"Q"}',
    '{"sub":"hnvvbs","scope":"QQ"}',
    '{"sub":"hnvvbs","scope":"QQQ"}',
  ])
    it(`is found with ${base64url(claims).length % 4} characters over in its claims`, () => {
      gone([header, base64url(claims), signature].join('=2E'), signature.slice(-12))
      gone(`${header}=2E${base64url(claims)}.${signature}`, signature.slice(-12))
    })

  it('is no padding: that of a run is taken away as before', () => {
    const run = Buffer.from('write to jo@example.org!').toString('base64')
    const padded = Buffer.from('write to jo@example.org').toString('base64')
    assert.ok(padded.endsWith('='))
    assert.equal(readings(`see ${run}=2E There`)[0], 'see write to jo@example.org!. There')
    for (const end of ['', '\r\n', ' 2E'])
      assert.ok(readings(`see ${padded}${end} there`)[0]?.startsWith(`see write to jo@example.org${end} there`))
    assert.equal(readings(`see ${padded}3D there`)[0], 'see write to jo@example.org there')
  })
})

describe('a labelled token in JSON of several levels', () => {
  const key = '5TiEzgpRRmWiwZwjQJC89rigbI8nsqTiyftcKNqrizWPTiX2hbm79pHVIBfzeE6W'
  const nest = (text: string, levels: number): string => {
    let json = text
    for (let i = 0; i < levels; i++) json = JSON.stringify({ note: `see ${json} here` })
    return json
  }
  for (const levels of [1, 2, 3, 4])
    it(`is found at level ${levels}, of any length`, () => {
      for (const value of [key.slice(0, 32), key.repeat(5).slice(0, 310)])
        gone(nest(`"access_token": "${value}"`, levels), value.slice(-12))
    })

  it('is read again once, and only if its quotes have more than one backslash', () => {
    assert.deepEqual(readings('see {\\"a\\": \\"b\\"} there'), [])
    assert.deepEqual(readings('see {\\\\\\"a\\\\\\": \\\\\\"b\\\\\\"} there'), ['see {"a": "b"} there'])
  })
})
