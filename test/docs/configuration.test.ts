import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { dataFolder, loadConfig } from '../../core/gateway/config/load.ts'
import { Reader } from './reader.ts'

it('docs/configuration.md does what it says, block by block', async (t) => {
  const reader = await Reader.open(t, 'docs/configuration.md')
  await reader.read('Configuration')
  const { root } = reader.copy
  assert.equal(dataFolder(loadConfig(join(root, 'my/copy.yaml'), {})), join(root, 'my/data'))
  const headings = ['Check', 'What plugins may connect to', 'Upstreams, routes and APIs']
  for (const heading of [...headings, 'Options of plugins', 'Audit log and limits']) await reader.read(heading)
  reader.finish()
})
