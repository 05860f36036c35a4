import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ConfigError, parseConfig } from '../../../../core/gateway/config/load.ts'
import { blocksOf } from '../../../docs/page.ts'
import { authority, certificate } from '../../../helpers/certificate.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { pemFiles } from '../../../helpers/upstream.ts'

const folder = temporaryFolder()

const ca = authority()
const good = certificate({ issuer: ca })
pemFiles(folder, {
  ca: ca.cert,
  'old-ca': certificate({ isAuthority: true, days: [-9, -2] }).cert,
  cert: good.cert,
  chain: good.cert + ca.cert,
  key: good.key,
  other: certificate().key,
  old: certificate({ days: [-9, -2] }).cert,
  early: certificate({ days: [5, 9] }).cert,
  locked: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIE\n-----END ENCRYPTED PRIVATE KEY-----\n',
  broken: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  text: 'no certificate at all',
})
mkdirSync(join(folder, 'folder'))
writeFileSync(join(folder, 'api-key'), 'sk-file\n')
writeFileSync(join(folder, 'empty'), '\n')
writeFileSync(join(folder, 'prose'), 'this is sesame, not a key')

const https = { url: 'https://api.example.com/v1' }

function problemsOf(config: object): string[] {
  try {
    parseConfig(JSON.stringify(config), join(folder, 'gateway.yaml'), {})
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems.map(({ path, message }) => `${path}: ${message}`.replaceAll(`${folder}/`, ''))
  }
}

const upstream = (options: object): string[] => problemsOf({ upstreams: { a: { ...https, ...options } } })

describe('config: how an upstream is reached', () => {
  it('takes files relative to its own folder', () => {
    const tls = { ca_file: 'ca.pem', cert_file: 'chain.pem', key_file: './key.pem' }
    const text = JSON.stringify({
      upstreams: { a: { ...https, key_file: 'api-key', tls, proxy: 'http://u:p@h:3128' } },
    })
    const { a } = parseConfig(text, join(folder, 'gateway.yaml'), {}).upstreams
    assert.equal(a?.key_file, join(folder, 'api-key'))
    assert.deepEqual(a?.tls, {
      ca_file: join(folder, 'ca.pem'),
      cert_file: join(folder, 'chain.pem'),
      key_file: join(folder, 'key.pem'),
    })
  })

  const cases: readonly [name: string, options: object, expected: string | RegExp][] = [
    [
      'two keys',
      { key: 'k', key_file: 'api-key' },
      'upstreams.a.key_file: stands beside key: an upstream has one of key, keys, key_file, key_command',
    ],
    ['no key file', { key_file: 'nowhere' }, 'upstreams.a.key_file: nowhere cannot be read: there is no such file'],
    ['a folder as key file', { key_file: 'folder' }, 'upstreams.a.key_file: folder cannot be read: it is a folder'],
    ['an empty key file', { key_file: 'empty' }, 'upstreams.a.key_file: empty is empty: it must hold the key'],
    ['prose as key', { key_file: 'prose' }, 'upstreams.a.key_file: prose must hold one key: visible ASCII on one line'],
    ['a command as text', { key_command: { command: 'print-key' } }, /^upstreams\.a\.key_command\.command: must be/],
    ['no command', { key_command: {} }, /^upstreams\.a\.key_command: .*command/],
    ['an empty command', { key_command: { command: [] } }, /^upstreams\.a\.key_command\.command: /],
    [
      'a ttl of nothing',
      { key_command: { command: ['x'], ttl_seconds: 0 } },
      /^upstreams\.a\.key_command\.ttl_seconds: /,
    ],
    [
      'no such authority',
      { tls: { ca_file: 'nowhere' } },
      'upstreams.a.tls.ca_file: nowhere cannot be read: there is no such file',
    ],
    [
      'no PEM',
      { tls: { ca_file: 'text.pem' } },
      'upstreams.a.tls.ca_file: text.pem holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)',
    ],
    [
      'a broken certificate',
      { tls: { ca_file: 'broken.pem' } },
      'upstreams.a.tls.ca_file: broken.pem holds a broken certificate',
    ],
    [
      'an old authority',
      { tls: { ca_file: 'old-ca.pem' } },
      'upstreams.a.tls.ca_file: old-ca.pem has expired certificates only: name a current one',
    ],
    [
      'a certificate alone',
      { tls: { cert_file: 'cert.pem' } },
      'upstreams.a.tls.key_file: is missing: cert_file needs its private key',
    ],
    [
      'a key alone',
      { tls: { key_file: 'key.pem' } },
      'upstreams.a.tls.cert_file: is missing: key_file needs its certificate',
    ],
    [
      'an expired certificate',
      { tls: { cert_file: 'old.pem', key_file: 'key.pem' } },
      /^upstreams\.a\.tls\.cert_file: old\.pem expired on 20\d\d-\d\d-\d\d: renew/,
    ],
    [
      'a future certificate',
      { tls: { cert_file: 'early.pem', key_file: 'key.pem' } },
      /^upstreams\.a\.tls\.cert_file: early\.pem is not valid before 20/,
    ],
    [
      'another key',
      { tls: { cert_file: 'cert.pem', key_file: 'other.pem' } },
      'upstreams.a.tls.key_file: other.pem is not the private key of the first certificate in cert.pem',
    ],
    [
      'an encrypted key',
      { tls: { cert_file: 'cert.pem', key_file: 'locked.pem' } },
      /^upstreams\.a\.tls\.key_file: locked\.pem is encrypted/,
    ],
    [
      'a certificate as key',
      { tls: { cert_file: 'cert.pem', key_file: 'cert.pem' } },
      /^upstreams\.a\.tls\.key_file: cert\.pem holds no private key/,
    ],
    [
      'certificates for http',
      { url: 'http://localhost/v1', tls: { ca_file: 'ca.pem' } },
      'upstreams.a.tls: means nothing with an http url: write https',
    ],
    ['an unknown member', { tls: { ca: 'ca.pem' } }, /^upstreams\.a\.tls\.ca: .*ca_file/],
    ['no url of a proxy', { proxy: 'u:sesame@proxy' }, /^upstreams\.a\.proxy: is not a valid proxy url/],
    ['socks', { proxy: 'socks5://u:sesame@proxy:1080' }, /^upstreams\.a\.proxy: is not a valid proxy url/],
    ['a path of a proxy', { proxy: 'http://u:sesame@proxy:1080/x' }, 'upstreams.a.proxy: must end after host and port'],
    [
      'a bare percent sign',
      { proxy: 'http://u:sesame%@proxy:1080' },
      /^upstreams\.a\.proxy: has a user name or password that is not percent-encoded/,
    ],
    [
      'demo',
      { kind: 'demo', url: undefined, proxy: 'http://p' },
      'upstreams.a.proxy: means nothing with kind demo, which answers by itself',
    ],
  ]
  for (const [name, options, expected] of cases) {
    it(`refuses ${name}`, () => {
      const problems = upstream(options)
      assert.equal(problems.length, 1, problems.join('\n'))
      if (typeof expected === 'string') assert.equal(problems[0], expected)
      else assert.match(problems[0]!, expected)
      assert.doesNotMatch(problems[0]!, /sesame/)
    })
  }
})

describe('config: how clients connect', () => {
  const pair = { cert_file: 'cert.pem', key_file: 'key.pem' }
  const demo = { upstreams: { demo: { kind: 'demo' } } }
  const certified = (...wanted: object[]) => ({
    listen: { tls: { ...pair, ca_file: 'ca.pem', client_certificates: 'optional' } },
    keys: wanted.map((client_certificate, i) => ({ id: `k${i}`, client_certificate })),
  })

  it('is as the page about production shows', () => {
    const [block] = blocksOf('docs/production.md').filter(({ text }) => text.includes('client_certificates'))
    assert.ok(block)
    const text = block.text
      .replace('/etc/governed-gateway/tls.crt', 'cert.pem')
      .replace('/etc/governed-gateway/tls.key', 'key.pem')
      .replace('/etc/governed-gateway/clients.crt', 'ca.pem')
    const made = parseConfig(`upstreams: { demo: { kind: demo } }\n${text}`, join(folder, 'gateway.yaml'), {})
    assert.equal(made.listen.tls?.client_certificates, 'optional')
  })

  it('takes files relative to its own folder', () => {
    const listen = { tls: { ...pair, ca_file: 'ca.pem' }, socket: { path: 'gw.sock' } }
    const made = parseConfig(JSON.stringify({ ...demo, listen }), join(folder, 'gateway.yaml'), {}).listen
    assert.deepEqual(made.socket, { path: join(folder, 'gw.sock'), mode: '0660' })
    assert.equal(made.tls?.cert_file, join(folder, 'cert.pem'))
    assert.equal(made.tls?.min_version, 'TLSv1.2')
    assert.equal(made.tls?.client_certificates, 'off')
  })

  const cases: readonly [name: string, config: object, expected: RegExp][] = [
    ['no key', { listen: { tls: { cert_file: 'cert.pem' } } }, /^listen\.tls: .*key_file/],
    [
      'no such file',
      { listen: { tls: { ...pair, cert_file: 'nowhere' } } },
      /^listen\.tls\.cert_file: nowhere cannot be read/,
    ],
    [
      'another key',
      { listen: { tls: { ...pair, key_file: 'other.pem' } } },
      /^listen\.tls\.key_file: other\.pem is not the private key/,
    ],
    [
      'an expired one',
      { listen: { tls: { ...pair, cert_file: 'old.pem' } } },
      /^listen\.tls\.cert_file: old\.pem expired on/,
    ],
    ['an old version', { listen: { tls: { ...pair, min_version: 'TLSv1.1' } } }, /^listen\.tls\.min_version: /],
    [
      'no authority',
      { listen: { tls: { ...pair, client_certificates: 'required' } } },
      /^listen\.tls\.ca_file: is missing: client_certificates/,
    ],
    [
      'a key for nobody',
      { keys: [{ id: 'a', client_certificate: { subject: 'CN=a' } }] },
      /^keys\[0\]\.client_certificate: means nothing: set listen\.tls\.client_certificates/,
    ],
    [
      'one subject twice',
      certified({ subject: 'CN=a, O=b' }, { subject: 'O=b,CN=a' }),
      /^keys\[1\]\.client_certificate: is the same as that of keys\[0\]/,
    ],
    ['no subject', certified({ subject: 'app' }), /^keys\[0\]\.client_certificate\.subject: is no subject/],
    ['a bare name', certified({ san: 'app.internal' }), /^keys\[0\]\.client_certificate\.san: /],
    ['neither', certified({}), /^keys\[0\]\.client_certificate: /],
    [
      'a port beside a socket',
      { listen: { socket: { path: 'x' }, port: 8787 } },
      /^listen\.port: means nothing beside listen\.socket.*: remove one/,
    ],
    ['a host beside a socket', { listen: { socket: { path: 'x' }, host: '::1' } }, /^listen\.host: means nothing/],
    ['a long path', { listen: { socket: { path: 'x'.repeat(120) } } }, /^listen\.socket\.path: has \d+ bytes/],
    ['a mode of nothing', { listen: { socket: { path: 'x', mode: 'rw' } } }, /^listen\.socket\.mode: /],
    ['a number as mode', { listen: { socket: { path: 'x', mode: 660 } } }, /^listen\.socket\.mode: /],
  ]
  for (const [name, config, expected] of cases) {
    it(`refuses ${name}`, () => {
      const problems = problemsOf({ ...demo, ...config })
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0]!, expected)
    })
  }

  it('refuses SERVICE_PORT beside a socket, not SERVICE_HOST, which images set', () => {
    const text = JSON.stringify({ ...demo, listen: { socket: { path: 'x' } } })
    const parse = (env: Record<string, string>) => parseConfig(text, join(folder, 'gateway.yaml'), env)
    assert.equal(parse({ SERVICE_HOST: '0.0.0.0' }).listen.socket?.path, join(folder, 'x'))
    assert.throws(() => parse({ SERVICE_PORT: '8787' }), /SERVICE_PORT: means nothing beside listen\.socket/)
  })
})
