import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readAgain } from '../../../../core/engine/text/readings.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { base64, hex } from '../../../helpers/text.ts'

const decoded = (text: string): string => readAgain(text, true).text

const CASES: readonly [name: string, text: string, decoded: string][] = [
  ['line breaks and tabs', 'a\\nb\\tc\\rd', 'a\nb\tc\rd'],
  ['backslashes doubled by nesting', 'a\\\\\\\\nb', 'a\nb'],
  ['slashes of JSON', '12\\/03\\/1980', '12/03/1980'],
  ['Markdown', 'ghp\\_x jo\\@x\\.org \\*', 'ghp_x jo@x.org *'],
  ['octal', 'jo\\100x\\056org', 'jo@x.org'],
  ['octal digits in a row', '\\064\\061\\061\\061', '4111'],
  ['NUL before a number', '\\04111 1111', ' 4111 1111'],
  ['octal before digits, behind octal in the same word', '\\042see\\04062\\056137\\\\056167', '"see 62.137.167'],
  ['octal before digits in quotes of a shell', "$'see\\04062\\0123'", "$'see 62\n3'"],
  [
    'octal line breaks before digits',
    'see\\0124111\\0111111 x\\12DE89 \\40+49 \\1249',
    'see\n4111\t1111 x\nDE89  +49 T9',
  ],
  ['a blank of a shell', 'ls Project\\ Falcon/x', 'ls Project Falcon/x'],
  ['octal between digits and letters', '4111\\0551111 xoxb\\0552701 \\0531', '4111-1111 xoxb-2701 +1'],
  [
    'octal between digits behind an invisible character',
    'DE65\\0401763%E2%80%8B\\0401211&#8203;\\0404111&shy;\\04031\\u200b\\0407',
    'DE65 1763 1211 4111 31 7',
  ],
  [
    'octal between digits behind a character that shows nothing',
    "45\ufeff\\056175\ufeff\ufeff\\056136 $'4\ufeff5\\056117' 1&shy;\ufeff\\0552",
    "45.175.136 $'45.117' 1-2",
  ],
  ['base64 that goes on behind an invisible character', 'Ry7ngZNee3&ZeroWidthSpace;nVZ9TD5v9', 'Ry7ngZNee3nVZ9TD5v9'],
  [
    'base64 in two parts',
    `${base64('jo@example.org!').slice(0, 12)}%E2%80%8B${base64('jo@example.org!').slice(12)}`,
    'jo@example.org!',
  ],
  ['base64 behind a word and an invisible character', `see%E2%80%8B ${base64('jo@x.org!')}.`, 'see jo@x.org!.'],
  ['octal of base64', 'Hk4\\0537CWy QS\\0572K a\\0751', 'Hk4+7CWy QS/2K a=1'],
  ['percent in octal before digits', 'xoxb\\0452d4742 jo\\0452E1985', 'xoxb-4742 jo.1985'],
  ['percent in braces before digits that look like hex', 'a\\u{25}2d737025376278 x', 'a-737025376278 x'],
  ['hex behind an encoded percent', 'a\\u0025 686572652069742069730a', 'a% here it is\n'],
  ['percent in octal', '\\04540 x\\0454F\\04541', '@ xOA'],
  ['controls that nobody sees', 'a\\u0084b\\x7fc&#132;d\\u0001e%C2%9Ff', 'abcdef'],
  ['look-alikes that escapes stood for', '\u0410KIA ѕ\\u{43a}-proj', 'AKIA sk-proj'],
  ['invisible characters by name', 'a&shy;b&ZeroWidthSpace;c', 'abc'],
  ['a quoted value behind a bare label', 'password: \\"x\\"', 'password: "x"'],
  ['code points in braces', 'jo\\u{40}x', 'jo@x'],
  ['control characters', 'a\\u000ab\\x09c\\u0000d', 'a\nb\tcd'],
  ['colours of a terminal', '\\e[31mred\\033[0m, \\x1b[1;4mbold', 'red, bold'],
  ['colours in percent and entities', 'a%1B[31mb&#27;[0m', 'ab'],
  ['an entity in octal before digits', 'xoxb\\046\\043X2D\\0733506', 'xoxb-3506'],
  ['a named entity in octal before digits', '4111\\046hyphen\\0731111', '4111-1111'],
  ['padding in quoted-printable', `${base64('jo@example.org!')}=3D`.replace('==3D', '=3D='), 'jo@example.org!'],
  ['percent of percent in octal', 'x\\0452540 y', 'x@ y'],
  ['percent in quoted-printable behind a digit', '=252B1=2520212=2520434', '+1 212 434'],
  ['letters before digits that are no control', 'note=132&amp;#45;22', 'note=132-22'],
  ['a named entity between digits behind an equals sign', 'note=251&hyphen;31&hyphen;9047', 'note=251-31-9047'],
  ['quoted-printable before the next member of a query', 'k=3D=22a1b=22&r=1', 'k="a1b"&r=1'],
  ['percent between digits behind an equals sign', 'n=251%2D31%2D9047 n=4012%208888', 'n=251-31-9047 n=4012 8888'],
  [
    'an invisible character in digits behind an equals sign',
    'n=25%E2%80%8B1-31-9047 n=18%C2%AD3-55',
    'n=251-31-9047 n=183-55',
  ],
  ['JSON between digits behind an equals sign', 'note=251\\u002d31\\u002d9047', 'note=251-31-9047'],
  ['a line that goes on', 'jo@exam\\\nple.org', 'jo@example.org'],
  ['nested entities', 'jo&amp;#64;x &amp;amp;commat; &quot;a&quot;', 'jo@x @ "a"'],
  ['line breaks as entities', 'a&#10;b&NewLine;c&#x9;d', 'a\nb\nc\td'],
  ['nested percent', 'jo%2540x', 'jo@x'],
  ['control characters in percent', 'a%0A%0Db%09c', 'a\n\rb\tc'],
  ['UTF-8 in percent', '%EF%BC%94%C3%A9', '4é'],
  ['quoted-printable', 'jo=40x=2Eorg, a=\r\nb =34=31', 'jo@x.org, ab 41'],
  ['kinds within one another', '%26%2364%3B \\&#64; =5Cn', '@ @ \n'],
  ['base64', `see ${base64('jo@x.org')}.`, 'see jo@x.org.'],
  ['base64 that begins with a line break', `see ${base64('\njo@example.org')}.`, 'see \njo@example.org.'],
  ['base64 that begins with a tab', `see ${base64('\tjo@example.org')}.`, 'see \tjo@example.org.'],
  ['base64 without padding, in an address', 'http://x.org/am9AeC5vcmc/y', 'http://x.org/jo@x.org/y'],
  ['base64 of base64', base64(base64('jo@example.org')), 'jo@example.org'],
  ['base64 of JSON', base64('{"a":"x\\n4111"}'), '{"a":"x\n4111"}'],
  ['hex', `0x${hex('jo@x.org')} ${hex('4111 1111 1111')}`, 'jo@x.org 4111 1111 1111'],
]

const SAME: readonly string[] = [
  '',
  'plain text, 100% of it',
  'internationalization of HTTP/2 characteristics',
  '/usr/local/share/applications/mimeinfo.cache',
  '{\\"a\\": [\\"b\\"]}',
  '\\d+\\w*\\s \\k',
  'page=42&x=1',
  'x==y && a=b',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'C:\\Windows\\System32',
]

describe('the second reading', () => {
  for (const [name, text, expected] of CASES) it(`decodes ${name}`, () => assert.equal(decoded(text), expected))
  for (const text of SAME)
    it(`is the first one for ${JSON.stringify(text)}`, () => assert.equal(readAgain(text, true).differs, false))

  const PIECES = [
    ...'an4 e0x=\\%&/,'.split(''),
    '\\n',
    '\\\\t',
    '\\u{40}',
    '\\100',
    '%2540',
    '&amp;',
    '#64;',
    '=40',
    '=251',
    '&hyphen;',
    '%2D',
    '=\r\n',
    '\\e[1m',
    '漢',
  ]
  const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 16 }).map((pieces) => pieces.join(''))

  it('leads back to whole escapes, in order', () => {
    fc.assert(
      fc.property(anyText, (source) => {
        const { text, map } = readAgain(source, true)
        let last = 0
        for (let i = 0; i < text.length && map !== undefined; i++) {
          const [start, end] = map.toRaw(i, i + 1)
          assert.ok(start >= last && start < end && end <= source.length)
          assert.ok(map.floor(start) <= start)
          last = start
        }
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('shows of an unfinished text only what stays as it is', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        const part = readAgain(left, false)
        const whole = decoded(left.slice(0, part.shown))
        assert.equal(part.text, whole)
        assert.ok(decoded(left + right).startsWith(part.text), JSON.stringify([left, right]))
      }),
      { numRuns: rounds(3000) },
    )
  })

  for (const unit of [
    '\\',
    '\\n',
    '&amp;',
    '%25',
    '%',
    '=',
    '=4',
    'am9AeC5vcmc',
    'am9A/',
    '34',
    'a/',
    '\\0',
    'QU',
    '&#',
  ]) {
    it(`takes linear time on repeated ${JSON.stringify(unit)}`, () => {
      const text = unit.repeat(Math.ceil(51_200 / unit.length))
      let best = Number.POSITIVE_INFINITY
      for (let round = 0; round < 3; round++) {
        const start = process.cpuUsage()
        readAgain(text, true)
        readAgain(text, false)
        const { user, system } = process.cpuUsage(start)
        best = Math.min(best, (user + system) / 1000)
      }
      assert.ok(best < 100, `${best} ms`)
    })
  }
})
