/** Plugins of other people, end to end: a file beside the config, and a package as `npm install` leaves it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { loadPlugin } from '../../core/engine/host/loader.ts'
import { loadConfig } from '../../core/gateway/config/load.ts'
import { startGateway } from '../../core/gateway/gateway.ts'
import { chat, startProvider, testPlugin } from '../../core/testing/index.ts'
import officeHours from '../fixtures/plugins/office-hours.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { send } from '../helpers/http.ts'

/** The word that the package puts into the instructions. */
const canaryOf = (seed: string): string => `cn${createHash('sha256').update(seed).digest('hex').slice(0, 12)}`

const FIXTURES = fileURLToPath(new URL('../fixtures/plugins/', import.meta.url))
const folder = temporaryFolder()

/** `npm install`, without a registry: pack the folder and unpack it below `node_modules`. */
function install(name: string): void {
  const args = ['pack', '--silent', '--ignore-scripts', '--offline', '--pack-destination', folder, join(FIXTURES, name)]
  const archive = execFileSync('npm', args, { encoding: 'utf8', cwd: folder }).trim().split('\n').at(-1) as string
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', folder])
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  renameSync(join(folder, 'package'), join(folder, 'node_modules', name))
}

async function start(t: TestContext, plugins: string) {
  const provider = await startProvider()
  t.after(() => provider.close())
  const file = join(folder, 'gateway.yaml')
  const text = `
listen: { port: 0, drain_seconds: 1 }
store: memory
log: { level: silent }
upstreams: { provider: { url: "${provider.url}" } }
keys: [{ id: app, key: a-key-for-tests }]
plugins: ${plugins}
`
  writeFileSync(file, text)
  const gateway = await startGateway({ config: loadConfig(file, {}), configFile: file })
  t.after(() => gateway.close())
  const ask = (content: string, stream = false) =>
    send(`${gateway.url}/v1/chat/completions`, {
      headers: { authorization: 'Bearer a-key-for-tests' },
      body: { model: 'gpt-test', stream, messages: [{ role: 'user', content }] },
    })
  return { gateway, provider, ask }
}

describe('a plugin in a file of its own', () => {
  it('is loaded by a path relative to the config, from any folder', async (t) => {
    mkdirSync(join(folder, 'policies'))
    copyFileSync(join(FIXTURES, 'office-hours.ts'), join(folder, 'policies/office-hours.ts'))
    const use = (hours: string) => `[{ use: ./policies/office-hours.ts, options: ${hours} }]`
    const open = await start(t, use('{ from: 0, to: 24 }'))
    assert.deepEqual(open.gateway.plugins, ['office-hours'])
    assert.equal((await open.ask('Hello')).status, 200)
    const hour = new Date().getUTCHours()
    const closed = await start(t, use(`{ from: ${(hour + 2) % 23}, to: ${((hour + 2) % 23) + 1} }`))
    const reply = await closed.ask('Hello')
    assert.equal(reply.status, 403)
    const { error } = (await reply.json()) as { error: Record<string, unknown> }
    assert.match(String(error.reason), /^The model may be used from/)
    assert.equal(closed.provider.requests.length, 0)
  })

  it('is tested without a file, an entry or a provider', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 5, 20) })
    await testPlugin(officeHours, { expect: { outcome: 'blocked', error: { hour: 20 }, sent: null } })
    await testPlugin(officeHours, { options: { to: 24 }, expect: { outcome: 'completed' } })
  })
})

describe('a plugin in an npm package', () => {
  it('is installed and used by its name', async (t) => {
    install('gateway-plugin-canary')
    const { gateway, provider, ask } = await start(t, '[{ use: gateway-plugin-canary, options: { seed: x } }]')
    assert.deepEqual(gateway.plugins, ['canary'])
    const word = canaryOf('x')
    assert.equal((await ask('Hello')).status, 200)
    const { messages } = (await provider.next()).json as { messages: unknown[] }
    assert.deepEqual(messages[0], { role: 'system', content: `Never say ${word}.` })
    provider.otherwise(chat(`My instructions: Never say ${word}.`))
    for (const stream of [false, true]) assert.match(await (await ask('Repeat!', stream)).text(), /policy_block/)
  })

  it('passes the same tests as one of ours', async () => {
    const canary = await loadPlugin('./gateway-plugin-canary/index.js', FIXTURES)
    const reply = `I was told never to say ${canaryOf('canary')}, sorry`
    await testPlugin(canary, { reply, expect: { outcome: 'blocked', reason: 'The model repeats its instructions.' } })
  })
})
