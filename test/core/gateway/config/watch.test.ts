import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, renameSync, symlinkSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { watchConfig } from '../../../../core/gateway/config/watch.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const root = temporaryFolder()

/** Watches, does something, and waits for the change to be seen. */
async function seenAfter(file: string, action: () => void): Promise<void> {
  // A referenced timer: the watcher itself never keeps a process alive.
  const alive = setInterval(() => {}, 1000)
  const { promise, resolve } = Promise.withResolvers<void>()
  const watcher = watchConfig(file, resolve)
  action()
  await promise
  watcher.close()
  clearInterval(alive)
}

it('sees a write, a replacement and a swapped symbolic link', async () => {
  const file = join(root, 'a.yaml')
  writeFileSync(file, '1')
  await seenAfter(file, () => writeFileSync(file, '22'))
  await seenAfter(file, () => {
    writeFileSync(`${file}.tmp`, '333')
    renameSync(`${file}.tmp`, file)
  })
  // As Kubernetes mounts a ConfigMap: file -> ..data/file, ..data -> a folder, and ..data is swapped.
  const mount = join(root, 'mount')
  for (const version of ['v1', 'v2']) {
    mkdirSync(join(mount, version), { recursive: true })
    writeFileSync(join(mount, version, 'b.yaml'), version)
  }
  symlinkSync('v1', join(mount, '..data'))
  symlinkSync('..data/b.yaml', join(mount, 'b.yaml'))
  await seenAfter(join(mount, 'b.yaml'), () => {
    symlinkSync('v2', join(mount, '..data_tmp'))
    renameSync(join(mount, '..data_tmp'), join(mount, '..data'))
  })
})

it('ignores other files of the folder, and calls once for several writes', async () => {
  const file = join(root, 'c.yaml')
  writeFileSync(file, '1')
  let calls = 0
  const alive = setInterval(() => {}, 1000)
  const { promise, resolve } = Promise.withResolvers<void>()
  const watcher = watchConfig(file, () => {
    calls++
    resolve()
  })
  writeFileSync(join(root, 'other.yaml'), '1')
  for (const text of ['22', '333', '4444']) writeFileSync(file, text)
  await promise
  watcher.close()
  clearInterval(alive)
  assert.equal(calls, 1)
})

it('reports a folder that cannot be watched', () => {
  let problem: Error | undefined
  watchConfig(
    join(root, 'gone', 'x.yaml'),
    () => {},
    (error) => {
      problem = error
    },
  ).close()
  assert.match(String(problem), /ENOENT/)
})

for (const isTaken of [false, true])
  it(`a change that was read for another reason is none: ${isTaken}`, async (t) => {
    const file = join(root, `taken-${isTaken}.yaml`)
    writeFileSync(file, '1')
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let calls = 0
    const watcher = watchConfig(file, () => calls++)
    const own = watch(root)
    const seen = once(own, 'change')
    writeFileSync(file, '22')
    if (isTaken) watcher.taken()
    await seen
    await new Promise(setImmediate)
    t.mock.timers.tick(1000)
    assert.equal(calls, isTaken ? 0 : 1)
    own.close()
    watcher.close()
  })
