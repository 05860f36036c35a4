/** Keys whose beginning encodes text by chance: what is decoded never hides what is written. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readingsInSteps } from '../../../../core/engine/text/complete-readings.ts'
import { Inspection } from '../../../../core/engine/text/inspection.ts'
import { StreamView } from '../../../../core/engine/text/stream-view.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import secrets from '../../../../plugins/secrets/index.ts'
import { Drive } from '../../../eval/drive.ts'
import { chunk } from '../../../helpers/detector.ts'
import { part, some } from '../../../helpers/rounds.ts'
import { base64, hex } from '../../../helpers/text.ts'

const spelled =
  (spell: (code: number) => string) =>
  (text: string): string =>
    text.replace(/[^A-Za-z0-9]/g, (char) => spell(char.charCodeAt(0)))
const entities = spelled((code) => `&#${code};`)

/** All of it encodes text. */
const PASSWORD = 'dGVzMFQgb2Yg'
/** `p4jfF47MTM` in it encodes text. */
const KEY = '3p4jfF47MTMZkWmRZWNvZDntMA87p2Pe'
/** With the sign before it, it begins like quoted-printable. */
const SECRET = '7DYQoybFsKQSMAfEpR8Tmdwz'
const LINES = [
  'MIIEowIBAAKCAQEAz7q0fYkTn5dmKqPzv3sE1xW9hQb2LrJg8aVtNcUoRiXyDwFe',
  `PeaepwpeckT/${PASSWORD}/Zk3mQv8sT1uXyB5dNfGhJ2kLpRwEcV7aUo4iYtMx0`,
  'Qb2LrJg8aVtNcUoRiXyDwFez7q0fYkTn5dmKqPzv3sE1xW9hMIIEowIBAAKCAQEA',
]

const VALUES: readonly [name: string, text: string, rest: string][] = [
  ['a key', `api_key = "${KEY}"`, KEY.slice(-9)],
  ['a password', `password: "${PASSWORD}"`, PASSWORD.slice(-7)],
  ['a secret behind a sign', `client_secret=${SECRET}`, SECRET.slice(-9)],
  [
    'a private key',
    `-----BEGIN RSA PRIVATE KEY-----\n${LINES.join('\n')}\n-----END RSA PRIVATE KEY-----`,
    'IIEowIBAAKCAQEA',
  ],
]
const SPELLINGS: readonly [name: string, spell: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['code points in braces', spelled((code) => `\\u{${code.toString(16)}}`)],
  ['code units', spelled((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
  ['octal', spelled((code) => `\\${code.toString(8).padStart(3, '0')}`)],
  ['percent, twice', spelled((code) => `%25${code.toString(16).padStart(2, '0')}`)],
  ['entities', entities],
  ['entities, twice', (text) => entities(text).replaceAll('&', '&amp;')],
  ['quoted-printable', spelled((code) => `=${code.toString(16).padStart(2, '0').toUpperCase()}`)],
]
const ENCODINGS: readonly [name: string, encode: (text: string) => string][] = [
  ['base64', base64],
  ['hex', hex],
  ['base64, twice', (text) => base64(base64(text))],
  ['base64 of entities', (text) => base64(entities(text))],
]

describe('a value that encodes text by chance', () => {
  const drive = new Drive(secrets, { output: 'redact' })
  const outputs = (said: string): [how: string, output: string][] => [
    ['in a request', drive.next().input(said).output],
    ['in a reply', drive.next().reply(said).output],
    ...some([1, 2, 3, 7], 3).map((size): [string, string] => [
      `in pieces of ${size}`,
      drive.next().stream(chunk(said, size)).output,
    ]),
    ...part(
      Array.from({ length: Math.min(said.length - 1, 120) }, (_, i) => i + 1),
      29,
    ).map((at): [string, string] => [`cut at ${at}`, drive.next().stream([said.slice(0, at), said.slice(at)]).output]),
  ]
  for (const [value, text, rest] of VALUES) {
    for (const [name, spell] of SPELLINGS) {
      it(`is found: ${value}, ${name}`, () => {
        for (const [how, output] of outputs(`so ${spell(text)} and more`)) {
          assert.ok(!output.includes(rest), `${how}: ${output}`)
          assert.match(output, /^so .* and more$/s, how)
        }
      })
    }
    for (const [name, encode] of ENCODINGS) {
      it(`is found: ${value}, ${name}`, () => {
        const encoded = encode(text)
        for (const [how, output] of outputs(`so ${encoded} and more`)) {
          assert.ok(!output.includes(encoded.slice(-24)), `${how}: ${output}`)
          assert.match(output, /^so .* and more$/s, how)
        }
      })
    }
  }

  it('is found in a stream among characters that show nothing, wherever it is cut', () => {
    // The third piece of the key, and it alone, encodes text.
    for (const unseen of ['\u0084', '\u200b']) {
      const said = `so ${['AKIA3', 'CG', 'QMSSQS43P2', 'WKT'].join(unseen)} and more`
      for (let at = 1; at < said.length; at++) {
        const { output } = drive.next().stream([said.slice(0, at), said.slice(at)])
        assert.equal(output, 'so [AWS_ACCESS_KEY_ID] and more', `cut at ${at}`)
      }
    }
  })

  it('is found beside one that encodes a value', () => {
    const token = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`
    const said = `{\\"api_key\\u{22}: \\"${KEY}\\", \\"note\\u{22}: \\"${base64(`use ${token} here`)}\\"} end`
    for (const [how, output] of outputs(said)) {
      assert.ok(!output.includes(KEY.slice(-9)), `${how}: ${output}`)
      assert.ok(!output.includes(base64(token).slice(-9, -3)), `${how}: ${output}`)
      assert.match(output, /end$/, how)
    }
  })
})

describe('the readings of a text with encoded runs', () => {
  const texts = (text: string): string[] => allSteps(readingsInSteps(text)).map(({ read }) => read.text)
  const RUN = base64('write to jo@example.org')

  it('are one without escapes, or without runs', () => {
    assert.deepEqual(texts(`see ${RUN} there`), ['see write to jo@example.org there'])
    assert.deepEqual(texts('see \\u{3d} there'), ['see = there'])
    assert.deepEqual(texts('see it there'), [])
  })

  it('are one with runs decoded, and one with escapes alone', () => {
    assert.deepEqual(texts(`see \\u{3d} ${RUN} there`), ['see = write to jo@example.org there', `see = ${RUN} there`])
  })

  it('are one for each depth of runs within runs, however many there are', () => {
    const deep = `a %40 ${base64(`b ${base64(`c ${RUN}`)}`)} d`
    assert.deepEqual(texts(`see \\u{3d} ${deep}`), [
      'see = a @ b c write to jo@example.org d',
      `see = a @ ${base64(`b ${base64(`c ${RUN}`)}`)} d`,
      `see = a @ b ${base64(`c ${RUN}`)} d`,
      `see = a @ b c ${RUN} d`,
    ])
    assert.equal(texts(`\\u{3d} ${`${deep} `.repeat(50)}`).length, 4)
  })

  it('tell quoted-printable from signs at every depth', () => {
    assert.deepEqual(texts('client\\u{5f}secret=7DYQ'), ['client_secret}YQ', 'client_secret=7DYQ'])
    assert.deepEqual(texts('client\\u{5f}secret\\u{3d}7DYQ'), ['client_secret}YQ', 'client_secret=7DYQ'])
    const run = base64('client_secret=7DYQ')
    assert.deepEqual(texts(`see ${run}`), ['see client_secret}YQ', 'see client_secret=7DYQ'])
    assert.deepEqual(texts(`=20 &amp;#64; ${run}`), [
      '  @ client_secret}YQ',
      `=20 @ ${run}`,
      `  @ ${run}`,
      '  @ client_secret=7DYQ',
    ])
    assert.deepEqual(texts('see page=20&x'), ['see page &x'])
  })

  it('show runs as they are with the escapes around them alone', () => {
    const words = 'and so on \\u{3d} '.repeat(200)
    const [all = '', shallow = '', ...more] = texts(`${words}${RUN} ${words}`)
    assert.equal(more.length, 0)
    assert.ok(all.length > 4000 && shallow.length < 1200, `${all.length} ${shallow.length}`)
    assert.ok(shallow.includes(`= ${RUN} and so on =`), shallow)
  })

  it('show each of two that are alike', () => {
    const one = `\\u{3d} ${RUN} `
    const between = `${'and so on '.repeat(300)}\\u{22} ${'and so on '.repeat(300)}`
    assert.equal(texts(`${one}${between}${one}`).filter((text) => text.includes(RUN)).length, 2)
  })

  it('keep the padding of runs from joining lines', () => {
    const run = base64('a card of some sort.')
    assert.deepEqual(texts(`\\u{22} ${run}\nab`), ['" a card of some sort.\nab', `" ${run}\nab`])
    assert.deepEqual(texts(`\\u{22} ${run.replace('=', '%3D')}\nab`), ['" a card of some sort.\nab', `" ${run}\nab`])
  })

  it('go on over all lines of base64 with a code in one of them', () => {
    // Its lines of base64 have no digits.
    const rest = 'qxvw'.repeat(120)
    const inner = `${RUN} ${rest}.`.replace(/./g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    for (const end of ['\n', '\r\n'])
      for (let ahead = 0; ahead < 57; ahead++) {
        const lines = base64(`${'-'.repeat(ahead)} ${inner}`).match(/.{1,76}/g) as string[]
        const written = texts(`see ${lines.join(end)} there`).filter((text) => text.includes(RUN))
        assert.deepEqual(written, [`see ${'-'.repeat(ahead)} ${RUN} ${rest}. there`], `${ahead} ahead`)
      }
  })

  it('grow with a stream, and end behind the run', () => {
    const origin = { channel: 'content', role: undefined, choice: 0, path: 'content' } as const
    const view = new StreamView(new Inspection({}), 1, origin, () => undefined)
    const counts: number[] = []
    for (const piece of ['see ', '\\u{3d} ', 'then ', `${RUN} `, 'go on ', ...Array<string>(80).fill('and so on ')]) {
      view.append(piece)
      view.prepare()
      counts.push(view.readings.length)
      view.settle()
    }
    assert.deepEqual(counts.slice(0, 5), [0, 1, 1, 2, 2])
    assert.equal(counts.at(-1), 0)
  })
})
