import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openStore } from '../../../../core/services/store/open.ts'
import { runCli, runHere } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { until } from '../../../helpers/until.ts'

function folderOf(store = 'file:./data'): { folder: string; config: string } {
  const folder = temporaryFolder()
  const config = join(folder, 'gateway.yaml')
  writeFileSync(config, `store: ${store}\nupstreams: { demo: { kind: demo } }\n`)
  return { folder, config }
}

it('copies one moment of a store that is being written, and the copy is a store', async () => {
  const { folder, config } = folderOf()
  const data = join(folder, 'data')
  const store = await openStore(`file:${data}`)
  writeFileSync(join(data, 'secret'), 'made at the first start\n', { mode: 0o644 })
  let written = 0
  let stop = false
  const writing = (async () => {
    // Each step writes two values in one go: a copy has both or neither.
    while (!stop) {
      const [n] = await Promise.all([store.increment('a', 1), store.increment('b', 1), store.append('log', [{ n: 1 }])])
      written = n
      await pause(1)
    }
  })()
  await until(() => written >= 50)
  const before = written
  const done = await runCli(['store', 'backup', '--config', config, join(folder, 'copy')])
  stop = true
  await writing
  await store.close()
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stdout, /copy: store copied and checked, \d+ bytes\n$/)
  assert.deepEqual(readdirSync(join(folder, 'copy')).toSorted(), ['secret', 'store.db'])
  for (const name of ['secret', 'store.db']) assert.equal(statSync(join(folder, 'copy', name)).mode & 0o777, 0o600)
  const copy = await openStore(`file:${join(folder, 'copy')}`)
  const [a, b] = [await copy.get<number>('a'), await copy.get<number>('b')]
  const { records } = await copy.stats('log')
  await copy.close()
  assert.ok(a !== undefined && a >= before && a <= written, `${a} of ${written}`)
  assert.deepEqual([b, records], [a, a])
})

it('says what is wrong, and leaves nothing behind', async () => {
  const { folder, config } = folderOf()
  const target = join(folder, 'copy')
  const backup = (file: string, ...to: string[]) => runHere('store', 'backup', '--config', file, ...to)
  const none = await backup(config, target)
  assert.deepEqual([none.code, existsSync(target)], [2, false])
  assert.match(none.stderr, /there is no store in \S+data/)
  assert.equal((await backup(config)).code, 2)
  await (await openStore(`file:${join(folder, 'data')}`)).close()
  const taken = await backup(config, folder)
  assert.match(taken.stderr, /exists already/)
  const memory = await backup(folderOf('memory').config, target)
  assert.match(memory.stderr, /not a folder/)
})
