// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to the environment look like this.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Keyring } from '../../../../core/engine/access/keyring.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { runCli, runHere } from '../../../helpers/cli.ts'
import { filesFor } from '../../../helpers/folder.ts'

const { folder, file } = filesFor()

const PLUGIN = `export default {
  name: 'mine', create: () => ({}),
  schema: { type: 'object', additionalProperties: false, properties: { limit: { type: 'integer', maximum: 9 } } },
}`

describe('cli: general', () => {
  it('shows help and version', async () => {
    const { version } = JSON.parse((await import('node:fs')).readFileSync('package.json', 'utf8')) as {
      version: string
    }
    const [help, versionOut, commandHelp] = await Promise.all([
      runHere('--help'),
      runCli(['--version']),
      runHere('keys', 'create', '--help'),
    ])
    assert.deepEqual([help.code, help.stderr], [0, ''])
    for (const word of ['start', 'check', 'keys create', 'plugins', 'Exit codes', 'SERVICE_PORT']) {
      assert.ok(help.stdout.includes(word), word)
    }
    assert.deepEqual(versionOut, { code: 0, signal: null, stdout: `${version}\n`, stderr: '' })
    assert.match(commandHelp.stdout, /Usage: governed-gateway keys create [\s\S]*--admin/)
  })

  it('shows the help of a command by its first word alone, if no other begins with it', async () => {
    for (const args of [
      ['keys', '--help'],
      ['store', '-h'],
    ]) {
      const { code, stdout, stderr } = await runHere(...args)
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, new RegExp(`Usage: governed-gateway ${args[0]} [a-z]+ `))
    }
  })

  it('lists the commands that begin with a word', async () => {
    const { code, stdout, stderr } = await runHere('audit', '--help')
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, /audit verify \[FILE…\] [\s\S]*audit key /)
    assert.doesNotMatch(stdout, /keys create/)
  })

  const wrong: Record<string, [string[], RegExp]> = {
    'no command': [[], /^governed-gateway: a governance gateway[\s\S]*Usage/],
    'unknown command': [['strat'], /there is no command "strat"\. Did you mean "start"\?/],
    'unknown option': [['start', '--confg', 'x'], /there is no option --confg\. Did you mean "--config"\?/],
    'option without value': [['start', '--config'], /: --config needs a value\.\n/],
    'a file where an option is meant': [['start', 'my.yaml'], /"my\.yaml"\. Did you mean --config my\.yaml\?/],
    'an id where an option is meant': [['keys', 'create', 'app'], /Did you mean --id app\?/],
    'an option where a file is meant': [
      ['check', '--config', 'my.yaml'],
      /check takes the file without --config: governed-gateway check FILE\./,
    ],
    'option before the command': [['--config', 'x', 'start'], /put the command first/],
    'too many operands': [['check', 'a', 'b'], /does not know what to do with "b"\.\n/],
    'half a command': [['keys'], /needs a second word: keys create/],
    'wrong second word': [['keys', 'delete'], /keys has no command "delete"/],
    'bad key id': [['keys', 'create', '--id', 'a b'], /--id: use letters/],
    'unknown plugin': [['plugins', 'no-such'], /there is no bundled plugin "no-such"/],
  }
  for (const [name, [args, pattern]] of Object.entries(wrong)) {
    it(`${name}: exit code 2 and a hint`, async () => {
      const { code, stdout, stderr } = await runHere(...args)
      assert.match(stderr, pattern)
      assert.deepEqual([code, stdout], [2, ''])
    })
  }
})

describe('cli: keys create', () => {
  it('prints a key and a line that works in a config', async () => {
    const { code, stdout } = await runHere('keys', 'create', '--id', 'ci', '--admin')
    assert.equal(code, 0)
    const key = /gw_\S+/.exec(stdout)![0]
    const line = / {2}- \{.*\}/.exec(stdout)![0]
    assert.ok(line.includes(hash('sha256', key, 'hex')))
    const config = parseConfig(`upstreams: { demo: { kind: demo } }\nkeys:\n${line}\n`, 'g.yaml', {})
    const { keyId, admin } = new Keyring(config.keys).authenticate({ authorization: `Bearer ${key}` })
    assert.deepEqual([keyId, admin], ['ci', true])
  })
})

describe('cli: check', () => {
  it('lists five mistakes in one go, with file, line and path, and exits 3', async () => {
    file('mine.ts', PLUGIN)
    const path = file(
      'five.yaml',
      `listen:
  prot: 8787
upstreams:
  openai: { url: https://api.openai.com/v1, key: \${GW_TEST_MISSING} }
routes:
  - { model: "*", to: [opanai] }
keys:
  - { id: app, hash: "sha256:12" }
plugins:
  - use: ./mine.ts
    options: { limit: 10 }
`,
    )
    const { code, stdout, stderr } = await runCli(['check', path])
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      `${path} has 5 problems:`,
      `${path}:2: listen.prot: is not a known key. Did you mean "port"?`,
      `${path}:4: upstreams.openai.key: the environment variable GW_TEST_MISSING is not set: set it, or write \${GW_TEST_MISSING:-default}`,
      `${path}:6: routes[0].to[0]: there is no upstream "opanai". Did you mean "openai"?`,
      `${path}:8: keys[0].hash: has the wrong form: sha256: and the 64 hex digits of the key; governed-gateway keys create prints it. Or give key. (must match ^sha256:[0-9A-Fa-f]{64}$)`,
      `${path}:11: plugins[0].options.limit: must be <= 9; got 10`,
    ])
    assert.deepEqual([code, stdout], [3, ''])
  })

  it('lists what only the plugins themselves can judge', async () => {
    const path = file(
      'limits.yaml',
      `upstreams: { demo: { kind: demo } }
plugins:
  - use: ratelimit
    options:
      limits:
        - { name: x, scope: key, requests_per_minute: 1 }
        - { name: x, scope: key, requests_per_minute: 1 }
  - use: budget
    options:
      limits:
        - { scope: key, unit: tokens, limit: 1.5, window: month }
        - { scope: global, match: [a], unit: usd, limit: 1, window: day }
        - { scope: key, unit: usd, limit: 1.0e-9, window: day }
`,
    )
    const { code, stderr } = await runHere('check', path)
    assert.deepEqual(stderr.trimEnd().split('\n'), [
      `${path} has 4 problems:`,
      `${path}:7: plugins[0].options.limits[1].name: two of the limits are named 'x'. Give each its own name.`,
      `${path}:11: plugins[1].options.limits[0].limit: must be a whole number of tokens.`,
      `${path}:12: plugins[1].options.limits[1].match: does not go with scope global.`,
      `${path}:13: plugins[1].options.limits[2].limit: must be 0 or at least 0.000001 usd.`,
    ])
    assert.equal(code, 3)
  })

  it('says ok with a summary, and names files relative to the working folder', async () => {
    file('mine.ts', PLUGIN)
    file(
      'ok.yaml',
      'upstreams: { demo: { kind: demo } }\nplugins: [{ use: ./mine.ts }, { use: ./off.ts, enabled: false }]\n',
    )
    const { code, stdout, stderr } = await runCli(['check', 'ok.yaml'], {}, folder)
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'ok.yaml: ok',
      '  listen       127.0.0.1:8787',
      '  upstreams    demo',
      '  routes       * -> demo',
      '  keys         none: the first start makes a user key and an admin key',
      '  plugins      mine',
      '  not enabled  ./off.ts',
    ])
  })

  it('exits 3 for a file that is not there, and for one that is not YAML', async () => {
    const results = await Promise.all([
      runHere('check', join(folder, 'none.yaml')),
      runHere('check', file('bad.yaml', 'a: [1,\nb: }')),
    ])
    assert.deepEqual(
      results.map(({ code }) => code),
      [3, 3],
    )
    assert.match(results[0]!.stderr, /there is no such file/)
    assert.match(results[1]!.stderr, /bad\.yaml:\d:\d: YAML: /)
  })
})

describe('cli: plugins', () => {
  it('lists the bundled plugins', async () => {
    const { code, stderr } = await runHere('plugins')
    assert.deepEqual([code, stderr], [0, ''])
  })
})
