import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPlugin } from 'governed-gateway/testing'
import pii from '../../../plugins/pii/index.ts'
import { Drive } from '../../eval/drive.ts'
import { FAST, FORMS, some } from '../../helpers/rounds.ts'
import { unmark } from './cases/cases.ts'
import { EMAIL_QUOTED } from './cases/email-quoted.ts'

const drive = new Drive(pii)

describe('pii: addresses with a quoted name', () => {
  it('keeps one from passing, whole or streamed', async () => {
    const text = 'Write to "karl zimmer"@example.org today'
    await testPlugin(pii, {
      request: text,
      reply: text,
      variants: FAST ? FORMS : ['buffered', 'streamed'],
      expect: {
        text: 'Write to [EMAIL] today',
        sent: { messages: [{ role: 'user', content: 'Write to [EMAIL] today' }] },
      },
    })
    await testPlugin(pii, {
      options: { action: 'block' },
      request: text,
      variants: FORMS,
      expect: { outcome: 'blocked', status: 403, sent: null },
    })
  })

  it('reads through escapes', () => {
    for (const form of [
      '{"to":"\\"karl zimmer\\"@example.org"}',
      'mailto:%22karl%20zimmer%22%40example.org',
      '&quot;karl zimmer&quot;@example.org',
      '＂karl zimmer＂＠example.org',
    ])
      assert.doesNotMatch(drive.input(form).output, /karl|zimmer|example/, form)
  })

  it('gives the same result at every split of a stream in two, and one character at a time', () => {
    for (const [row, marked] of [...EMAIL_QUOTED.good, ...EMAIL_QUOTED.bad].entries()) {
      const { text } = unmark(marked)
      const whole = drive.reply(text)
      const splits = Array.from({ length: text.length - 1 }, (_, i) => [text.slice(0, i + 1), text.slice(i + 1)])
      for (const pieces of [...some(splits, 5, row), [...text]]) {
        const { output, findings } = drive.stream(pieces)
        assert.equal(output, whole.output, pieces.join('|'))
        assert.deepEqual(findings, whole.findings, pieces.join('|'))
      }
    }
  })

  it('holds a quotation no longer than such a name, and what follows one not at all', () => {
    const words = 'and so on '.repeat(20)
    assert.ok(Math.max(...drive.stream([...`He said "${words}`]).held) <= 64 + 'so'.length)
    for (const text of ['He said "yes," and', '{"name": "karl", "city": ', 'print("x") # and'])
      for (const held of drive.stream([text, words]).held) assert.ok(held <= 'print'.length, `${text}: ${held}`)
  })

  it('takes time that grows with the length, whatever opens, closes or escapes', () => {
    for (const unit of some(['"@', '"a"@', '\\"a\\"@', '\\"@', ' "', '\\', '"a@b.c', ' "x"@'])) {
      const start = process.cpuUsage()
      drive.input(unit.repeat(200_000))
      assert.ok(process.cpuUsage(start).user < 4e6, unit)
    }
  })
})
