import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { AnchorSigner } from '../../../core/audit/anchor.ts'
import { main } from '../../../core/cli.ts'
import type { PluginSpec } from '../../../core/plugin.ts'
import { seal, stamp } from '../../../core/store/canonical.ts'
import { GENESIS } from '../../../core/store/ops.ts'
import type { JsonObject } from '../../../core/store/store.ts'
import { startProvider } from '../../../core/testing/provider.ts'
import { spec } from '../../helpers/core.ts'
import { asking, post, startTestGateway } from '../../helpers/gateway.ts'
import { parseCef } from './cef-parser.ts'

const SECRET = 'a secret for tests, 32 characters or more'

const READER = {
  ...spec({}, 'reader'),
  create: (_: unknown, services: { auditLog(): unknown }) => {
    services.auditLog()
    return {}
  },
} as unknown as PluginSpec

/** A gateway with a store in a folder, and a config file for the command line. */
async function gatewayIn(t: TestContext, requests: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'audit-cli-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const store = `file:${join(folder, 'data')}`
  const config = join(folder, 'gateway.yaml')
  writeFileSync(config, JSON.stringify({ store, secret: SECRET, upstreams: { demo: { kind: 'demo' } } }))
  const provider = await startProvider()
  t.after(() => provider.close())
  const gateway = await startTestGateway({
    upstreamUrl: provider.url,
    plugins: [{ use: 'reader' }],
    specs: new Map([['reader', READER]]),
    config: { store, secret: SECRET },
  })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= gateway.close()
    return closed
  }
  t.after(close)
  for (const model of requests) await (await post(gateway, asking('Hello', { model }))).text()
  return { folder, store, config, gateway, close }
}

async function run(...args: string[]) {
  const out = { stdout: '', stderr: '' }
  const io = {
    stdout: { write: (text: string) => (out.stdout += text) },
    stderr: { write: (text: string) => (out.stderr += text) },
  }
  const code = await main(args, io)
  return { code, ...out, lines: out.stdout.split('\n').slice(0, -1) }
}

const change = (folder: string, sql: string) => {
  const db = new DatabaseSync(join(folder, 'data', 'store.db'))
  db.exec(sql)
  db.close()
}

/** Writes the whole trail anew, with fitting hashes and with anchors of another key, as one can who has the store only. */
function rewrite(folder: string, signer: AnchorSigner): void {
  const db = new DatabaseSync(join(folder, 'data', 'store.db'))
  const rows = db.prepare('SELECT id, text FROM record ORDER BY id').all() as { id: number; text: string }[]
  const head = { seq: 0, hash: GENESIS }
  let anchors = ''
  for (const { id, text } of rows) {
    const { instance, seq: _seq, prev_hash: _prev, hash: _hash, ...content } = JSON.parse(text) as JsonObject
    if (content.type === 'audit.anchor') {
      const anchor = signer.sign(String(instance), head.seq, head.hash, String(content.time))
      anchors += `${JSON.stringify(anchor)}\n`
      content.anchor = { ...anchor }
    }
    const changed = stamp(seal({ ...content, rewritten: true }), String(instance), head)
    db.prepare('UPDATE record SET text = ? WHERE id = ?').run(changed, id)
  }
  db.close()
  writeFileSync(join(folder, 'data', 'audit-anchors.jsonl'), anchors)
}

describe('audit verify', () => {
  it('reads a store while its gateway runs', async (t) => {
    const { store } = await gatewayIn(t, ['m-1', 'm-2'])
    const { code, stdout } = await run('audit', 'verify', '--store', store)
    assert.match(stdout, /: 3 records, 1 to 3\nanchors: none; .*\nok: the trail is whole\n$/)
    assert.equal(code, 0)
  })

  it('finds anchors and the key that signed them', async (t) => {
    const { config, close } = await gatewayIn(t, ['m-1'])
    await close()
    const { stdout: key } = await run('audit', 'key', '--config', config)
    const whole = await run('audit', 'verify', '--config', config)
    assert.match(
      whole.stdout,
      /4 records, 1 to 4\nanchors: 1 good; the newest is of record 3, .*; signed with the key\nok/,
    )
    assert.equal((await run('audit', 'verify', '--config', config, '--key', key.trim())).code, 0)
    const other = new AnchorSigner(Buffer.alloc(32, 7)).publicKey
    const wrong = await run('audit', 'verify', '--config', config, '--key', other)
    assert.match(wrong.stdout, /forged: .*, record 3: the anchor is signed with another key/)
    assert.equal(wrong.code, 4)
  })

  it('finds one flipped byte', async (t) => {
    const { folder, config, close } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    await close()
    change(folder, `UPDATE record SET text = replace(text, '"m-2"', '"m-4"')`)
    const { code, stdout } = await run('audit', 'verify', '--config', config)
    assert.match(stdout, /\/3: altered: .*, record 3: the hash does not fit the content\nTAMPERED: 1 problem\n$/)
    assert.equal(code, 4)
  })

  it('finds records that were taken out, also those at the end', async (t) => {
    const { folder, config, close } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    await close()
    change(folder, `DELETE FROM record WHERE text LIKE '%"m-2"%'`)
    assert.match(
      (await run('audit', 'verify', '--config', config)).stdout,
      /removed: .*, record 3: the record is missing/,
    )
    change(
      folder,
      `DELETE FROM record WHERE text LIKE '%"m-3"%' OR text LIKE '%service.stopped%' OR text LIKE '%anchor%'`,
    )
    const { code, stdout } = await run('audit', 'verify', '--config', config)
    assert.match(stdout, /cut: .*, records 3 to 5: record 5 was anchored at/)
    assert.match(stdout, /cut: .*, records 3 to 6: the store wrote records up to 6/)
    assert.equal(code, 4)
  })

  it('finds records that were taken out at the front, or all of them, by what the store counts', async (t) => {
    const { folder, store, close } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    await close()
    rmSync(join(folder, 'data', 'audit-anchors.jsonl'))
    change(folder, 'DELETE FROM record WHERE id IN (SELECT id FROM record ORDER BY id LIMIT 2)')
    const some = await run('audit', 'verify', '--store', store)
    assert.match(some.stdout, /in the store: removed: .*, records 1 to 2: the store counts records from 1 on\nTAMPERED/)
    change(folder, 'DELETE FROM record')
    const none = await run('audit', 'verify', '--store', store)
    assert.match(none.stdout, /in the store: removed: .*, records 1 to 6: the store counts 6 records and holds none\n/)
    assert.deepEqual([some.code, none.code], [4, 4])
  })

  it('finds records that another instance than that of the store is said to have written', async (t) => {
    const { folder, store, close } = await gatewayIn(t, ['m-1'])
    await close()
    const forged = stamp(seal({ id: 'forged', type: 'request.completed' }), 'vm-fake', { seq: 0, hash: GENESIS })
    change(folder, `INSERT INTO record SELECT max(id) + 1, 0, '${forged}', 0 FROM record`)
    const { code, stdout, lines } = await run('audit', 'verify', '--store', store)
    assert.match(stdout, /\/5: inserted: vm-fake, record 1: only .* writes to this store\nTAMPERED: 1 problem\n$/)
    assert.match(lines[0] as string, /: 4 records, 1 to 4$/)
    assert.equal(code, 4)
  })

  it('is no judge of nothing', async (t) => {
    const { folder } = await gatewayIn(t, [])
    const file = join(folder, 'empty.jsonl')
    writeFileSync(file, '\n')
    const { code, stdout, stderr } = await run('audit', 'verify', file)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^nothing to check: there is no record in .*empty.jsonl\n$/)
    const anchors = await run('audit', 'verify', file, '--anchors', file)
    assert.deepEqual([anchors.code, /there is no anchor in/.test(anchors.stderr)], [2, true])
    writeFileSync(join(folder, 'store.db'), 'no database')
    const store = await run('audit', 'verify', '--store', `file:${folder}`)
    assert.equal(store.code, 1)
    assert.match(store.stderr, /^.*store.db cannot be read: file is not a database\.\n$/)
  })

  it('is no judge of a store that was emptied, and misses where the trail of one stands', async (t) => {
    const { folder, store, close } = await gatewayIn(t, ['m-1'])
    await close()
    for (const text of ['x', 'null', '[]']) {
      change(folder, `UPDATE entity SET text = '${text}' WHERE kind = 5`)
      const { code, stdout } = await run('audit', 'verify', '--store', store)
      assert.match(
        stdout,
        /in the store: altered: .*, record 4: the store cannot read where its trail stands\nTAMPERED/,
      )
      assert.equal(code, 4)
    }
    change(folder, 'DELETE FROM entity WHERE kind = 5')
    const { code, stdout } = await run('audit', 'verify', '--store', store)
    assert.match(
      stdout,
      /in the store: removed: .*, record 4: the store does not know where its trail stands\nTAMPERED/,
    )
    assert.equal(code, 4)
    change(folder, 'DELETE FROM record')
    assert.equal((await run('audit', 'verify', '--store', store)).code, 4, 'the anchors know of records')
    rmSync(join(folder, 'data', 'audit-anchors.jsonl'))
    const none = await run('audit', 'verify', '--store', store)
    assert.deepEqual([none.code, none.stdout], [1, ''])
    assert.match(none.stderr, /^nothing to check: there is no record in file:/)
  })

  it('finds a cut file by anchors that somebody else kept', async (t) => {
    const { folder, config, close } = await gatewayIn(t, ['m-1', 'm-2'])
    await close()
    const file = join(folder, 'export.jsonl')
    const { stdout } = await run('audit', 'export', '--config', config)
    writeFileSync(file, stdout)
    assert.equal((await run('audit', 'verify', file)).code, 0)
    const kept = join(folder, 'kept.jsonl')
    writeFileSync(
      kept,
      stdout
        .split('\n')
        .filter((line) => line.includes('audit.anchor'))
        .join('\n'),
    )
    writeFileSync(file, stdout.split('\n').slice(0, 2).join('\n'))
    assert.equal((await run('audit', 'verify', file)).code, 0, 'by itself it is whole')
    const { code, lines } = await run('audit', 'verify', file, '--anchors', kept)
    assert.match(lines.join('\n'), /at the end: cut: .*, records 3 to 4: record 4 was anchored at/)
    assert.equal(code, 4)
  })

  it('compares every anchor: those of a rewritten store do not displace those that somebody else kept', async (t) => {
    const { folder, store, config, close } = await gatewayIn(t, ['m-1', 'm-2'])
    await close()
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, (await run('audit', 'export', '--config', config)).stdout)
    rewrite(folder, new AnchorSigner(Buffer.alloc(32, 7)))
    const alone = await run('audit', 'verify', '--store', store)
    assert.match(alone.stdout, /anchors: 1 good; .*\nok: the trail is whole\n$/, 'by itself it is whole')
    const { code, stdout } = await run('audit', 'verify', '--store', store, '--anchors', file)
    assert.match(stdout, /altered: .*, record 4: it is not the record that was anchored at/)
    assert.match(stdout, /in the anchors: forged: .*, record 4: the anchor is signed with ed25519:.*, others with/)
    assert.equal(code, 4)
  })

  it('takes anchors of two keys for one problem, unless the key is given', async (t) => {
    const { folder, config, close } = await gatewayIn(t, ['m-1'])
    await close()
    const { stdout, lines } = await run('audit', 'export', '--config', config)
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, stdout)
    const other = new AnchorSigner(Buffer.alloc(32, 7))
    const { instance, hash, time } = JSON.parse(lines[0] as string) as Record<'instance' | 'hash' | 'time', string>
    const anchors = join(folder, 'other.jsonl')
    const anchor = `${JSON.stringify(other.sign(instance, 1, hash, time))}\n`
    writeFileSync(anchors, anchor + anchor)
    const two = await run('audit', 'verify', file, '--anchors', anchors)
    assert.match(two.stdout, /:4: forged: .*others with .*: say by --key which is yours\nTAMPERED: 1 problem\n/)
    const given = await run('audit', 'verify', file, '--anchors', anchors, '--key', other.publicKey)
    assert.match(given.stdout, /:4: forged: .*: the anchor is signed with another key\nTAMPERED: 1 problem\n/)
    assert.deepEqual([two.code, given.code], [4, 4])
  })

  it('takes what a model name may hold for one line', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m\u2028m\u2029m\u0085m', 'm-2'])
    const { stdout } = await run('audit', 'export', '--config', config)
    for (const [name, content] of [
      ['all.jsonl', stdout],
      ['all.jsonl.gz', gzipSync(stdout)],
    ] as const) {
      const file = join(folder, name)
      writeFileSync(file, content)
      assert.match((await run('audit', 'verify', file)).stdout, /: 3 records, 1 to 3\n.*\nok/)
      assert.equal((await run('audit', 'export', file)).stdout, stdout)
    }
  })

  it('says which file cannot be read', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m-1'])
    const { stdout } = await run('audit', 'export', '--config', config)
    const half = join(folder, 'half.jsonl.gz')
    writeFileSync(half, gzipSync(stdout).subarray(0, -20))
    const cut = await run('audit', 'verify', half)
    assert.match(cut.stderr, /half.jsonl.gz/)
    assert.equal(cut.code, 1)
    const wrong = await run('audit', 'verify', folder)
    assert.match(wrong.stderr, /is a folder: name its files/)
    assert.equal(wrong.code, 2)
  })

  it('names file and line, over several files', async (t) => {
    const { folder, config } = await gatewayIn(t, ['m-1', 'm-2', 'm-3'])
    const { lines } = await run('audit', 'export', '--config', config)
    const [one, two] = [join(folder, 'one.jsonl'), join(folder, 'two.jsonl')]
    writeFileSync(one, `${lines.slice(0, 2).join('\n')}\n`)
    writeFileSync(two, `${lines.slice(2).join('\n').replace('"m-3"', '"m-9"')}\n`)
    assert.equal((await run('audit', 'verify', one)).code, 0)
    const { stdout } = await run('audit', 'verify', one, two)
    assert.match(stdout, /two\.jsonl:2: altered: /)
    appendFileSync(one, 'half a li\n')
    assert.match((await run('audit', 'verify', one)).stdout, /one\.jsonl:3: unreadable: it is no record/)
  })

  it('says what it cannot do', async (t) => {
    const { folder } = await gatewayIn(t, [])
    const wrong = async (...args: string[]) => {
      const { code, stderr } = await run('audit', 'verify', ...args)
      return `${code} ${stderr}`
    }
    assert.match(await wrong(join(folder, 'none.jsonl')), /^2 .*there is no file/)
    assert.match(await wrong('--store', `file:${folder}/none`), /^1 There is no store in/)
    assert.match(await wrong('--store', 'memory'), /^2 .*ask GET \/api\/audit/)
    assert.match(await wrong('--key', 'ed25519:short'), /^2 .*--key: expected/)
  })
})

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

  it('names every option that is wrong', async (t) => {
    const { config } = await gatewayIn(t, [])
    const { code, stderr } = await run('audit', 'export', '--config', config, '--since', 'x', '--severity', 'loud')
    assert.equal(code, 2)
    assert.match(stderr, /--since: expected .*; |--severity: expected/)
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
      /^20.*Z {2}info {7}request\.completed {2,}user {2}m-3 > scripted {2}200 {2}PUBLIC .* ms {2}action=allow {2}req_/,
    )
    const file = join(folder, 'export.jsonl')
    writeFileSync(file, (await run('audit', 'export', '--config', config)).stdout)
    assert.deepEqual((await run('audit', 'tail', '-n', '2', file)).lines, lines)
    assert.deepEqual((await run('audit', 'tail', '--model', 'm-1', file)).lines.length, 1)
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
    const { config, gateway } = await gatewayIn(t, [])
    await (await post(gateway, asking('Hello', { model: 'm\u001b[31m' }))).text()
    const { lines } = await run('audit', 'tail', '-n', '1', '--config', config)
    assert.ok(lines[0]?.includes('m?[31m'))
  })
})
