import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { main } from '../../../../core/gateway/cli/cli.ts'
import { asking, post } from '../../../helpers/gateway.ts'
import { parseCef } from './cef-parser.ts'
import { change, gatewayIn, run } from './trails.ts'

const BIN = fileURLToPath(new URL('../../../../core/bin.js', import.meta.url))

describe('audit export', () => {
  it('writes each format, filtered', async (t) => {
    const { config } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    const models = async (...args: string[]) => {
      const { lines } = await run('audit', 'export', '--config', config, '--type', 'request.completed', ...args)
      return lines.map((line) => (JSON.parse(line) as { model: string }).model)
    }
    assert.deepEqual(await models(), ['m-1', 'm-2', 'm-3'])
    assert.deepEqual(await models('--model', 'm-2'), ['m-2'])
    assert.deepEqual(await models('--since', '1h', '--key-id', 'user'), ['m-1', 'm-2', 'm-3'])
    assert.deepEqual(await models('--since', '2999-01-01'), [])
    assert.deepEqual(await models('--until', '1h'), [])
    const cef = await run(
      'audit',
      'export',
      '--config',
      config,
      '--format',
      'cef',
      '--source-name',
      'gw',
      '--type',
      'request.completed',
    )
    assert.equal(cef.lines.length, 3)
    for (const line of cef.lines) assert.equal(parseCef(line).extension.deviceExternalId, 'gw')
    const ocsf = await run('audit', 'export', '--config', config, '--format', 'ocsf', '--environment', 'test')
    assert.deepEqual(
      ocsf.lines.map((line) => (JSON.parse(line) as { class_uid: number }).class_uid),
      [6003, 6003, 6003, 6003],
    )
  })

  it('leaves out what is no event, says where it is, and goes on', async (t) => {
    const { folder, store, close } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    await close()
    change(folder, `UPDATE record SET text = 'null' WHERE text LIKE '%"m-1"%'`)
    change(folder, `UPDATE record SET text = '{half' WHERE text LIKE '%"m-2"%'`)
    for (const command of ['export', 'tail']) {
      const { code, stderr, lines } = await run('audit', command, '--store', store)
      assert.deepEqual([code, lines.length], [1, 4], command)
      assert.deepEqual(stderr.match(/\/\d+ is not an event and was skipped/g)?.sort(), [
        '/2 is not an event and was skipped',
        '/3 is not an event and was skipped',
      ])
    }
  })

  it('goes on behind a page that holds no event', async (t) => {
    const { folder, store, close } = await gatewayIn(t, ['m-1'])
    await close()
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)`
    change(folder, `UPDATE record SET id = id + 2000 WHERE text LIKE '%service.stopped%'`)
    change(folder, `${rows} INSERT INTO record SELECT (SELECT min(id) + 4 FROM record) + i, 0, 'x', 0 FROM n`)
    const { code, lines } = await run('audit', 'export', '--store', store, '--type', 'service.stopped')
    assert.deepEqual([code, lines.length], [1, 1])
  })

  it('names the file and the line that is no event', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m-1', 'm-2'])
    const [good, bad] = [join(folder, 'good.jsonl'), join(folder, 'bad.jsonl')]
    writeFileSync(good, (await run('audit', 'export', '--config', config)).stdout)
    writeFileSync(bad, '\nnull\n')
    const { code, stderr } = await run('audit', 'export', good, bad)
    assert.match(stderr, /bad\.jsonl:2 is not an event\./)
    assert.equal(code, 2)
  })

  it('says which store cannot be read', async (t) => {
    const { folder, store, close } = await gatewayIn(t, ['m-1'])
    await close()
    const file = join(folder, 'data', 'store.db')
    const bytes = readFileSync(file)
    const size = bytes.readUInt16BE(16)
    const page = Math.floor(bytes.lastIndexOf('"m-1"') / size) * size
    writeFileSync(file, bytes.fill(0xff, page, page + 100))
    for (const command of ['export', 'tail', 'verify']) {
      const { code, stderr } = await run('audit', command, '--store', store)
      assert.match(stderr, /^.*store\.db cannot be read: database disk image is malformed\. Restore a backup .*\n$/)
      assert.equal(code, 1)
    }
  })

  it('ends quietly when nobody reads any more', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m-1'])
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, (await run('audit', 'export', '--config', config)).stdout)
    for (const command of ['export', 'tail', 'verify']) {
      const child = spawn(process.execPath, [BIN, 'audit', command, file], { stdio: ['ignore', 'pipe', 'pipe'] })
      child.stdout.destroy()
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
      assert.deepEqual([code, stderr], [141, ''], command)
    }
  })

  it('names every option that is wrong', async (t) => {
    const { config } = await gatewayIn(t, [])
    const { code, stderr } = await run('audit', 'export', '--config', config, '--since', 'x', '--severity', 'loud')
    assert.equal(code, 2)
    assert.match(stderr, /--since: expected .*; |--severity: expected/)
    const day = await run('audit', 'export', '--config', config, '--since', '2026-02-30')
    assert.deepEqual([day.code, /--since: expected a time/.test(day.stderr)], [2, true])
    assert.match((await run('audit', 'export', '--format', 'xml')).stderr, /--format: expected json, cef or ocsf/)
  })
})

describe('audit tail', () => {
  it('shows the newest in lines for people', async (t) => {
    const { config, folder } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    const { lines } = await run('audit', 'tail', '-n', '2', '--config', config)
    assert.equal(lines.length, 2)
    assert.match(
      lines[1] as string,
      /^20.*Z {2}info {7}request\.completed {2,}user {2}m-3 > scripted {2}200 {2}PUBLIC .* ms {2}action=allow {2}operation=POST \/v1\/chat\/completions {2}req_/,
    )
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, (await run('audit', 'export', '--config', config)).stdout)
    assert.deepEqual((await run('audit', 'tail', '-n', '2', file)).lines, lines)
    assert.deepEqual((await run('audit', 'tail', '--model', 'm-1', file)).lines.length, 1)
  })

  it('shows what has null for tokens, and refuses what is no number of lines', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m-1'])
    const { lines } = await run('audit', 'export', '--config', config)
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(lines[1] as string), tokens: null }))
    assert.match((await run('audit', 'tail', file)).stdout, /request\.completed .* m-1 /)
    for (const wrong of ['', ' ', '1e1', '-1', '1.5']) {
      const { code, stderr } = await run('audit', 'tail', `--lines=${wrong}`, file)
      assert.deepEqual([code, /-n: expected a whole number/.test(stderr)], [2, true], wrong)
    }
  })

  it('follows until it is interrupted', async (t) => {
    const { config, gateway } = await gatewayIn(t, ['m-1'])
    const seen = Promise.withResolvers<string>()
    const io = {
      stdout: {
        write: (text: string) => {
          if (text.includes('m-2')) seen.resolve(text)
        },
      },
      stderr: { write: () => {} },
    }
    const done = main(['audit', 'tail', '-f', '--config', config], io)
    await (await post(gateway, asking('Hello', { model: 'm-2' }))).text()
    assert.match(await seen.promise, /request\.completed/)
    process.emit('SIGTERM')
    assert.equal(await done, 0)
  })

  it('shows nothing that a terminal would obey', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m-1'])
    const { lines } = await run('audit', 'export', '--config', config, '--type', 'request.completed')
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(lines[0] as string), model: 'm\u001b[31m' }))
    assert.ok((await run('audit', 'tail', file)).stdout.includes('m?[31m'))
  })
})
