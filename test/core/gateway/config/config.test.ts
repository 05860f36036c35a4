// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to the environment look like this.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { parseOptions } from '../../../../core/engine/config/validate.ts'
import {
  ConfigError,
  dataFolder,
  loadConfig,
  type Problem,
  parseConfig,
  withLines,
} from '../../../../core/gateway/config/load.ts'

const FILE = '/etc/gateway/gateway.yaml'
const DEMO = 'upstreams: { demo: { kind: demo } }\n'
const HEX = 'ab'.repeat(32)
const NO_REFERENCE =
  'has a ${ that begins no reference to the environment: write ${NAME}, ${NAME:-default}, or $${ for the text itself'

function problemsOf(text: string, env: Record<string, string> = {}): readonly Problem[] {
  try {
    parseConfig(text, FILE, env)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    assert.equal(error.code, 'GW_CONFIG')
    return error.problems
  }
  assert.fail('the config was accepted')
}

/** `line path message` of each problem. */
const report = (text: string, env?: Record<string, string>): string[] =>
  problemsOf(text, env).map(({ line, path, message }) => `${line ?? '-'} ${path}: ${message}`)

function assertProblem(text: string, pattern: RegExp): void {
  const lines = report(text)
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0]!, pattern)
}

describe('config: defaults and shape', () => {
  it('fills every default and freezes the result', () => {
    const config = parseConfig(DEMO, FILE, {})
    assert.deepEqual(config.listen, {
      host: '127.0.0.1',
      port: 8787,
      max_body_bytes: 16 * 1024 * 1024,
      max_json_values: 320_000,
      max_header_bytes: 16384,
      headers_timeout_seconds: 10,
      request_timeout_seconds: 60,
      keep_alive_seconds: 75,
      max_connections: 0,
      drain_seconds: 25,
      reuse_port: true,
      trusted_proxies: [],
    })
    assert.equal(config.store, 'file:/etc/gateway/data')
    assert.equal(dataFolder(config), '/etc/gateway/data')
    assert.equal(config.workers, 1)
    assert.equal(config.secret, undefined)
    assert.deepEqual(config.log, { level: 'info' })
    assert.deepEqual(config.stream, { block_signal: 'error', keep_alive_seconds: 15 })
    assert.deepEqual(config.egress, { allow: [] })
    assert.deepEqual([config.keys, config.plugins], [[], []])
    const demo = config.upstreams.demo!
    assert.equal(demo.kind, 'demo')
    assert.equal(demo.ceiling, 'as_received')
    assert.equal(demo.first_byte_timeout_seconds, 120)
    assert.equal(demo.max_response_bytes, 32 * 1024 * 1024)
    assert.throws(() => Object.assign(config.listen, { port: 1 }), TypeError)
    assert.throws(() => Object.assign(demo.headers, { a: 'b' }), TypeError)
  })

  it('takes the name of the node from the file and the environment, if it has the shape of one', () => {
    const instance = (text: string, env = {}) => parseConfig(DEMO + text, FILE, env).instance
    assert.equal(instance(''), undefined)
    assert.equal(instance('instance: node-a.eu\n', { SERVICE_INSTANCE: 'node-b' }), 'node-b')
    assert.throws(() => instance('', { SERVICE_INSTANCE: 'a/b' }), /SERVICE_INSTANCE: /)
    assert.throws(() => instance(`instance: ${'a'.repeat(65)}\n`), /instance: /)
  })

  it('takes a number of workers, or auto, from the file and the environment', () => {
    const workers = (text: string, env = {}) => parseConfig(DEMO + text, FILE, env).workers
    assert.equal(workers('workers: auto\n'), 'auto')
    assert.equal(workers('workers: 3\n'), 3)
    assert.equal(workers('workers: 3\n', { SERVICE_WORKERS: '2' }), 2)
    assert.equal(workers('', { SERVICE_WORKERS: 'auto' }), 'auto')
    assert.throws(() => workers('workers: 0\n'), /workers: must be >= 1; got 0/)
    assert.throws(
      () => workers('', { SERVICE_WORKERS: 'many' }),
      /SERVICE_WORKERS: must be a whole number or auto; got a string of 4 characters$/,
    )
  })

  it('routes everything to a single upstream when routes are left out', () => {
    const written = parseConfig(`${DEMO}routes: [{ model: "*", to: [demo] }]\n`, FILE, {})
    assert.deepEqual(parseConfig(DEMO, FILE, {}).routes, written.routes)
  })

  it('reads a full file and gives types for it', () => {
    const text = `
listen: { host: 0.0.0.0, port: 80, trusted_proxies: [10.0.0.0/8, "::1"] }
store: memory
upstreams:
  openai: { url: https://api.openai.com/v1/, key: \${OPENAI_API_KEY}, max_classification: CONFIDENTIAL }
  local:
    url: http://127.0.0.1:11434/v1
    headers: { x-team: blue }
routes:
  - { model: "gpt-*", to: [openai, local] }
  - { model: "*", to: [local], rename: llama3 }
keys:
  - { id: app, hash: "sha256:${HEX.toUpperCase()}", models: ["gpt-*"], expires: 2027-01-31 }
  - { id: ops, key: \${OPS_KEY}, admin: true, flags_allow: ["mode=monitor", "budget=*"], flags: { dry_run: true } }
egress: { allow: [10.0.0.0/8, "127.0.0.1:9000", "[::1]:9000", "siem.internal:443"] }
plugins:
  - use: flags
  - { use: ./mine.ts, enabled: false, options: { a: 1 }, mode: monitor, on_error: allow, timeout_ms: 50 }
`
    const config = parseConfig(text, FILE, { OPENAI_API_KEY: 'sk-1', OPS_KEY: '1234567890' })
    const level: 'PUBLIC' | 'INTERNAL' | 'CONFIDENTIAL' | 'RESTRICTED' | undefined =
      config.upstreams.openai?.max_classification
    assert.equal(level, 'CONFIDENTIAL')
    assert.equal(config.upstreams.openai?.url, 'https://api.openai.com/v1')
    assert.equal(config.upstreams.openai?.key, 'sk-1')
    assert.equal(config.keys[1]?.key, '1234567890')
    assert.equal(config.plugins[1]?.mode, 'monitor')
    // @ts-expect-error the config is read-only
    assert.throws(() => config.plugins.push({}), TypeError)
  })
})

describe('config: the environment', () => {
  const yaml = (value: string) => `${DEMO}listen: { port: ${value}, host: "\${HOST:-::1}" }\n`

  it('reads references, defaults and escapes, inside flow maps too', () => {
    const config = parseConfig(yaml('${PORT}'), FILE, { PORT: '9000' })
    assert.deepEqual([config.listen.port, config.listen.host], [9000, '::1'])
    assert.equal(parseConfig(yaml('${PORT:-1234}'), FILE, { PORT: '' }).listen.port, 1234)
    const text = `${DEMO}plugins: [{ use: x, options: { a: $\${NOT}, b: "x\${A}y\${B:-, z: }" } }]`
    assert.deepEqual(parseConfig(text, FILE, { A: '1' }).plugins[0]?.options, { a: '${NOT}', b: 'x1y, z: ' })
  })

  it('keeps digits a string where the schema wants a string', () => {
    const config = parseConfig(`${DEMO}keys: [{ id: a, key: "\${K}" }]`, FILE, { K: '00012345' })
    assert.equal(config.keys[0]?.key, '00012345')
  })

  it('lets plugin options turn into numbers and booleans, when they came from the environment only', () => {
    const options = parseConfig(`${DEMO}plugins: [{ use: x, options: { n: \${N}, b: \${B}, s: "5" } }]`, FILE, {
      N: '5',
      B: 'true',
    }).plugins[0]!.options
    const number = { type: 'integer' } as const
    const schema = { type: 'object', properties: { n: number, b: { type: 'boolean' }, s: number } } as const
    const { value, problems } = parseOptions(schema, options, 'plugins[0].options')
    assert.deepEqual(value, { n: 5, b: true, s: '5' })
    assert.deepEqual(problems, [
      { path: 'plugins[0].options.s', message: 'must be a whole number; got a string: write it without quotes' },
    ])
  })

  it('names the line of a missing variable and of a malformed reference', () => {
    assert.deepEqual(report(`${DEMO}\nlisten:\n  host: \${NO_HOST}\n  port: \${}\n# key: \${IN_A_COMMENT}\n`), [
      '4 listen.host: the environment variable NO_HOST is not set: set it, or write ${NO_HOST:-default}',
      `5 listen.port: ${NO_REFERENCE}`,
    ])
  })

  it('names the line of a reference without its closing brace', () => {
    assert.deepEqual(report(`${DEMO}\nlisten:\n  host: "\${HOST"\n`), [`4 listen.host: ${NO_REFERENCE}`])
    for (const line of ['keys: [{ id: a, key: "${APP_KEY" }]', 'keys: [{ id: a, key: ${APP_KEY }]'])
      assert.equal(report(`# \${\n${DEMO}\n${line}\n`)[0], `4 : ${NO_REFERENCE}`)
    assert.ok(parseConfig(`${DEMO}secret: a$\${b and thirty-two characters more\n`, FILE, {}))
  })

  it('overrides the file, and blames the variable', () => {
    const env = {
      SERVICE_HOST: '::1',
      SERVICE_PORT: '0',
      SERVICE_STORE: 'memory',
      SERVICE_LOG_LEVEL: 'warn',
      SERVICE_SECRET: 's'.repeat(32),
    }
    const config = parseConfig(`${DEMO}listen: { port: 80 }\nlog:\n`, FILE, env)
    assert.deepEqual(
      [config.listen.host, config.listen.port, config.store, config.log.level, config.secret],
      ['::1', 0, 'memory', 'warn', 's'.repeat(32)],
    )
    assert.deepEqual(report(DEMO, { SERVICE_PORT: 'http', SERVICE_LOG_LEVEL: 'loud', SERVICE_SECRET: 'short' }), [
      '- SERVICE_PORT: must be a whole number; got a string',
      '- SERVICE_SECRET: must have at least 32 characters',
      '- SERVICE_LOG_LEVEL: must be one of debug, info, warn, error, silent; got a string of 4 characters',
    ])
    assert.equal(parseConfig(DEMO, FILE, { SERVICE_STORE: 'file:d' }).store, `file:${join(process.cwd(), 'd')}`)
  })
})

describe('config: every problem at once', () => {
  it('lists different mistakes with their lines, in the order of the file', () => {
    const text = `
listen: { prot: 80, host: 7 }
upstreams:
  openai: { url: ftp://x }
  demo: { kind: demo, headers: { "a b": x } }
routes:
  - { model: "gpt-?", to: [opanai] }
keys:
  - { id: a, hash: "md5:1" }
  - { id: a, key: "12345678" }
  - { id: b, key: "12345678" }
  - { id: c }
plugins:
  - usee: pii
egress:
  allow: ["10.0.0.0/33"]
`
    assert.deepEqual(report(text), [
      '2 listen.prot: is not a known key. Did you mean "port"?',
      '2 listen.host: must be a string; got a number: put it in quotes',
      '4 upstreams.openai.url: is not a valid http or https url: write it like https://api.openai.com/v1',
      '5 upstreams.demo.headers: a member with a name that is not shown here: (a text of 3 characters) is not a valid header name',
      '7 routes[0].model: must not contain "?": only * is a wildcard',
      '7 routes[0].to[0]: there is no upstream "opanai". Did you mean "openai"?',
      '9 keys[0].hash: has the wrong form: sha256: and the 64 hex digits of the key; governed-gateway keys create prints it. Or give key. (must match ^sha256:[0-9A-Fa-f]{64}$)',
      '10 keys[1].id: "a" is already the id of keys[0]: ids must differ',
      '11 keys[2]: is the same API key as keys[1]: each needs its own',
      '12 keys[3]: needs "hash" (governed-gateway keys create prints one) or "key"',
      '14 plugins[0]: needs "use"',
      '14 plugins[0].usee: is not a known key. Did you mean "use"?',
      '16 egress.allow[0]: is neither a CIDR range such as 10.0.0.0/8 nor an exact host:port',
    ])
  })

  it('puts file, line, path and message into the error, without secret values', () => {
    const text = `${DEMO}keys: [{ id: a, key: "hunter2", hash: "hunter2" }]\nsecret: hunter2\n`
    const error = assertThrows(() => parseConfig(text, FILE, {}))
    assert.match(error.message, /^\/etc\/gateway\/gateway\.yaml has 4 problems:\n/)
    assert.match(error.message, /\n\/etc\/gateway\/gateway\.yaml:2: keys\[0\]: must have "hash" or "key", not both/)
    assert.doesNotMatch(error.message, /hunter2/)
  })

  it('gives lines to problems found later', () => {
    const config = parseConfig(`${DEMO}plugins:\n  - use: a\n    options:\n      b: 1\n`, FILE, {})
    const found = withLines(config, [
      { path: 'plugins[0].options.b', message: 'm' },
      { path: 'plugins[0].use', message: 'm' },
    ])
    assert.deepEqual(
      found.map(({ line }) => line),
      [3, 5],
    )
  })

  it('reports YAML errors with their line', () => {
    assertProblem(`${DEMO}a: [1,\n`, /^\d+ : YAML: /)
    assertProblem(`${DEMO}\tx: 1\n`, /^2 : YAML: Tabs/)
    assertProblem(`${DEMO}log: *nope\n`, /^2 : YAML: there is no anchor "nope"/)
    assert.deepEqual(
      report(`${DEMO}log: { level: info }\nlog: { level: loud }\n`),
      [
        '2 log.level: must be one of debug, info, warn, error, silent; got a string of 4 characters',
        '3 : YAML: the key "log" is twice in the same map, first in line 2. Keep one of them',
      ].toSorted(),
    )
  })

  it('refuses YAML that has no end, is too deep, has several documents or unknown tags', () => {
    assertProblem(`${DEMO}plugins:\n- &p { use: pii, options: { x: *p } }\n`, /^3 : YAML: an alias stands within/)
    assertProblem(
      `${DEMO}log: ${'['.repeat(3000)}${']'.repeat(3000)}\n`,
      /^2 : YAML: lists or maps are nested too deep$/,
    )
    assertProblem(`${DEMO}---\n${DEMO}`, /^\d : YAML: a second document begins here/)
    assert.match(
      report(`${DEMO}log: { level: !!js/function "x" }\n`)[0]!,
      /^2 : YAML: this tag is not known; remove it/,
    )
    const bomb = Array.from({ length: 20 }, (_, i) => `x${i}: &x${i} [${`*x${i - 1}, `.repeat(i && 9)}]\n`).join('')
    assertProblem(
      `${DEMO}${bomb}`,
      /^- : YAML: the file has more than 1000000 values, those repeated by aliases included$/,
    )
  })

  it('refuses a file that is no text in UTF-8', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    const file = join(folder, 'gateway.yaml')
    for (const bytes of [Buffer.from(`\ufeff${DEMO}`, 'utf16le'), Buffer.from('log: caf\xe9', 'latin1')]) {
      writeFileSync(file, bytes)
      assert.match(assertThrows(() => loadConfig(file, {})).message, /is not text in UTF-8: save it in that encoding/)
    }
    writeFileSync(file, `\ufeff${DEMO}`)
    assert.ok(loadConfig(file, {}))
    rmSync(folder, { recursive: true })
  })

  it('refuses what is not a map, an empty file and a missing file', () => {
    assertProblem('- a\n', /^- : must be a map; got a list/)
    assertProblem('', /^- : needs "upstreams"/)
    assertProblem('upstreams: {}\n', /^1 upstreams: must not be empty/)
    const missing = assertThrows(() => loadConfig('/nonexistent/x.yaml', {}))
    assert.match(missing.message, /cannot be read: there is no such file/)
  })

  it('is not confused by special names', () => {
    assert.match(report(`${DEMO}__proto__: { listen: 1 }\n`)[0]!, /__proto__: is not allowed as a key/)
    assertProblem(`${DEMO}constructor: 1\n`, /constructor: is not a known key/)
    assertProblem('upstreams: { "a/b~c": { kind: demo } }\n', /upstreams: has an invalid name/)
    assertProblem(`${DEMO}routes: [{ model: "*", to: [constructor] }]\n`, /there is no upstream "constructor"/)
  })
})

describe('config: single rules', () => {
  const bad: Record<string, [string, RegExp]> = {
    'several upstreams without routes': ['upstreams: { a: {kind: demo}, b: {kind: demo} }', /routes: is empty/],
    'openai without url': ['upstreams: { a: {} }', /upstreams\.a: needs "url"/],
    'demo with url': ['upstreams: { a: { kind: demo, url: "http://x/v1" } }', /means nothing with kind demo/],
    'url with credentials': ['upstreams: { a: { url: "http://u:p@x/v1" } }', /must not hold a user name/],
    'url with a query': ['upstreams: { a: { url: "http://x/v1?a=1" } }', /query or fragment/],
    'url with the route': ['upstreams: { a: { url: "http://x/v1/chat/completions" } }', /must end before/],
    'own header': ['upstreams: { a: { kind: demo, headers: { Host: x } } }', /must not name host/],
    'header with a line break': ['upstreams: { a: { kind: demo, headers: { x-a: "1\\r\\nb: 2" } } }', /visible ASCII/],
    'forwarding credentials': ['upstreams: { a: { kind: demo, forward_headers: [Authorization] } }', /never reach/],
    'unknown store': [`${DEMO}store: sqlite`, /store: must be memory/],
    'empty folder': [`${DEMO}store: "file:"`, /names no folder/],
    'route without upstreams': [`${DEMO}routes: [{ model: "*", to: [] }]`, /routes\[0\]\.to: must not be empty$/],
    'bad expiry': [
      `${DEMO}keys: [{ id: a, key: "12345678", expires: 2027-02-30 }]`,
      /keys\[0\]\.expires: must be a date/,
    ],
    'expiry without zone': [`${DEMO}keys: [{ id: a, key: "12345678", expires: "2027-02-03T10:00" }]`, /with zone/],
    'flag with a colon': [
      `${DEMO}keys: [{ id: a, key: "0123456789abcdef", flags_allow: ["mode:monitor"] }]`,
      /keys\[0\]\.flags_allow\[0\]: has the wrong form: .*such as mode=monitor/,
    ],
    'key with blanks': [`${DEMO}keys: [{ id: a, key: "1234 5678" }]`, /keys\[0\]\.key: must be visible ASCII/],
    'bad model glob': [`${DEMO}keys: [{ id: a, key: "12345678", models: ["[a]"] }]`, /keys\[0\]\.models\[0\]/],
    'loose proxy address': [`${DEMO}listen: { trusted_proxies: ["127.1"] }`, /neither an address nor a CIDR/],
    'egress address without port': [`${DEMO}egress: { allow: ["10.0.0.1"] }`, /add a port \(10\.0\.0\.1:443\)/],
    'egress port out of range': [`${DEMO}egress: { allow: ["a:70000"] }`, /neither a CIDR/],
    'number out of range': [`${DEMO}listen: { port: 70000 }`, /listen\.port: must be <= 65535; got 70000/],
    'fraction of a port': [`${DEMO}listen: { port: 1.5 }`, /must be a whole number/],
    'unknown level': [
      'upstreams: { a: { kind: demo, max_classification: SECRET } }',
      /must be one of PUBLIC, INTERNAL/,
    ],
    'bad plugin mode': [`${DEMO}plugins: [{ use: a, mode: off }]`, /must be monitor; got a string of 3 characters$/],
    'bad on_error': [`${DEMO}plugins: [{ use: a, on_error: ignore }]`, /must be one of block, allow/],
    'same upstream twice': [
      `${DEMO}routes: [{ model: "*", to: [demo, demo] }]`,
      /routes\[0\]\.to\[1\]: "demo" is already to\[0\]/,
    ],
  }
  for (const [name, [text, pattern]] of Object.entries(bad)) it(name, () => assertProblem(text, pattern))

  it('Redis needs a shared secret and configured keys', () => {
    assert.deepEqual(
      report(`${DEMO}store: redis://h:6379/0`).map((line) => line.split(' is ')[0]),
      ['- secret:', '- keys:'],
    )
    const ok = `${DEMO}store: redis://h:6379/0\nkeys: [{ id: a, key: "12345678" }]`
    assert.equal(parseConfig(ok, FILE, { SERVICE_SECRET: 'x'.repeat(40) }).store, 'redis://h:6379/0')
  })

  it('a Redis url is read through before anything starts, and its files count from the config file', () => {
    const rest = `${DEMO}secret: ${'x'.repeat(40)}\nkeys: [{ id: a, key: "12345678" }]\nstore: `
    const ca = join(dirname(FILE), 'none.pem')
    assert.deepEqual(report(`${rest}rediss://u:hush@h/0?ca=none.pem`), [
      `4 store: ca=${ca} of the Redis url cannot be read: there is no such file.`,
    ])
    assert.match(report(`${rest}redis://u:hush@h/0?ca=none.pem`).join(), /need TLS/)
    assert.match(report(`${rest}redis://u:hush@h/0?tls=true`).join(), /knows cluster, ca, cert and key, not tls/)
  })
})

it('loads from disk, with a byte order mark and CRLF', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-config-'))
  try {
    const file = join(folder, 'g.yaml')
    writeFileSync(file, '\ufeffupstreams:\r\n  demo:\r\n    kind: demo\r\n')
    assert.equal(loadConfig(file, {}).store, `file:${join(folder, 'data')}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

function assertThrows(run: () => unknown): ConfigError {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error
  }
  assert.fail('nothing was thrown')
}
