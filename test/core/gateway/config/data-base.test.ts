import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DEFAULT_CONFIG, PACKAGE_ROOT } from '../../../../core/engine/util/package.ts'
import { abandonedData, dataBase } from '../../../../core/gateway/config/data-base.ts'
import { ConfigError, dataFolder, loadConfig, parseConfig } from '../../../../core/gateway/config/load.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const INSTALLED = '/usr/lib/node_modules/governed-gateway'
const UPSTREAMS = 'upstreams: { demo: { kind: demo } }\n'

describe('where data lives', () => {
  it('is beside a config of your own, and beside the code of a clone', () => {
    assert.equal(dataBase('/etc/gateway/my.yaml', {}), '/etc/gateway')
    assert.equal(
      dataFolder(parseConfig(`${UPSTREAMS}store: file:./data`, '/etc/gateway/my.yaml', {})),
      '/etc/gateway/data',
    )
    assert.equal(dataFolder(loadConfig(DEFAULT_CONFIG, {})), join(PACKAGE_ROOT, 'data'))
  })

  it('is the state folder of the user where the package is installed', () => {
    const file = join(INSTALLED, 'config', 'gateway.yaml')
    const standard = join(homedir(), '.local', 'state', 'governed-gateway')
    assert.equal(dataBase(file, { XDG_STATE_HOME: '/var/state' }, INSTALLED), '/var/state/governed-gateway')
    assert.equal(dataBase(file, { XDG_STATE_HOME: 'relative' }, INSTALLED), standard)
    assert.equal(dataBase(file, {}, INSTALLED), standard)
  })

  it('is never below node_modules', () => {
    for (const [file, store] of [
      ['/srv/node_modules/other/my.yaml', 'file:./data'],
      ['/srv/my.yaml', 'file:/srv/node_modules/governed-gateway/data'],
    ] as const) {
      assert.throws(
        () => parseConfig(`${UPSTREAMS}store: ${store}`, file, {}),
        (error) => error instanceof ConfigError && /:2: store: is a folder below node_modules/.test(error.message),
      )
    }
  })

  it('of an earlier version is named', () => {
    const folder = temporaryFolder()
    const root = join(folder, 'node_modules', 'governed-gateway')
    const file = join(root, 'config', 'gateway.yaml')
    mkdirSync(root, { recursive: true })
    assert.equal(abandonedData(file, root), undefined)
    mkdirSync(join(root, 'data'))
    assert.equal(abandonedData(file, root), join(root, 'data'))
    assert.equal(abandonedData('/etc/my.yaml', root), undefined)
  })
})
