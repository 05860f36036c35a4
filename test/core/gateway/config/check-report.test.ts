/** `check` tells all at once, and what is likely a mistake. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { runHere } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

let files = 0
async function check(text: string) {
  const file = join(folder, `${++files}.yaml`)
  writeFileSync(file, text)
  const { code, stderr } = await runHere('check', file)
  return {
    code,
    lines: stderr
      .trim()
      .split('\n')
      .map((line) => line.replaceAll(`${file}:`, '')),
  }
}

const KEY = 'keys: [{ id: app, key: "app-key-for-the-tour" }]\n'

describe('check: one report', () => {
  it('has the problems of every stage, each once, and the warnings', async () => {
    writeFileSync(
      join(folder, 'fussy.mjs'),
      `export default { name: 'fussy', schema: { type: 'object' }, create() { throw new Error('options.mood: is bad today') } }`,
    )
    const { code, lines } = await check(`upstreams:
  openai: { url: https://api.openai.com/v1, key: $OPENAI_API_KEY }
routes: [{ model: "gpt-*", to: [openai, nope] }]
keys:
  - { id: app, key: "app-key-for-the-tour", expires: 2020-01-01T00:00:00Z }
listen: { prot: 1 }
plugins:
  - use: policy
    options: { rules: [{ name: twin, keywords: [x] }, { name: twin, keywords: [y] }] }
  - use: pii
    options: { acton: redact }
  - use: siem
    options: { enabled: true, url: "http://127.0.0.1:9000/siem" }
  - use: ./fussy.mjs
`)
    assert.equal(code, 3)
    assert.deepEqual(lines, [
      `warning: 2: upstreams.openai.key: looks like a reference to the environment, but is used as it is: write \${NAME}`,
      'warning: 5: keys[0].expires: expired on 2020-01-01T00:00:00Z: requests with this key get 401',
      'warning: 9: plugins[0].options.rules[1].name: "twin" is the name of rules[0] too',
      lines[3],
      '3: routes[0].to[1]: there is no upstream "nope". Upstreams: openai.',
      '6: listen.prot: is not a known key. Did you mean "port"?',
      '11: plugins[1].options.acton: is not a known key. Did you mean "action"?',
      '13: plugins[2].options.url: is this machine (loopback); egress.allow in the config file may open it',
      '14: plugins[3].options.mood: is bad today',
    ])
    assert.match(String(lines[3]), /has 5 problems:$/)
  })

  it('names the option that create() refuses, or else the plugin', async () => {
    writeFileSync(
      join(folder, 'bare.mjs'),
      `export default { name: 'bare', schema: { type: 'object' }, create() { throw new Error('no luck') } }`,
    )
    const { lines } = await check(`upstreams: { demo: { kind: demo } }
plugins:
  - use: pii
    options:
      types: { mail: { enabled: false } }
  - use: secrets
    options: { kinds: { nothing: off } }
  - use: ./bare.mjs
`)
    assert.match(String(lines[1]), /^5: plugins\[0\]\.options\.types\.mail: there is no such type\. Known: /)
    assert.match(String(lines[2]), /^7: plugins\[1\]\.options\.kinds\.nothing: is an unknown type; /)
    assert.equal(lines[3], "8: plugins[2]: 'bare' could not be created: no luck")
  })

  it('goes on behind an unquoted *', async () => {
    const { code, lines } = await check(`upstreams: { demo: { kind: demo } }
routes:
  - model: *
    to: [nope]
keys: [{ id: app, key: "app-key-for-the-tour", models: [*] }]
`)
    assert.equal(code, 3)
    assert.deepEqual(lines.slice(1), [
      '3:12: YAML: an alias without a name. A text that begins with * needs quotes: "*…"',
      '4: routes[0].to[0]: there is no upstream "nope". Upstreams: demo.',
      '5:57: YAML: an alias without a name. A text that begins with * needs quotes: "*…"',
    ])
    const named = await check(`upstreams: { demo: { kind: demo } }\n${KEY}routes: [{ model: *gpt, to: [demo] }]\n`)
    assert.match(named.lines.join(), /3:19: YAML: there is no anchor "gpt" .*needs quotes/)
  })

  it('says how to write a section that has another form', async () => {
    const { lines } = await check(`upstreams: { demo: { kind: demo } }
keys: { app: "app-key-for-the-tour" }
listen: 0.0.0.0:8080
plugins:
  - use: pii
    action: tokenize
  - secrets
`)
    assert.deepEqual(lines.slice(1), [
      '2: keys: must be a list; got a map: write [{ … }]',
      '3: listen: must be a map; got a string: write { host: …, … }',
      '6: plugins[0].action: is not a known key. Does it belong below "options"?',
      '7: plugins[1]: must be a map; got a string: write { use: … }',
    ])
  })

  it('knows what people paste as a key and as the url of a provider', async () => {
    const { lines } = await check(`upstreams:
  openai: { url: "https://api.openai.com/v1", key: "Bearer abc" }
  claude: { url: "https://api.anthropic.com/v1/messages", key: abc }
routes: [{ model: "*", to: [openai, claude] }]
keys: [{ id: app, key: "Bearer app-key-for-the-tour" }]
`)
    const key = 'must be visible ASCII characters without blanks, and without "Bearer" before it'
    assert.deepEqual(lines.slice(1), [
      `2: upstreams.openai.key: ${key}`,
      '3: upstreams.claude.url: must end before /messages: write it like https://api.anthropic.com/v1, with kind: anthropic',
      `5: keys[0].key: ${key}`,
    ])
  })

  it('doubts receivers in the options of alerting and siem that are not enabled', async () => {
    const text = (enabled: string) => `upstreams: { demo: { kind: demo } }
${KEY}plugins:
  - { use: alerting, options: { ${enabled}webhook_url: "https://hooks.slack.com/services/x" } }
  - { use: siem, options: { ${enabled}url: "https://siem.example.com/in" } }
`
    const { code, lines } = await check(text(''))
    assert.equal(code, 0)
    assert.deepEqual(lines, [
      'warning: 4: plugins[0].options.enabled: is false, so no alerts are sent: set it to true',
      'warning: 5: plugins[1].options.enabled: is not true, so nothing is exported: set it to true',
    ])
    assert.deepEqual((await check(text('enabled: true, '))).lines, [''])
  })

  it('says that limits of one plugin have an id where those of another have a name', async () => {
    const { lines } = await check(`upstreams: { demo: { kind: demo } }
${KEY}plugins:
  - { use: ratelimit, options: { limits: [{ id: a, scope: key, requests_per_minute: 1 }] } }
  - { use: budget, options: { limits: [{ name: a, scope: key, unit: usd, limit: 1, window: day }] } }
`)
    assert.deepEqual(lines.slice(1), [
      '4: plugins[0].options.limits[0].id: is not a known key. Did you mean "name"?',
      '5: plugins[1].options.limits[0].name: is not a known key. Did you mean "id"?',
    ])
  })

  it('says how to write a plugin that was named without `use`, and which hooks there are', async () => {
    const plain = await check(`upstreams: { demo: { kind: demo } }\n${KEY}plugins: [pii]\n`)
    assert.equal(plain.lines[1], '3: plugins[0]: must be a map; got a string: write { use: … }')
    writeFileSync(
      join(folder, 'hooked.mjs'),
      `export default { name: 'hooked', schema: { type: 'object' }, create: () => ({ apply(h) { h.onRequest.tap('x', () => {}) } }) }`,
    )
    const hooked = await check(`upstreams: { demo: { kind: demo } }\n${KEY}plugins:\n  - use: ./hooked.mjs\n`)
    assert.match(
      String(hooked.lines[1]),
      /^4: plugins\[0\]: 'hooked' could not be applied: .*the hooks are preRequest, classify/,
    )
    writeFileSync(
      join(folder, 'nameless.mjs'),
      `export default { name: 'nameless', schema: { type: 'object' }, create: () => ({ apply(h) { h.block.tap(() => {}) } }) }`,
    )
    const nameless = await check(`upstreams: { demo: { kind: demo } }\n${KEY}plugins:\n  - use: ./nameless.mjs\n`)
    assert.match(String(nameless.lines[1]), /could not be applied: .*; give a name first: tap\('nameless', …\)$/)
  })

  it('says what form is expected', async () => {
    const { lines } = await check(`upstreams: { demo: { kind: demo } }\nkeys: [{ id: app, hash: nope }]\n`)
    assert.match(String(lines[1]), /keys\[0\]\.hash: has the wrong form: .* \(must match \^sha256:/)
  })

  it('warns of nothing that is meant as it stands, and shows no values', async () => {
    const { code, lines } = await check(`upstreams: { demo: { kind: demo } }
keys: [{ id: app, key: "pa$$WORDpa$$WORD", expires: 2999-01-01 }]
plugins:
  - use: policy
    options: { rules: [{ name: price, patterns: ['US\\$[0-9]+', 'end$'], reason: 'Costs $5, or $\${NAME}' }] }
`)
    assert.deepEqual([code, lines], [0, ['']])
    const secret = await check(`upstreams: { demo: { kind: demo } }\nkeys: [{ id: app, key: $SECRET_SECRET_SECRET }]\n`)
    assert.equal(secret.code, 0)
    assert.equal(secret.lines.length, 1)
    assert.doesNotMatch(String(secret.lines[0]), /SECRET/)
  })
})
