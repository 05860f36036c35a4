import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { makeFolder } from '../../../../core/engine/util/make-folder.ts'
import { explainSystem } from '../../../../core/engine/util/system-error.ts'

describe('makeFolder', () => {
  const base = mkdtempSync(join(tmpdir(), 'make-folder-'))
  const failure = (folder: string): string | undefined => {
    try {
      makeFolder(folder)
      return undefined
    } catch (error) {
      return explainSystem(error)
    }
  }

  it('makes what is missing, for the owner only, and takes what is there', (t) => {
    t.after(() => rmSync(base, { recursive: true }))
    makeFolder(join(base, 'a/b/c'))
    makeFolder(join(base, 'a/b/c'))
    for (const name of ['a', 'a/b', 'a/b/c']) assert.equal(statSync(join(base, name)).mode & 0o777, 0o700)
    writeFileSync(join(base, 'file'), '')
    assert.equal(
      failure(join(base, 'file')),
      `${join(base, 'file')} is a file, not a folder (EEXIST). Name another place.`,
    )
    assert.match(failure(join(base, 'file/a/b')) ?? '', /a part of the path is a file/)
  })

  it('makes one that others make at the same time', async (t) => {
    const root = mkdtempSync(join(tmpdir(), 'make-folder-'))
    t.after(() => rmSync(root, { recursive: true }))
    const script = new URL('make-folder-thread.ts', import.meta.url)
    const left = new Int32Array(new SharedArrayBuffer(4)).fill(2)
    const threads = Array.from({ length: 2 }, () => new Worker(script, { workerData: { root, left } }))
    // A thread that fails has this reject.
    await Promise.all(threads.map((thread) => once(thread, 'exit')))
  })

  it('gives up where a file system has no such place', { skip: process.platform !== 'linux' }, () => {
    for (const folder of ['/proc/no-such', '/proc/no-such/a/b']) {
      assert.match(failure(folder) ?? '', /^\/proc\/no-such cannot be made: there is no such file \(ENOENT\)/)
    }
  })
})
