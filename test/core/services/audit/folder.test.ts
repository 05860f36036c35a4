/** The folder of the store is taken away under a running gateway. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '../../../../core/services/store/open.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { post, setup } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'
import { kind } from '../store/faults.ts'
import { reader, trail } from './faults.ts'

const METHODS = {
  deleted: (path: string) => rmSync(path, { recursive: true }),
  moved: (path: string) => renameSync(path, `${path}-away`),
  emptied: (path: string) => {
    renameSync(path, `${path}-away`)
    mkdirSync(path)
  },
  'replaced by a copy': (path: string) => {
    renameSync(path, `${path}-away`)
    cpSync(`${path}-away`, path, { recursive: true })
  },
}

for (const [how, take] of Object.entries(METHODS)) {
  for (const onError of ['block', 'allow'] as const) {
    test(`a folder that is ${how} is noticed before anything is lost in it (on_error: ${onError})`, async (t) => {
      const base = temporaryFolder()
      const path = join(base, 'data')
      const { gateway } = await setup(t, {
        plugins: [{ use: 'reader' }],
        specs: new Map([['reader', reader]]),
        config: { store: `file:${path}`, audit: { on_error: onError, spill_folder: join(base, 'spill') } },
      })
      const ask = async (): Promise<number> => {
        const reply = await post(gateway)
        await reply.text()
        return reply.status
      }
      const ready = async (): Promise<unknown> => (await send(`${gateway.url}/health/ready`)).json()
      assert.equal(await ask(), 200)
      take(path)
      const expected = onError === 'block' ? 503 : 200
      // The very next one.
      assert.deepEqual([await ask(), await ask()], [expected, expected])
      const unready = { status: 'unavailable', reason: 'folder_replaced' }
      assert.deepEqual(await ready(), onError === 'block' ? unready : { status: 'ok' })
      const { length } = gateway.log.filter(({ msg }) => msg === 'store.unavailable')
      assert.equal(length, 1)
      if (how === 'emptied' || how === 'replaced by a copy') {
        // Once a second it looks for a folder to keep others out of.
        await until(async () => {
          const other = await openStore(`file:${path}`).catch(kind('in_use', 'is in use by'))
          if (typeof other === 'object') await other.close()
          return other === true
        })
      }
      if (how === 'deleted') return
      rmSync(path, { recursive: true, force: true })
      renameSync(`${path}-away`, path)
      await until(() => gateway.log.some(({ msg }) => msg === 'store.recovered'))
      assert.equal(await ask(), 200)
      assert.deepEqual(await ready(), { status: 'ok' })
      await assert.rejects(openStore(`file:${path}`), kind('in_use', 'is in use by'))
      await gateway.close()
      const completed = (await trail(path)).filter(({ type }) => type === 'request.completed')
      assert.equal(completed.length, onError === 'block' ? 2 : 4)
    })
  }
}

for (const how of ['moved', 'emptied'] as const) {
  test(`what is written while the folder is ${how} is in the trail once the folder is back, also when it is to hold the waiting writes`, async (t) => {
    const base = temporaryFolder()
    const path = join(base, 'data')
    const { gateway } = await setup(t, {
      plugins: [{ use: 'reader' }],
      specs: new Map([['reader', reader]]),
      config: { store: `file:${path}`, audit: { on_error: 'allow', spill_folder: path } },
    })
    const ask = async (): Promise<void> => void (await (await post(gateway)).text())
    await ask()
    METHODS[how](path)
    await ask()
    await ask()
    assert.equal(existsSync(join(path, 'spill')), false)
    if (how === 'moved') assert.equal(existsSync(path), false, 'nothing is made in its place')
    else renameSync(path, `${path}-aside`)
    renameSync(`${path}-away`, path)
    await until(() => gateway.log.some(({ msg }) => msg === 'store.recovered'))
    await ask()
    await gateway.close()
    const completed = (await trail(path)).filter(({ type }) => type === 'request.completed')
    assert.equal(completed.length, 4)
  })
}
