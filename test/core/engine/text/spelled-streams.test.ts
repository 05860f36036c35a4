/** Values in other spellings that come in pieces: none of them may leave, however small the pieces. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin } from 'governed-gateway'
import secrets from '../../../../plugins/secrets/index.ts'
import { Drive } from '../../../eval/drive.ts'
import { chunk, harness } from '../../../helpers/detector.ts'
import { part, rounds, some } from '../../../helpers/rounds.ts'
import { base64, hex } from '../../../helpers/text.ts'
import { Dice } from '../../../spec/oracle/values.ts'

/** How many characters stand before the value, which moves it over the cuts of lines and of base64. */
const BEFORE = part(
  Array.from({ length: 60 }, (_, i) => i),
  29,
)

const KEY = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`
const octal = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`)
const percent = (text: string): string =>
  text.replace(/[\s\S]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
const bold = (text: string): string => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)))
const ascii = (text: string): string =>
  text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const SPELLED: readonly [name: string, text: string][] = [
  ['colours of a terminal', `\u001b[1;31m${KEY}\u001b[0m`],
  ['colours of a terminal in percent', `%1B[1;31m${KEY}%1B[0m`],
  ['halves of pairs', ascii(bold(KEY))],
  ['long escapes', KEY.replace('_', '\\U0000005f')],
  ['percent in octal', octal(percent(KEY))],
  ['an entity with its semicolon behind a backslash', `${KEY.slice(0, 12)}\\&shy\\;${KEY.slice(12)}`],
  ['percent behind backslashes', percent(KEY).replaceAll('%', '\\%')],
  ['base64 that begins with a letter of another script', base64(`\u0410 ${KEY}`)],
  ['base64 behind a hash', `#${base64(KEY)}`],
  ['base64 behind a brace', `{${base64(KEY)}}`],
  ...['&equals;', '&#61;', '%3D', '=3D', '\\u003d', '\\075'].flatMap((sign): [string, string][] => [
    [`base64 padded by ${sign} at the end of a line`, `${base64(` ${KEY}`).replaceAll('=', sign)}\nfor`],
    [`base64 padded twice by ${sign} at the end of a line`, `${base64(KEY).replaceAll('=', sign)}\nfor`],
  ]),
  // The beginning decodes to text by chance.
  ['an escape that shows nothing in base64', base64(`so it goes ${KEY}`).replace(/^(.{12})/, '$1&shy;')],
  ['percent that shows nothing in base64', base64(`so it goes ${KEY}`).replace(/^(.{14})/, '$1%E2%80%8B')],
  ...['\\u{', '&#x'].flatMap((lead): [string, string][] =>
    [11, 12, 15].map((at) => {
      const run = base64(`so it goes ${KEY}`)
      const sign = lead + run.charCodeAt(at).toString(16) + (lead === '&#x' ? ';' : '}')
      return [`${sign} in base64, at ${at}`, run.slice(0, at) + sign + run.slice(at + 1)]
    }),
  ),
  ['hex of letters of another plane', hex(bold(`12 ${KEY}`))],
]

describe('a value in another spelling that comes in pieces', () => {
  const drive = new Drive(secrets)
  for (const [row, [name, spelled]] of SPELLED.entries()) {
    it(`is found: ${name}`, () => {
      const text = `so ${spelled} and more`
      for (const size of some([text.length, 1, 2, 3, 7], 3, row)) {
        const { findings, output } = drive.next().stream(chunk(text, size))
        assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `pieces of ${size}`)
        assert.match(output, /\[GITHUB_TOKEN\].{0,8} and more$/s, `pieces of ${size}`)
        assert.ok(output.length < 50, output)
      }
    })
  }
})

describe('a value that is cut over two lines of base64', () => {
  const drive = new Drive(secrets)
  const BREAKS = {
    'line feeds': '\n',
    'returns and line feeds': '\r\n',
    'line feeds in JSON within JSON': '\\n',
    'line feeds in JSON of three levels': '\\\\n',
    'returns and line feeds in JSON within JSON': '\\r\\n',
    'line feeds in percent': '%0A',
    'line feeds as entities': '&#10;',
    'returns and line feeds as entities': '&#13;&#10;',
    'written-out returns before line feeds': '\\u{d}\n',
    'returns before written-out line feeds': '\r\\n',
    'returns before line feeds as entities': '\r&#10;',
  }
  for (const [name, lineBreak] of Object.entries(BREAKS)) {
    for (const length of [64, 76]) {
      it(`is found in lines of ${length} characters with ${name}`, () => {
        for (const before of BEFORE) {
          const file = `# ${'.'.repeat(before)}\nsee ${KEY}\nPOOL_SIZE=12\nLOG_LEVEL=info\n`
          const lines = base64(file).match(new RegExp(`.{1,${length}}`, 'g')) ?? []
          const text = `so:${lineBreak}${lines.join(lineBreak)}${lineBreak}and more`
          for (const size of some([text.length, 1, 7, length + lineBreak.length], 3, before)) {
            const { findings, output } = drive.next().stream(chunk(text, size))
            assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `${before}, ${size}`)
            assert.doesNotMatch(Buffer.from(output.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString(), /ghp_\w{12}/)
            // A break that is written out behind padding may go with the value, and the word behind it.
            assert.match(output, /^so:.*\[GITHUB_TOKEN\].* more$/s, `${before}, ${size}`)
          }
        }
      })
    }
  }

  it('is found behind an escape, and where an event ends within a line', () => {
    for (const before of BEFORE) {
      const lines = base64(`# ${'.'.repeat(before)}\nsee ${KEY}\nPOOL_SIZE=12\n`).match(/.{1,76}/g) ?? []
      for (const sign of ['\\t', '\\n', '\\\\t']) {
        const text = `one${sign}${lines.join('\n')}\nand more`
        for (const size of some([text.length, 1, 7, 38, 77], 3, before)) {
          const { findings, output } = drive.next().stream(chunk(text, size))
          assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `${before}, ${size}`)
          assert.match(output, /^one.*\[GITHUB_TOKEN\].*and more$/s, `${before}, ${size}`)
        }
      }
    }
  })

  it('is found between escaped quotation marks, which show nothing new', () => {
    // With 55, the second line begins with a line feed.
    for (const before of [55, ...BEFORE]) {
      for (const quote of ['\\"', '\\\\\\"']) {
        const lines = base64(`# ${'.'.repeat(before)}\n${KEY}\n`).match(/.{1,76}/g) ?? []
        const text = `so: {${quote}note${quote}:${quote}${lines.join('\n')}${quote}} and more`
        assert.match(drive.next().reply(text).output, /^so: .*\[GITHUB_TOKEN\].* more$/s, `${before}`)
        for (const size of some([text.length, 1, 7, 38], 3, before)) {
          const { findings, output } = drive.next().stream(chunk(text, size))
          assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `${before}, ${size}`)
          assert.match(output, /^so: .*\[GITHUB_TOKEN\].* more$/s, `${before}, ${size}`)
        }
      }
    }
  })

  it('is found in a line with slashes behind an escape', () => {
    for (const before of BEFORE) {
      const run = base64(`# ${'.~?>'.repeat(15).slice(0, before)}\nsee ${KEY}\n`)
      for (const sign of ['\\t', '\\n', '\\\\r']) {
        const text = `one${sign}${run}${sign}and more`
        for (const size of some([text.length, 1, 7, 38], 3, before)) {
          const { findings, output } = drive.next().stream(chunk(text, size))
          assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `${before}, ${size}`)
          assert.match(output, /^one.*\[GITHUB_TOKEN\].*and more$/s, `${before}, ${size}`)
        }
      }
    }
  })

  it('is found where signs or letters in the lines are escaped', () => {
    const SPELLINGS: Record<string, (line: string) => string> = {
      'slashes as PHP writes them': (line) => line.replaceAll('/', '\\/'),
      'signs as .NET writes them': (line) => line.replaceAll('+', '\\u002B').replaceAll('=', '\\u003D'),
      'signs in percent': encodeURIComponent,
      'signs in percent, twice': (line) => encodeURIComponent(encodeURIComponent(line)),
      'signs in octal': octal,
      'signs as entities of entities': (line) => line.replaceAll('+', '&amp;#43;').replaceAll('/', '&amp;#x2f;'),
      'signs as entities without semicolons': (line) => line.replaceAll('+', '&#43').replaceAll('/', '&#47'),
      'signs as entities': (line) => line.replaceAll('+', '&plus;').replaceAll('/', '&sol;'),
      'a letter': (line) => line.replaceAll('P', '\\u{50}'),
    }
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      for (const [row, lineBreak] of Object.values(BREAKS).entries()) {
        // Percent within percent is read one level at a time.
        if (name.startsWith('signs in percent') && lineBreak.startsWith('&')) continue
        for (const before of BEFORE) {
          // Without signs at the end, the last line is whole before the others are.
          const rest = before % 2 === 0 ? '??>>~~ and POOL_SIZE=12\n' : ''
          const file = `# ${'~?>'.repeat(20).slice(0, before % 57)}\nsee ${KEY}\n${rest}`
          const text = `so: ${(base64(file).match(/.{1,76}/g) ?? []).map(spell).join(lineBreak)} and more`
          for (const size of some([text.length, 1, 5, 70], 4, row)) {
            const { findings, output } = drive.next().stream(chunk(text, size))
            const types = [...new Set(findings.map(({ type }) => type))]
            assert.deepEqual(types, ['github_token'], `${name}, ${JSON.stringify(lineBreak)}, ${before}, ${size}`)
            assert.match(output, /^so: .*\[GITHUB_TOKEN\].* more$/s)
          }
        }
      }
    }
  })

  it('is found where letters are escaped before padding at the end of a line', () => {
    for (const pad of ['', ' ', '  ']) {
      const run = base64(`see ${KEY}${pad}`)
      for (const back of [3, 6, 9, 12, 30]) {
        const at = run.length - back
        const spelled = `\\u{${run.charCodeAt(at).toString(16)}}`
        const text = `so: ${run.slice(0, at)}${spelled}${run.slice(at + 1)}\nand more`
        for (const size of [text.length, 1, 5]) {
          const { findings, output } = drive.next().stream(chunk(text, size))
          assert.deepEqual(
            [...new Set(findings.map(({ type }) => type))],
            ['github_token'],
            `${pad.length} ${back} ${size}`,
          )
          assert.match(output, /^so: \w{0,3}\[GITHUB_TOKEN\]\nand more$/, `${pad.length} ${back} ${size}`)
        }
      }
    }
  })

  it('is found where the breaks are partly written out', () => {
    const SETS = [['\\n'], ['\n', '\\n'], ['\\n', '\\\\n'], ['\r\n', '\\r\\n'], ['\n', '\\n', '\\\\n']] as const
    for (const seed of some([...Array(rounds(600)).keys()], 3)) {
      const dice = new Dice(seed)
      const breaks = dice.pick(SETS)
      const [length, before] = [dice.pick([64, 76]), dice.below(1100)]
      const file = `# ${'.'.repeat(before)}\nsee ${KEY}\n${'POOL_SIZE=12\n'.repeat(dice.below(15))}`
      const lines = base64(file).match(new RegExp(`.{1,${length}}`, 'g')) ?? []
      const share = dice.below(4)
      let lineBreak: string = dice.pick(breaks)
      const text = lines.reduce((all, line) => {
        if (dice.below(4) >= share) lineBreak = dice.pick(breaks)
        return `${all}${lineBreak}${line}`
      })
      const size = dice.pick([text.length, 1, 7, 33, length + lineBreak.length, 1 + dice.below(200)])
      for (const output of [
        drive.next().stream(chunk(`so: ${text} and more`, size)).output,
        drive.next().reply(text).output,
      ]) {
        const rest = output.replace(/\\+[nr]|[^A-Za-z0-9+/]/g, '')
        assert.doesNotMatch(Buffer.from(rest, 'base64').toString(), /ghp_\w{4}|\w{12}9012/, `seed ${seed}`)
        assert.match(output, /\[GITHUB_TOKEN\]/, `seed ${seed}`)
      }
    }
  })

  it('leaves lines without one as they are', () => {
    const lines = (base64('LOG_LEVEL=info and POOL_SIZE=12, as it was\n'.repeat(20)).match(/.{1,76}/g) ?? []).join('\n')
    for (const size of some([lines.length, 1, 7, 77], 3)) {
      const { findings, output } = drive.next().stream(chunk(`so:\n${lines}\nand more`, size))
      assert.deepEqual([findings, output], [[], `so:\n${lines}\nand more`])
    }
  })
})

describe('a private key with escapes in its head', () => {
  const drive = new Drive(secrets)
  const body = '\nMIIEpAIBAAKCAQEA7bq1GkvV4WJdPqBAbL0K\n'
  for (const [head, end] of [
    ['-----BEG=49N PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
    ['-----BEGIN RSA PRI=56ATE KEY-----', '-----END RSA PRI=56ATE KEY-----'],
    ['-----=42EGIN PRIVATE =4bEY-----', '-----=45ND PRIVATE KEY-----'],
    ['=2D----BEGI=4E=20PRIVATE KEY-----', '-----END PRIVATE KEY-----'],
    ['-----BEG%49N PRI&#86;ATE KEY-----', '-----END PRIVATE KEY-----'],
    ['-----BEG\\x49N PRI\\u0056ATE KEY-----', '-----END PRIVATE KEY-----'],
  ] as const) {
    it(`is found: ${head}`, () => {
      const text = `so ${head}${body}${end} and more`
      const whole = drive.next().reply(text).output
      for (const output of [whole, ...[text.length, 1, 2, 7].map((n) => drive.next().stream(chunk(text, n)).output)]) {
        assert.doesNotMatch(output, /MIIEp|JdPq/)
        assert.match(output, /^so \[PRIVATE_KEY\]/)
      }
    })
  }

  it('leaves settings alone', () => {
    for (const text of ['page=42X', '---PAGE=49N', 'A=41B=x', '-----begin=49n']) {
      assert.equal(drive.next().reply(text).output, text)
    }
  })
})

describe('a long text that is encoded', () => {
  const drive = new Drive(secrets)
  const text = `# settings of the service\n${'name = value\n'.repeat(160)}token = ${KEY}\n${'other = value\n'.repeat(40)}`
  for (const [name, encoded] of [
    ['base64', base64(text)],
    ['hex', hex(text)],
  ] as const) {
    it(`is read as a whole: ${name}`, () => {
      for (const size of [4, 50, 1000]) {
        const { findings, output } = drive.next().stream(chunk(`so ${encoded} and more`, size))
        assert.deepEqual([...new Set(findings.map(({ type }) => type))], ['github_token'], `pieces of ${size}`)
        assert.ok(output.length < 50, output)
      }
    })
  }
})

describe('what a stream holds of a run that may be encoded', () => {
  const looks = harness(
    definePlugin({
      name: 'looks',
      schema: { type: 'object', properties: {}, additionalProperties: false },
      create: () => ({ detect: () => {} }),
    }),
  )
  /** What waits behind each piece. */
  const waiting = async (...pieces: string[]): Promise<readonly number[]> =>
    (await looks.output([...pieces, ' end'])).held

  it('is all of it from the fourth character on, if no word or number looks like it', async () => {
    for (const run of [base64('jo.doe@example.org'), base64('5105 1051 0510 5100'), hex('jo.doe@example.org')]) {
      assert.deepEqual(await waiting('so ', run.slice(0, 4), run.slice(4, 8), run.slice(8, 12)), [0, 4, 8, 12], run)
      const [, one, two, three, four, five] = await waiting('so ', ...run.slice(0, 5))
      assert.deepEqual([one, two, three, four, five], [0, 0, 0, 1, 2], run)
    }
  })

  it('is a long run while it encodes text, and no other', async () => {
    const prose = Buffer.from(`${'Ärger über Öl. '.repeat(400)}`)
    const bytes = Buffer.from(prose.map((byte, i) => (i < 600 ? byte : (byte * 31 + i * i) & 255)))
    for (const encoding of ['base64', 'hex'] as const) {
      const held = async (file: Buffer) => (await waiting('so ', ...chunk(file.toString(encoding), 500))).slice(1)
      const text = await held(prose)
      assert.deepEqual(
        text.slice(0, 16),
        Array.from({ length: 16 }, (_, i) => 500 * (i + 1)),
      )
      assert.equal(text[16], 0)
      assert.ok((await held(bytes)).slice(3).every((n) => n < 32))
    }
  })

  it('is nothing of words, numbers and code', async () => {
    const harmless = `Since 2024 the API of GitHub and its iPhone client use JavaScript in 3600 places, NASA too: OK.
      function getName(fooBar: Number, baseUrl) { return dataOf.value.toString() + isDone(x1) / 24 || addAll(9) }`
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const held = await waiting(...chunk(harmless, size))
      assert.deepEqual(
        held.filter((n) => n > 0),
        [],
        `pieces of ${size}`,
      )
    }
  })
})

describe('a value longer than what a stream holds, of which a part is spelled in another way', () => {
  const drive = new Drive(secrets)
  const d = new Dice(20261128)
  const lines = Array.from({ length: 24 }, () => d.text('abcdefgHJKLMNPqrstuvwXYZ23456789+/', 64))
  const pem = (some: readonly string[]): string =>
    `-----BEGIN PRIVATE KEY-----\n${some.join('\n')}\n-----END PRIVATE KEY-----`
  const word = lines.join('').replace(/\W/g, '')
  const LONG: readonly [name: string, text: string, found: string][] = [
    ['its beginning', pem(lines).replace('-BEGIN', '&#45;BEGIN'), '[PRIVATE_KEY]'],
    ['what stands before it', `api_key = &quot;${word}&quot;`, 'api_key = &quot;[API_KEY]&quot;'],
    [
      'lines in the middle',
      pem(lines.map((line, at) => (at > 14 && at < 18 ? line.replace(/^.../, '$&%C2%AD') : line))),
      '[PRIVATE_KEY]',
    ],
    [
      'what stands before it, and a beginning that encodes text',
      `api_key %C2%AD= "${Buffer.from('the quick brown fox jumps over the lazy dog, then it rests a').toString('base64')}.${word.slice(0, 900)}"`,
      'api_key %C2%AD= "[API_KEY]"',
    ],
    ['its end', pem(lines).replace(/-----$/, '--%C2%AD---'), '[PRIVATE_KEY]'],
  ]
  for (const [name, text, found] of LONG) {
    it(`leaves once, as its placeholder: ${name}`, () => {
      for (const size of [10_000, 400, 65, 7, 1]) {
        const { output, findings } = drive.next().stream(chunk(`so ${text} and more`, size))
        assert.equal(output, `so ${found} and more`, `pieces of ${size}`)
        assert.ok(findings.length > 0)
      }
    })
  }

  const prose = 'Some words of a long letter, which says nothing of it. '.repeat(60)
  const spell = (text: string, at: number, by: (code: string) => string): string =>
    text.slice(0, at) + by(text.charCodeAt(at).toString(16).toUpperCase()) + text.slice(at + 1)
  const key = pem(lines)
  for (const [name, by] of [
    ['quoted-printable', (code: string) => `=${code}`],
    ['percent', (code: string) => `%${code}`],
    ['an entity', (code: string) => `&#x${code};`],
    ['JSON', (code: string) => `\\u00${code}`],
  ] as const) {
    it(`leaves once within a long text, complete and in pieces: ${name}`, () => {
      const inBody = key.indexOf('/', key.length / 2)
      for (const at of [4, inBody, key.length - 3]) {
        const text = `${prose}\n${spell(key, at, by)}\n${prose}`
        const said = [drive.next().reply(text), ...[400, 7].map((size) => drive.next().stream(chunk(text, size)))]
        for (const { output } of said) assert.equal(output, `${prose}\n[PRIVATE_KEY]\n${prose}`, `escape at ${at}`)
      }
    })
  }
})
