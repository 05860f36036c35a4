import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { StoreClient } from '../../../core/store/client.ts'
import { EmbeddedDriver } from '../../../core/store/embedded/driver.ts'
import { conformance } from './conformance.ts'

const root = mkdtempSync(join(tmpdir(), 'gg-store-'))
after(() => rmSync(root, { recursive: true }))

let folders = 0
conformance({
  name: 'embedded',
  async open(options) {
    const folder = join(root, String(folders++))
    return new StoreClient(await EmbeddedDriver.open({ folder, ballastBytes: 0, ...options }))
  },
})
