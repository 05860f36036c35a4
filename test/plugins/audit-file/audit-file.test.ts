import assert from 'node:assert/strict'
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { checkAgainst } from '../../../core/engine/config/validate.ts'
import type { GovernanceEvent } from '../../../core/engine/contract/plugin.ts'
import { loadPlugin } from '../../../core/engine/host/loader.ts'
import { main } from '../../../core/gateway/cli/cli.ts'
import { TrailVerifier } from '../../../core/services/audit/chain.ts'
import { startProvider } from '../../../core/testing/provider.ts'
import { RotatingFile } from '../../../plugins/audit-file/rotating-file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { asking, post, startTestGateway } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'

async function start(t: TestContext, at: string, options: object = {}) {
  const provider = await startProvider()
  t.after(() => provider.close())
  const path = join(at, 'log', 'audit.jsonl')
  const file = join(at, 'gateway.yaml')
  const gateway = await startTestGateway({
    upstreamUrl: provider.url,
    plugins: [{ use: 'audit-file', options: { path, ...options } }],
    config: { store: `file:${join(at, 'data')}` },
    file,
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= gateway.close()
    return closed
  }
  t.after(close)
  const events = () => (existsSync(path) ? readFileSync(path, 'utf8') : '').split('\n').slice(0, -1)
  return { gateway, path, close, events }
}

/** Settles when a file or folder was made, or removed. */
const becomes = (path: string, there: boolean): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(dirname(path), () => {
      if (existsSync(path) !== there) return
      watcher.close()
      resolve()
    })
  })

const numbers = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { seq: number }).seq)
const types = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as GovernanceEvent).type)

describe('audit-file', () => {
  it('knows its options', async () => {
    const { schema } = await loadPlugin('audit-file', import.meta.dirname)
    const problems = (options: object) => checkAgainst(schema, options).problems.map(({ path }) => path)
    assert.deepEqual(problems({}), [])
    assert.deepEqual(problems({ rotate: 'weekly' }), ['rotate'])
    assert.deepEqual(problems({ keep: 1 }), ['keep'])
    assert.deepEqual(problems({ max_bytes: 1 }), ['max_bytes'])
  })

  it('holds the whole trail, chained, from the first event to the last', async (t) => {
    const { gateway, close, events } = await start(t, temporaryFolder())
    await (await post(gateway)).text()
    await (await post(gateway, asking('Hello', { stream: true }))).text()
    await close()
    assert.deepEqual(types(events()), [
      'service.started',
      'request.completed',
      'request.completed',
      'service.stopped',
      'audit.anchor',
    ])
    const verifier = new TrailVerifier()
    for (const [i, line] of events().entries()) verifier.add(line, i + 1)
    assert.deepEqual(verifier.end().problems, [])
  })

  it('is whole for `audit verify` in the order of names, also when it was rotated often in a second', async (t) => {
    const at = temporaryFolder()
    const { gateway, close, events } = await start(t, at)
    await (await post(gateway)).text()
    await close()
    const again = join(at, 'again')
    const limits = { rotate: 'never', maxBytes: 1, keepFiles: 100, keepDays: 1 } as const
    const now = Date.now()
    const file = new RotatingFile({ path: join(again, 'audit.jsonl'), ...limits, now: () => now })
    for (const line of events()) await file.append(`${line}\n`)
    await file.close()
    const files = readdirSync(again).sort()
    assert.equal(files.length, 4)
    let stdout = ''
    const io = { stdout: { write: (text: string) => (stdout += text) }, stderr: { write: () => {} } }
    assert.equal(await main(['audit', 'verify', ...files.map((name) => join(again, name))], io), 0)
    assert.match(stdout, /: 4 records, 1 to 4\n.*\nok: the trail is whole\n$/)
  })

  it('goes on after a restart without a gap', async (t) => {
    const at = temporaryFolder()
    for (let round = 0; round < 2; round++) {
      const { gateway, close } = await start(t, at)
      await (await post(gateway)).text()
      await close()
    }
    const lines = readFileSync(join(at, 'log', 'audit.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
    assert.deepEqual(
      numbers(lines),
      lines.map((_, i) => i + 1),
    )
  })

  it('counts a relative path from the folder of the config file', async (t) => {
    const { close, events } = await start(t, temporaryFolder(), { path: './log/audit.jsonl' })
    await close()
    assert.equal(types(events())[0], 'service.started')
  })

  it('removes old files at the start and every hour, without a rotation', async (t) => {
    const at = temporaryFolder()
    const log = join(at, 'log')
    mkdirSync(log)
    const old = join(log, 'audit-20260316T100000Z-000.jsonl')
    const putOldFile = () => {
      writeFileSync(old, '')
      utimesSync(old, 0, 0)
    }
    const hours: AbortController[] = []
    const { timeout } = AbortSignal
    t.mock.method(AbortSignal, 'timeout', (ms: number) => {
      if (ms !== 3_600_000) return timeout.call(AbortSignal, ms)
      return hours[hours.push(new AbortController()) - 1]?.signal
    })
    putOldFile()
    const writing = becomes(join(log, 'audit.jsonl'), true)
    const { close } = await start(t, at)
    await writing
    assert.equal(existsSync(old), false)
    putOldFile()
    const removing = becomes(old, false)
    for (const hour of hours) hour.abort()
    await removing
    await close()
    assert.deepEqual(readdirSync(log), ['audit.jsonl'])
  })

  it('waits while it cannot write, and then writes everything', async (t) => {
    const at = temporaryFolder()
    // A file where the folder should be.
    writeFileSync(join(at, 'log'), '')
    const first = await start(t, at)
    await (await post(first.gateway)).text()
    await first.close()
    assert.ok(first.gateway.log.some(({ msg }) => String(msg).startsWith('the audit file cannot be written')))
    rmSync(join(at, 'log'))
    mkdirSync(join(at, 'log'))
    chmodSync(join(at, 'log'), 0o700)
    const second = await start(t, at)
    await second.close()
    assert.deepEqual(types(second.events()).slice(0, 3), ['service.started', 'request.completed', 'service.stopped'])
  })

  it('logs a failure once, however often it retries; the core, too', async (t) => {
    const at = temporaryFolder()
    writeFileSync(join(at, 'log'), '')
    const { gateway, close } = await start(t, at)
    const told = () => gateway.log.filter(({ level, event }) => level === 'error' && event === undefined)
    let attempts = 0
    const { mkdirSync: make } = fs
    t.mock.method(fs, 'mkdirSync', (...args: Parameters<typeof make>) => {
      if (args[0] === join(at, 'log')) attempts++
      return make(...args)
    })
    syncBuiltinESMExports()
    t.after(() => {
      t.mock.restoreAll()
      syncBuiltinESMExports()
    })
    await (await post(gateway)).text()
    await until(() => attempts >= 4)
    assert.equal(told().length, 1, JSON.stringify(told()))
    assert.match(String(told()[0]?.path), /log$/)
    await close()
  })

  it('writes the backlog when writing works again', async (t) => {
    const at = temporaryFolder()
    writeFileSync(join(at, 'log'), '')
    const { gateway, close, events } = await start(t, at)
    for (let i = 0; i < 5; i++) await (await post(gateway)).text()
    const failed = () => gateway.log.some(({ msg }) => String(msg).startsWith('the audit file cannot be written'))
    await until(failed)
    rmSync(join(at, 'log'))
    const writing = becomes(join(at, 'log'), true)
    for (let i = 0; i < 5; i++) await (await post(gateway)).text()
    await writing
    await close()
    assert.equal(types(events()).filter((type) => type === 'request.completed').length, 10)
    assert.deepEqual(
      numbers(events()),
      events().map((_, i) => i + 1),
    )
  })
})
