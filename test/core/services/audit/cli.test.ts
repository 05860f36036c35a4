import assert from 'node:assert/strict'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { seal, stamp } from '../../../../core/engine/util/canonical-json.ts'
import { AnchorSigner } from '../../../../core/services/audit/anchor.ts'
import { GENESIS } from '../../../../core/services/store/ops.ts'
import { change, gatewayIn, rewrite, run } from './trails.ts'

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
    assert.match(
      wrong.stdout,
      /forged: .*, record 3: the anchor is signed with another key \([\w:-]+, not [\w:-]+: the secret of this shell/,
    )
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
    writeFileSync(file, '# Notes\n{"no": "record"}\n')
    assert.deepEqual(await run('audit', 'verify', file), { code: 1, stdout: '', stderr, lines: [] })
    writeFileSync(file, '\n')
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
    assert.match(given.stdout, /:4: forged: .*: the anchor is signed with another key \(.*\)\nTAMPERED: 1 problem\n/)
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
    assert.match(await wrong('--anchors', folder), /^2 .* is a folder: anchors are in a file/)
    assert.match(await wrong('--store', 'memory'), /^2 .*ask GET \/api\/audit/)
    assert.match(await wrong('--key', 'ed25519:short'), /^2 .*--key: expected/)
  })
})
