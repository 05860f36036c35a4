import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../core/engine/contract/errors.ts'
import { createLogger, type Logger, type LogLevel } from '../../../core/services/logger.ts'

function sink(level: LogLevel = 'info'): { log: Logger; lines: Record<string, unknown>[]; text: () => string } {
  const raw: string[] = []
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => {
    raw.push(line)
    lines.push(JSON.parse(line) as Record<string, unknown>)
  }
  return { log: createLogger({ level, destination: { write } }), lines, text: () => raw.join('') }
}

describe('log', () => {
  it('writes JSON lines with level, time and pid', () => {
    const { log, lines } = sink()
    const before = Date.now()
    log.info({ request_id: 'r1', status: 200 }, 'request')
    const { time, ...rest } = lines[0]!
    assert.deepEqual(rest, { level: 'info', pid: process.pid, request_id: 'r1', status: 200, msg: 'request' })
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(Math.abs(Date.parse(String(time)) - before) < 5000)
  })

  it('writes from its level on, which may change', () => {
    const { log, lines } = sink('warn')
    log.info({}, 'no')
    log.warn({}, 'yes')
    log.level = 'debug'
    log.debug({}, 'now')
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['yes', 'now'],
    )
  })

  it('hides secrets by name at any depth, and leaves the object as it was', () => {
    const { log, lines, text } = sink()
    const headers = { Authorization: 'Bearer s3cr3t', 'x-api-key': 's3cr3t', accept: 'a' }
    const fields = {
      headers,
      key: 's3cr3t',
      auth_token: 's3cr3t',
      authToken: 's3cr3t',
      signing_secret: { nested: 's3cr3t' },
      secret: 123456,
      list: [{ deeper: { password: 's3cr3t' } }],
      url: 'https://user:s3cr3t@host/p?token=s3cr3t',
      path: '/v1/models?key=s3cr3t',
    }
    log.info(fields, 'm')
    log.child({ cookie: 's3cr3t' }).child({ api_key: 's3cr3t' }).error({}, 'child')
    assert.doesNotMatch(text(), /s3cr3t|123456/)
    assert.equal(lines[0]!.url, 'https://[redacted]@host/p?[redacted]')
    assert.equal(headers.Authorization, 'Bearer s3cr3t')
  })

  it('keeps names that only look like secrets', () => {
    const { log, lines } = sink()
    const fields = { key_id: 'app', prompt_tokens: 5, tokens: { prompt: 1 }, keys: 2, model: 'gpt', secrets_found: 1 }
    log.info(fields, 'm')
    for (const [name, value] of Object.entries(fields)) assert.deepEqual(lines[0]![name], value)
  })

  it('writes errors with code, stack and cause, without their other properties and without what others say', () => {
    const { log, lines, text } = sink()
    const cause = Object.assign(new Error('connect redis://u:s3cr3t@h/0 with Bearer s3cr3t'), {
      options: { auth: 's3cr3t' },
    })
    log.error({ err: new GatewayError('GW_INTERNAL', 'failed', { cause }) }, 'm')
    const err = lines[0]!.err as Record<string, unknown>
    assert.equal(err.code, 'GW_INTERNAL')
    assert.match(String(err.stack), /log\.test/)
    assert.equal(err.message, 'failed')
    // What others say holds what they were given.
    assert.equal((err.cause as { message?: string }).message, undefined)
    assert.match(String((err.cause as { stack: string }).stack), /log\.test/)
    assert.doesNotMatch(text(), /s3cr3t/)
  })

  it('survives cycles, buffers and depth', () => {
    const { log, lines } = sink()
    const cycle: Record<string, unknown> = { name: 'x' }
    cycle.self = cycle
    log.info({ cycle, bytes: Buffer.from('abc'), none: null }, 'm')
    assert.equal(lines[0]!.bytes, '[object]')
    assert.match(JSON.stringify(lines[0]), /\[(object|Circular)\]/)
  })

  it('at its end waits for a reader who is late, and not for one who is gone', async () => {
    const script = `import { createLogger } from ${JSON.stringify(new URL('../../../core/services/logger.ts', import.meta.url).href)}
import { once } from 'node:events'
const log = createLogger()
const fill = 'x'.repeat(1000)
for (let n = 0; n < 400; n++) log.info({ n, fill }, 'line')
for (let n = 400; n < 410; n++) log.info({ n }, 'line')
process.send('logged')
if (process.argv[1] === 'gone') await once(process, 'message')
await log.drain()
process.exit(3)`
    for (const reader of ['late', 'gone']) {
      const args = ['--input-type=module', '--eval', script, reader]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
      const exited = once(child, 'exit')
      await once(child, 'message')
      if (reader === 'gone') {
        child.stderr?.destroy()
        child.send('end')
      }
      if (reader === 'late') {
        const lines = (await text(child.stderr as Readable)).trimEnd().split('\n')
        assert.deepEqual(
          lines.map((line) => (JSON.parse(line) as { n: number }).n),
          Array.from({ length: 410 }, (_, n) => n),
        )
      }
      assert.deepEqual(await exited, [3, null], reader)
      child.stderr?.destroy()
    }
  })

  it('writes what is buffered in order when the process exits, events too', async () => {
    const script = `import { createLogger } from ${JSON.stringify(new URL('../../../core/services/logger.ts', import.meta.url).href)}
const log = createLogger()
const event = { id: 'e', severity: 'info', time: '2026-01-01T00:00:00.000Z' }
log.info({ n: 1 }, 'first')
log.event({ ...event, type: 'request.completed' }, true)
log.child({ a: 1 }).info({ n: 2 }, 'second')
log.event({ ...event, type: 'custom.kept', api_key: 'gw_0123456789abcdef0123' }, false)
if (process.argv[1] === 'flush') { log.flush(); process.kill(process.pid, 'SIGKILL') }
process.exit(3)`
    for (const how of ['exit', 'flush']) {
      const args = ['--input-type=module', '--eval', script, how]
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
      const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { msg: string })
      assert.deepEqual(
        lines.map(({ msg }) => msg),
        ['first', 'request.completed', 'second', 'custom.kept'],
        how,
      )
      assert.ok(!output.includes('0123456789abcdef'))
      assert.equal(code, how === 'exit' ? 3 : null)
    }
  })
})
