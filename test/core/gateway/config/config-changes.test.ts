import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { changesOf } from '../../../../core/gateway/config/changes.ts'
import { loadConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { ADMIN_KEY, USER_KEY } from '../../../helpers/gateway.ts'

const SECRET = 'canary-key-of-an-upstream-0123456789'
const base = {
  listen: { host: '127.0.0.1', port: 0 },
  store: 'memory',
  upstreams: { demo: { kind: 'demo' } },
  keys: [{ id: 'user', key: USER_KEY }],
  plugins: [
    { use: 'flags' },
    { use: 'budget', options: { limits: [{ id: 'all', scope: 'global', unit: 'requests', limit: 5, window: 'day' }] } },
  ],
}

async function running(t: TestContext) {
  const folder = temporaryFolder()
  const configFile = join(folder, 'gateway.json')
  const write = (config: object) => writeFileSync(configFile, JSON.stringify(config))
  write(base)
  const lines: Record<string, unknown>[] = []
  const logger = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })
  const gateway = await startGateway({ config: loadConfig(configFile, {}), configFile, logger, env: {} })
  t.after(() => gateway.close())
  const last = (type: string) => lines.findLast(({ msg }) => msg === type)?.event as Record<string, unknown> | undefined
  const reload = async (config: object) => {
    write(config)
    await gateway.reload()
    await new Promise((resolve) => setImmediate(resolve))
    return last('config.reloaded') as { changes: unknown; after_restart: unknown }
  }
  return { gateway, write, lines, last, reload }
}

describe('a reload', () => {
  it('names the line of a wrong option, as check does', async (t) => {
    const { gateway, write } = await running(t)
    write({ ...base, plugins: [{ use: 'pii', options: { acton: 'redact' } }] })
    await assert.rejects(gateway.reload(), /gateway\.json:1: plugins\[0\]\.options\.acton: is not a known key/)
  })

  it('names what was added, removed and changed, and no value', async (t) => {
    const { reload, lines } = await running(t)
    const { changes } = await reload({
      ...base,
      upstreams: { other: { url: 'http://127.0.0.1:1/v1', key: SECRET } },
      keys: [
        { id: 'user', key: USER_KEY, models: ['gpt-*'] },
        { id: 'ops', key: ADMIN_KEY, admin: true },
      ],
      plugins: [
        {
          use: 'budget',
          options: { limits: [{ id: 'all', scope: 'global', unit: 'requests', limit: 9, window: 'day' }] },
        },
        { use: 'pii' },
      ],
      limits: { on_store_error: 'local' },
    })
    const { added, removed, changed } = changes as Record<string, string[]>
    assert.deepEqual(
      { added, removed, changed },
      {
        added: ['upstreams.other', 'keys.ops', 'plugins.pii'],
        removed: ['upstreams.demo', 'plugins.flags'],
        changed: ['keys.user.models', 'plugins.budget.limits.all', 'routes', 'limits.on_store_error'],
      },
    )
    assert.ok(!JSON.stringify(lines).includes(SECRET) && !JSON.stringify(lines).includes(ADMIN_KEY))
  })

  it('that is taken back needs no restart any more', async (t) => {
    const { reload, lines } = await running(t)
    const moved = await reload({ ...base, listen: { ...base.listen, max_header_bytes: 32_768 } })
    assert.deepEqual(moved.after_restart, ['listen.max_header_bytes'])
    const warnings = () => lines.filter(({ msg }) => /only after a restart/.test(String(msg))).length
    assert.equal(warnings(), 1)
    const still = await reload({ ...base, listen: { ...base.listen, max_header_bytes: 32_768, drain_seconds: 3 } })
    assert.deepEqual(still.after_restart, ['listen.max_header_bytes'])
    assert.equal(warnings(), 2)
    const back = await reload(base)
    assert.deepEqual(back.after_restart, [])
    assert.equal(warnings(), 2)
    assert.ok(
      lines.some(
        ({ msg, restored }) => /needs no restart/.test(String(msg)) && String(restored) === 'listen.max_header_bytes',
      ),
    )
  })

  it('that fails is an event with the number of problems', async (t) => {
    const { gateway, write, last, lines } = await running(t)
    write({ ...base, nothing: SECRET, log: { level: 'loud' } })
    await assert.rejects(gateway.reload())
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(last('config.rejected')?.problems, 2)
    assert.equal(last('config.reloaded'), undefined)
    assert.ok(!JSON.stringify(lines).includes(SECRET))
  })
})

describe('changes', () => {
  it('of order alone are of the list; lists without names are told as a whole', () => {
    const plugins = [{ use: 'a' }, { use: 'b' }]
    const none = { added: [], removed: [], changed: [] }
    assert.deepEqual(changesOf({ plugins }, { plugins: plugins.toReversed() }), { ...none, changed: ['plugins'] })
    assert.deepEqual(changesOf({ a: { l: [1] } }, { a: { l: [2] } }), { ...none, changed: ['a.l'] })
    const twice = [{ use: 'a' }, { use: 'a', options: { x: 1 } }]
    assert.deepEqual(changesOf({ plugins }, { plugins: twice }), { ...none, changed: ['plugins'] })
    assert.deepEqual(changesOf({ plugins }, { plugins }), none)
  })
})
