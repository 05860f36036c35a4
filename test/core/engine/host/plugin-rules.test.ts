import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError } from '../../../../core/gateway/config/load.ts'
import { loadEverything } from '../../../../core/gateway/load.ts'
import { runCli } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()
const file = join(folder, 'gateway.yaml')

const plugin = (name: string, members: string): void =>
  writeFileSync(
    join(folder, `${name}.mjs`),
    `export default { name: '${name}', schema: { type: 'object' }, create: () => ({}), ${members} }`,
  )

/** `line path: message` of each problem. */
async function problems(text: string): Promise<string[]> {
  writeFileSync(file, `upstreams: { demo: { kind: demo } }\n${text}`)
  try {
    await loadEverything(file)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)
  }
}

const MISTAKES = `keys:
  - id: app
    key: "12345678"
    flags: { mode: loud }
    flags_allow: [mode=of, piii=off, budget=*, mode=shadow, "dry_run=*"]
plugins:
  - use: pii
  - use: flags
    options:
      defaults:
        mode: strikt
        pi: redact
        dry_run: false
        pii: mask
`

const FOUND = [
  '5 keys[0].flags.mode: must be off, monitor, enforce, strict',
  '6 keys[0].flags_allow[0]: mode must be off, monitor, enforce, strict. Did you mean "off"?',
  '6 keys[0].flags_allow[1]: piii is a flag that no enabled plugin declares. Did you mean "pii"?',
  '6 keys[0].flags_allow[2]: budget is a flag that no enabled plugin declares. Declared: dry_run, mode, pii.',
  '12 plugins[1].options.defaults.mode: must be off, monitor, enforce, strict. Did you mean "strict"?',
  '13 plugins[1].options.defaults.pi: is a flag that no enabled plugin declares. Did you mean "pii"?',
]

describe('flags in the config', () => {
  it('are checked before anything starts, all of them, with their lines', async () => {
    assert.deepEqual(await problems(MISTAKES), FOUND)
  })

  for (const args of [
    ['check', file],
    ['start', '--config', file],
  ]) {
    it(`are told by ${args[0]}`, async () => {
      await problems(MISTAKES)
      const { code, stderr } = await runCli(args, { SERVICE_PORT: '0', SERVICE_STORE: 'memory' })
      assert.equal(code, 3)
      for (const line of FOUND) assert.ok(stderr.includes(`gateway.yaml:${line.replace(' ', ': ')}`), stderr)
    })
  }

  it('need the plugin that applies them', async () => {
    const keys = 'keys: [{ id: app, key: "12345678", flags_allow: ["pii=*"] }]\n'
    assert.deepEqual(await problems(`${keys}plugins: [{ use: pii }]`), [
      "2 keys[0].flags_allow[0]: pii needs a plugin that provides 'flags', and none is enabled",
    ])
    assert.deepEqual(await problems(`${keys}plugins: [{ use: flags }, { use: pii }]`), [])
  })

  it('are not looked at in an entry that is not enabled', async () => {
    const entry = '{ use: flags, enabled: false, options: { defaults: { nothing: x } } }'
    assert.deepEqual(await problems(`plugins: [${entry}]`), [])
  })
})

describe('what entries of `plugins` need of each other', () => {
  it('one entry for each plugin', async () => {
    assert.deepEqual(await problems('plugins:\n  - use: flags\n  - use: flags\n'), [
      "4 plugins[1].use: the plugin 'flags' is listed twice, but may have one entry. Merge the two, or remove one.",
    ])
  })

  it('facts from earlier ones', async () => {
    const fact = "[{ key: 'test/fact' }]"
    plugin('takes', `requires: ${fact}`)
    plugin('gives', `provides: ${fact}`)
    const takes = "'takes' needs 'test/fact' from an earlier plugin."
    assert.deepEqual(await problems('plugins:\n  - use: ./takes.mjs\n  - use: ./gives.mjs\n'), [
      `3 plugins[0].use: ${takes} Move '- use: ./gives.mjs' (plugins[1]) in front of plugins[0].`,
    ])
    assert.deepEqual(await problems('plugins:\n  - use: ./takes.mjs\n'), [
      `3 plugins[0].use: ${takes} Enable a plugin that provides it.`,
    ])
    assert.deepEqual(await problems('plugins:\n  - use: ./gives.mjs\n  - use: ./takes.mjs\n'), [])
  })

  it('flags and settings of their own', async () => {
    const settings = (path: string): string =>
      `settings: { path: '${path}', schema: { type: 'object', additionalProperties: false, properties: {} } }`
    plugin('one', `flags: { tone: { values: ['a', 'b'] } }, ${settings('/api/settings/one')}`)
    plugin('two', `flags: { tone: { values: ['a', 'b'] } }, ${settings('/api/settings/one')}`)
    assert.deepEqual(await problems('plugins:\n  - use: ./one.mjs\n  - use: ./two.mjs\n'), [
      "4 plugins[1].use: its flag 'tone' is already declared by 'one'. Enable one of them only.",
      '4 plugins[1].use: its settings are at /api/settings/one, which one serves already. Enable one only.',
    ])
  })
})

describe('check() of a plugin', () => {
  it('is asked with defaults, and its answer has a line', async () => {
    plugin(
      'asked',
      `schema: { type: 'object', properties: { a: { type: 'integer', default: 3 }, b: { type: 'integer' } } },
      check: ({ a, b }) => (a > b ? [{ option: 'b', message: 'must be at least a' }] : [])`,
    )
    assert.deepEqual(await problems('plugins:\n  - use: ./asked.mjs\n    options:\n      b: 2\n'), [
      '5 plugins[0].options.b: must be at least a',
    ])
    assert.deepEqual(await problems('plugins:\n  - use: ./asked.mjs\n    options:\n      b: 3\n'), [])
  })

  it('fails the check when it throws, and must be a function', async () => {
    plugin('throws', "check() { throw new Error('oh') }")
    assert.deepEqual(await problems('plugins:\n  - use: ./throws.mjs\n'), [
      "3 plugins[0].use: check() of 'throws' failed: oh",
    ])
    plugin('odd', 'check: true')
    assert.match((await problems('plugins:\n  - use: ./odd.mjs\n'))[0] as string, /`check` must be a function/)
  })
})

describe('routes', () => {
  const routes = (...list: readonly string[]): Promise<string[]> =>
    problems(`routes:\n${list.map((one) => `  - { to: [demo], ${one} }\n`).join('')}`)

  it('are refused when an earlier one takes all their models', async () => {
    assert.deepEqual(await routes('model: "*"', 'model: "gpt-*"'), [
      '4 routes[1].model: "gpt-*" is never reached: routes[0] ("*") comes first and takes it all; move this route in front of routes[0]',
    ])
    assert.deepEqual(await routes('model: gpt-5', 'model: gpt-5'), [
      '4 routes[1].model: "gpt-5" is never reached: routes[0] ("gpt-5") comes first and takes it all; merge the two',
    ])
    assert.equal((await routes('model: "g*"', 'model: "*-5"', 'model: "gpt-*-5"')).length, 1)
  })

  it('stay when a name is left for them', async () => {
    const models = ['gpt-5', '"gpt-*"', '"*-mini"', '"g*"', '"*"']
    assert.deepEqual(await routes(...models.map((model) => `model: ${model}`)), [])
  })

  it('rename to one model, not to a pattern', async () => {
    assert.deepEqual(await routes('model: "*", rename: "gpt-*"'), [
      '3 routes[0].rename: must not contain *: it is the name of one model',
    ])
  })
})
