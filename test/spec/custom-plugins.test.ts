/** Plugins that are not ours: by a path relative to the config file, and as an npm package. */
import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertError } from '../helpers/errors.ts'
import { asking, post, setup } from '../helpers/gateway.ts'

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url))
const PACKAGE = 'gateway-plugin-sample'

describe('custom plugins', () => {
  it('a TypeScript file beside the config', async (t) => {
    const { gateway } = await setup(t, {
      plugins: [{ use: './plugins/keyword.ts', options: { word: 'Hello', action: 'block' } }],
    })
    await assertError(await post(gateway, asking('Hello')), 'GW_POLICY_BLOCK')
  })

  it('an npm package, and the same file by its path, far from the gateway', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-plugins-'))
    t.after(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, 'node_modules'))
    await cp(join(FIXTURES, 'npm-plugin'), join(folder, 'node_modules', PACKAGE), { recursive: true })
    await cp(join(FIXTURES, 'npm-plugin'), join(folder, 'policies'), { recursive: true })
    for (const use of [PACKAGE, './policies/index.js']) {
      const { gateway } = await setup(t, {
        plugins: [{ use, options: { value: use } }],
        file: join(folder, 'gateway.yaml'),
      })
      const reply = await post(gateway)
      assert.equal(reply.status, 200)
      assert.equal(reply.headers['x-sample'], use)
      await reply.text()
    }
  })

  it('options that the schema does not know stop the start with one report', async (t) => {
    const plugins = [
      { use: './plugins/keyword.ts', options: { word: 'x', colour: 'red' } },
      { use: './plugins/none.ts' },
      { use: 'gateway-plugin-that-is-not-there' },
    ]
    await assert.rejects(setup(t, { plugins }), (error: Error) => {
      for (const part of [/colour/, /none\.ts/, /gateway-plugin-that-is-not-there/]) assert.match(error.message, part)
      return true
    })
  })
})
