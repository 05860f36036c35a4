import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { StoreClient } from '../../../../core/services/store/client.ts'
import { EmbeddedDriver } from '../../../../core/services/store/embedded/driver.ts'
import { embeddedStores, kind, status } from './faults.ts'

const { closed, folder, open, root } = embeddedStores()

describe('embedded store: one owner', () => {
  it('refuses a folder that is in use, and names the process', async () => {
    const path = folder()
    const store = await open(path)
    await assert.rejects(open(path), kind('in_use', path, `process ${process.pid}`, 'store: file:'))
    const script = join(root, 'other.ts')
    const driver = join(import.meta.dirname, '../../../../core/services/store/embedded/driver.ts')
    const attempt = `EmbeddedDriver.open({ folder: '${path}' }).catch((error) => process.stdout.write(error.message))`
    writeFileSync(script, `import { EmbeddedDriver } from '${driver}'\n${attempt}`)
    const argv = process.execArgv.filter((arg) => !arg.startsWith('--test'))
    const said = execFileSync(process.execPath, [...argv, script], { encoding: 'utf8' })
    assert.match(said, new RegExp(`in use by process ${process.pid}`))
    await store.close()
    const again = await open(path)
    await again.close()
  })

  it('says what to do when the folder cannot be used', async () => {
    const path = folder()
    writeFileSync(path, 'a file')
    await assert.rejects(open(join(path, 'below')), kind('unavailable', path, 'may be written'))
  })

  it('starts its thread again when it dies, without losing what was answered', async () => {
    const driver = await EmbeddedDriver.open({ folder: folder(), ballastBytes: 0 })
    const store = new StoreClient(driver)
    closed(store)
    await store.set('k', 1)
    const [down, up] = [status(store, 'unavailable'), status(store, 'ready')]
    driver.connect(() => {}).receive('this is no message' as never)
    const pending = store.set('k', 2)
    await assert.rejects(pending, kind('unavailable', 'thread'))
    await down
    await up
    assert.equal(await store.get('k'), 1)
    await store.close()
  })

  it('keeps its chain name, whatever the host is called later', async () => {
    const path = folder()
    for (const instance of ['first', 'second']) {
      const store = await open(path, { instance })
      await store.append('audit', [{ type: 'start' }])
      await store.close()
    }
    const store = await open(path, { durability: 'relaxed' })
    const { records } = await store.scan('audit')
    assert.deepEqual(
      records.map(({ record }) => [record.instance, record.seq]),
      [
        ['first', 1],
        ['first', 2],
      ],
    )
    await store.close()
  })

  it('keeps all of it over a clean restart with relaxed durability', async () => {
    const path = folder()
    const store = await open(path, { durability: 'relaxed' })
    await Promise.all(Array.from({ length: 100 }, () => store.increment('n', 1)))
    await store.close()
    const again = await open(path)
    assert.equal(await again.get('n'), 100)
    await again.close()
  })
})
