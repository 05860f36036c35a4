import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { RotatingFile, type RotatingFileOptions } from '../../../plugins/audit-file/rotating-file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

function fileIn(t: TestContext, options: Partial<RotatingFileOptions> = {}) {
  const at = temporaryFolder()
  const path = join(at, 'deep', 'audit.jsonl')
  const clock = { now: Date.parse('2026-03-16T10:00:00Z') }
  const all = { path, rotate: 'never', maxBytes: 1000, keepFiles: 100, keepDays: 1000, now: () => clock.now } as const
  const open = () => {
    const file = new RotatingFile({ ...all, ...options })
    t.after(() => file.close())
    return file
  }
  const names = () => readdirSync(join(at, 'deep')).sort()
  const read = (name = 'audit.jsonl') => readFileSync(join(at, 'deep', name), 'utf8')
  return { at, path, clock, open, names, read }
}

describe('a rotating file', () => {
  it('is made with its folders, for its owner only', async (t) => {
    const { at, path, open, read } = fileIn(t)
    await open().append('one\ntwo\n')
    assert.equal(read(), 'one\ntwo\n')
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(statSync(join(at, 'deep')).mode & 0o777, 0o700)
  })

  it('is refused where a file system has no such place', { skip: process.platform !== 'linux' }, async (t) => {
    const { open } = fileIn(t, { path: '/proc/no-such/deep/audit.jsonl' })
    await assert.rejects(open().append('one\n'), { code: 'ENOENT', path: '/proc/no-such' })
  })

  it('continues at its end, without a partial line after a crash', async (t) => {
    const { path, open, read } = fileIn(t, { maxBytes: 1_000_000 })
    await open().append('one\n')
    appendFileSync(path, `tw${'o'.repeat(200_000)}`)
    await open().append('three\n')
    assert.equal(read(), 'one\nthree\n')
  })

  it('begins anew when someone moved, replaced or removed it', async (t) => {
    const { at, path, open, names, read } = fileIn(t)
    const file = open()
    await file.append('one\n')
    renameSync(path, join(at, 'deep', 'moved'))
    await file.append('two\n')
    assert.deepEqual([read('moved'), read()], ['one\n', 'two\n'])
    renameSync(join(at, 'deep', 'moved'), path)
    await file.append('three\n')
    assert.equal(read(), 'one\nthree\n')
    rmSync(join(at, 'deep'), { recursive: true })
    await file.append('four\n')
    assert.deepEqual([names(), read()], [['audit.jsonl'], 'four\n'])
  })

  it('begins anew at its size, and keeps lines together', async (t) => {
    const { open, names, read } = fileIn(t, { maxBytes: 10 })
    const file = open()
    for (const text of ['12345\n', '678\n', '9\n', 'longer than ten\n', 'x\n']) await file.append(text)
    assert.deepEqual(names(), [
      'audit-20260316T100000Z-000.jsonl',
      'audit-20260316T100000Z-001.jsonl',
      'audit-20260316T100000Z-002.jsonl',
      'audit.jsonl',
    ])
    assert.equal(read('audit-20260316T100000Z-000.jsonl'), '12345\n678\n')
    assert.equal(read(), 'x\n')
  })

  it('begins anew each hour or day', async (t) => {
    const { open, names, clock } = fileIn(t, { rotate: 'hourly' })
    const file = open()
    await file.append('one\n')
    clock.now += 3_599_999
    await file.append('two\n')
    assert.equal(names().length, 1)
    clock.now += 1
    await file.append('three\n')
    assert.deepEqual(names(), ['audit-20260316T110000Z-000.jsonl', 'audit.jsonl'])
  })

  it('keeps a maximum number of old files, and does not touch others', async (t) => {
    const { at, open, names, clock } = fileIn(t, { maxBytes: 1, keepFiles: 2 })
    const file = open()
    await file.append('x\n')
    appendFileSync(join(at, 'deep', 'audit-notes.jsonl'), 'mine')
    for (let i = 0; i < 5; i++) {
      clock.now += 1000
      await file.append('x\n')
    }
    assert.deepEqual(names(), [
      'audit-20260316T100004Z-000.jsonl',
      'audit-20260316T100005Z-000.jsonl',
      'audit-notes.jsonl',
      'audit.jsonl',
    ])
  })

  it('removes the oldest of one second first', async (t) => {
    const { open, names, read } = fileIn(t, { maxBytes: 1, keepFiles: 2 })
    const file = open()
    for (let i = 0; i < 6; i++) await file.append(`${i}\n`)
    assert.deepEqual(
      names().map((name) => read(name)),
      ['3\n', '4\n', '5\n'],
    )
  })

  it('removes files of early versions in their order, and goes on behind them', async (t) => {
    const { at, clock, open, names } = fileIn(t, { maxBytes: 1, keepFiles: 3 })
    const file = open()
    await file.append('x\n')
    const early = ['Z', 'Z-001', 'Z-002'].map((end) => `audit-20260316T100000${end}.jsonl`)
    for (const name of early) appendFileSync(join(at, 'deep', name), 'x\n')
    assert.deepEqual(await file.rotated(), early)
    clock.now += 1000
    await file.append('x\n')
    await file.append('x\n')
    assert.deepEqual(names(), [
      'audit-20260316T100000Z-002.jsonl',
      'audit-20260316T100001Z-000.jsonl',
      'audit-20260316T100001Z-001.jsonl',
      'audit.jsonl',
    ])
  })

  it('keeps old files for a maximum time', async (t) => {
    const { at, open, names, clock } = fileIn(t, { maxBytes: 1, keepDays: 2 })
    const file = open()
    await file.append('x\n')
    await file.append('x\n')
    const [old] = names()
    const then = new Date(clock.now - 3 * 86_400_000)
    utimesSync(join(at, 'deep', old as string), then, then)
    clock.now += 1000
    await file.append('x\n')
    assert.deepEqual(names(), ['audit-20260316T100001Z-000.jsonl', 'audit.jsonl'])
  })
})
