/** Long texts are read in pieces, so that others get their turn; what is found must not hang on where a piece ends. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pii from '../../plugins/pii/index.ts'
import secrets from '../../plugins/secrets/index.ts'
import { harness } from '../helpers/detector.ts'

/** Where the plugins cut a text. */
const CUT = 32 * 1024
const WORDS = 'the quick brown fox jumps over a lazy dog and '
const filler = (length: number): string =>
  WORDS.repeat(Math.ceil(length / WORDS.length))
    .slice(0, length - 1)
    .padEnd(length)

interface Case {
  readonly plugin: Parameters<typeof harness>[0]
  readonly options: object
  readonly value: string
  /** What stands in its place. */
  readonly becomes: string
}

const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgHcTz6sE2I2yPB\n'.repeat(12)}-----END RSA PRIVATE KEY-----`
const subkey = { subkey: () => Buffer.alloc(32, 7) }
const cases: Case[] = [
  { plugin: pii as never, options: {}, value: 'jo.doe42@example.org', becomes: '[EMAIL]' },
  { plugin: pii as never, options: {}, value: '4111 1111 1111 1111', becomes: '[CREDIT_CARD]' },
  {
    plugin: pii as never,
    options: { patterns: [{ type: 'ticket', pattern: 'TICKET-[0-9]{4,40}', max_length: 48 }] },
    value: 'TICKET-1234567890',
    becomes: '[TICKET]',
  },
  {
    plugin: secrets as never,
    options: { input: 'redact' },
    value: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    becomes: '[GITHUB_TOKEN]',
  },
  { plugin: secrets as never, options: { input: 'redact' }, value: KEY, becomes: '[PRIVATE_KEY]' },
]

describe('a value on the border of two pieces of a long text', () => {
  for (const { plugin, options, value, becomes } of cases) {
    it(`${becomes} of ${plugin.name} is found once and whole`, async () => {
      const one = harness(plugin, options, {}, subkey as never)
      const [short] = await Promise.all([one.input(`see ${value} there`)])
      const replaced = short.text.slice(4, -6)
      const step = Math.max(1, Math.floor(value.length / 24))
      for (let before = CUT - value.length - 8; before <= CUT + 8; before += step) {
        const outcome = await one.input(`${filler(before)}${value} ${filler(2 * CUT)}`)
        const shown = outcome.text.slice(before, before + replaced.length + 20)
        assert.equal(outcome.text, `${filler(before)}${replaced} ${filler(2 * CUT)}`, `${before}: ${shown}`)
        assert.deepEqual(outcome.findings, short.findings)
      }
    })
  }

  it('many values, one after another, are all found', async () => {
    const text = 'jo.doe42@example.org '.repeat(10_000)
    const outcome = await harness(pii as never, {}, {}, subkey as never).input(text)
    assert.equal(outcome.text, '[EMAIL] '.repeat(10_000))
    assert.deepEqual(
      outcome.findings.map(({ count }) => count),
      [10_000],
    )
  })
})
