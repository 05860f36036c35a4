import assert from 'node:assert/strict'
import { it } from 'node:test'
import { main } from '../../../core/gateway/cli/cli.ts'
import { createLogger } from '../../../core/services/logger.ts'
import { pretty } from '../../../core/services/pretty.ts'

it('shows a line and an event for people, with secrets redacted as in JSON', () => {
  const lines: string[] = []
  const log = createLogger({ destination: { write: (line) => lines.push(pretty(line, false)) } })
  log.warn({ api_key: 'sk-secret', seconds: 3 }, 'it waits')
  const event = {
    id: 'e',
    type: 'request.completed',
    severity: 'info',
    time: '2026-03-04T05:06:07.089Z',
    status: 200,
  } as const
  log.event(event, true)
  assert.match(lines[0] ?? '', /^\d\d:\d\d:\d\d\.\d{3} WARN {3}it waits {2}api_key=\[redacted\] {2}seconds=3\n$/)
  assert.equal(lines[1], '05:06:07.089 INFO   request.completed  status=200\n')
  assert.equal(pretty('no JSON\n', true), 'no JSON\n')
})

it('lets no value move the cursor, add a line or turn the order of text', () => {
  const odd = 'a\u001b[2Kb\nc\u009bd\u202ee\u2028f'
  const line = pretty(JSON.stringify({ level: 'info', time: '', msg: odd, model: odd }), true)
  const shown = 'a\\u{1b}[2Kb\\u{a}c\\u{9b}d\\u{202e}e\\u{2028}f'
  assert.ok(line.endsWith(`  ${shown}  model=${shown}\n`), JSON.stringify(line))
})

it('start knows its formats', async () => {
  let told = ''
  const io = { stdout: { write: () => true }, stderr: { write: (text: string) => (told += text) } }
  assert.equal(await main(['start', '--log-format', 'xml'], io), 2)
  assert.match(told, /json or pretty/)
})
