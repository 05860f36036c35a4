/** A provider that repeats a delta writes a value directly behind itself. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../plugins/pii/index.ts'
import secrets from '../../plugins/secrets/index.ts'
import { Drive } from '../eval/drive.ts'
import { chunk } from '../helpers/detector.ts'

const VALUES: readonly [type: string, value: string][] = [
  ['credit_card', '4012888888881881'],
  ['credit_card', '4012 8888 8888 1881'],
  ['us_ssn', '441-71-6195'],
  ['iban', 'DE89370400440532013000'],
  ['iban', 'DE89 3704 0044 0532 0130 00'],
  ['ip_address', '81.139.111.164'],
  ['email', 'jo.doe@example.org'],
  ['phone', '+1 212 355 0142'],
  ['aws_access_key_id', 'AKIAQ3EGRIXTNO5ZKLPV'],
  ['aws_access_key_id', 'AKIAYTWNVKPPTUAAJKEY'],
  ['stripe_secret_key', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc'],
  ['password', 'password: ufnn4MUF78yfqaa'],
  ['github_token', 'ghp_abcdEFGH1234ijklMNOP5678qrstUVWX9012'],
]

describe('a value directly behind itself', () => {
  const drives = [new Drive(pii), new Drive(secrets)]
  const driveOf = (type: string) => drives[/key|token|password/.test(type) ? 1 : 0] as Drive
  for (const [type, value] of VALUES) {
    for (const times of type === 'email' ? [2] : [2, 3, 4]) {
      it(`is found: ${value.slice(0, 14)}…, ${times} times`, () => {
        const text = `so ${value.repeat(times)} and more`
        const drive = driveOf(type)
        const whole = drive.next().reply(text)
        assert.doesNotMatch(whole.output, new RegExp(value.slice(-10, -2).replaceAll('.', '\\.')))
        assert.ok(whole.findings.some((finding) => finding.type === type))
        for (const size of [1, 2, 3, 5, value.length])
          assert.equal(drive.next().stream(chunk(text, size)).output, whole.output, `pieces of ${size}`)
      })
    }
  }

  it('is found behind a label of a shorter value, with which it begins', () => {
    const text = 'location: 81.139.111.16481.139.111.164 and more'
    const drive = driveOf('ip_address')
    assert.equal(drive.next().reply(text).output, 'location: [IP_ADDRESS] and more')
    for (const size of [1, 2, 3, 5]) {
      assert.equal(
        drive.next().stream(chunk(text, size)).output,
        'location: [IP_ADDRESS] and more',
        `pieces of ${size}`,
      )
    }
    assert.equal(drive.next().reply('location: 48.137.11.576').output, 'location: 48.137.11.576')
  })

  it('is nothing else that is there twice, nor a value with more behind it', () => {
    const key = 'AKIAQ3EGRIXTNO5ZKLPV'
    for (const text of [
      'order 2024112420241124 of 2024112420241124',
      'id 12345678901234567890 and 00000000000000000000',
      'sum deadbeefdeadbeefdeadbeefdeadbeef',
      'so 401288888888188140128888888818817 and 40128888888818814012',
      `so ${key}${key}X and ${key}AKIA`,
    ]) {
      for (const drive of drives) {
        assert.deepEqual(drive.next().reply(text).findings, [], text)
        for (const size of [1, 4]) assert.equal(drive.next().stream(chunk(text, size)).output, text, text)
      }
    }
  })
})
