/** `check` warns of names that fit nothing in the config; a start goes on as before. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { validatePlugins } from '../../../../core/gateway/validate-plugins.ts'
import { runHere } from '../../../helpers/cli.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'

const folder = temporaryFolder()

const KEYS = `keys:
  - { id: app-one, hash: "sha256:${'0'.repeat(64)}", team: blue }
  - { id: ops, hash: "sha256:${'1'.repeat(64)}", admin: true }
`
interface Names {
  readonly key: string
  readonly team: string
  readonly glob: string
  readonly upstream: string
}
const GOOD: Names = { key: 'app-one', team: 'blue', glob: 'app-*', upstream: 'demo' }
const BAD: Names = { key: 'app-oen', team: 'bleu', glob: 'web-*', upstream: 'dmeo' }

const config = ({ key, team, glob, upstream }: Names, keys = KEYS): string => `upstreams: { demo: { kind: demo } }
${keys}plugins:
  - use: ratelimit
    options: { limits: [{ scope: key, requests_per_minute: 5, keys: [${key}], teams: [${team}] }] }
  - { use: classification, options: { rules: [{ label: INTERNAL, teams: [${team}] }] } }
  - { use: policy, options: { rules: [{ keywords: [x], keys: [ops, ${key}] }] } }
  - use: budget
    options:
      limits:
        - { scope: key, unit: requests, limit: 5, window: day, match: ['${glob}'] }
        - { id: t, scope: team, unit: requests, limit: 5, window: day, match: [${team}] }
        - { id: m, scope: model, unit: requests, limit: 5, window: day, match: [anything] }
      prices: [{ model: x, upstream: ${upstream}, input: 1, output: 1 }]
`

async function check(name: string, text: string) {
  const file = join(folder, name)
  writeFileSync(file, text)
  return await runHere('check', file)
}

describe('check: warnings', () => {
  it('name option, line, what was written and the nearest; the exit code stays 0', async () => {
    const { code, stdout, stderr } = await check('bad.yaml', config(BAD))
    assert.equal(code, 0)
    assert.match(stdout, /bad\.yaml: ok/)
    const expected = [
      /:7: plugins\[0\]\.options\.limits\[0\]\.keys\[0\]: the config has no key 'app-oen', .*Did you mean "app-one"\?$/,
      /:7: plugins\[0\]\.options\.limits\[0\]\.teams\[0\]: the config has no team 'bleu', .*Did you mean "blue"\?$/,
      /:8: plugins\[1\]\.options\.rules\[0\]\.teams\[0\]: the config has no team 'bleu'/,
      /:9: plugins\[2\]\.options\.rules\[0\]\.keys\[1\]: the config has no key 'app-oen'/,
      /:13: plugins\[3\]\.options\.limits\[0\]\.match\[0\]: the config has no key 'web-\*', so this fits nothing\.$/,
      /:14: plugins\[3\]\.options\.limits\[1\]\.match\[0\]: the config has no team 'bleu'/,
      /:16: plugins\[3\]\.options\.prices\[0\]\.upstream: the config has no upstream 'dmeo', .*Did you mean "demo"\?$/,
    ]
    const lines = stderr.trimEnd().split('\n')
    assert.equal(lines.length, expected.length, stderr)
    for (const [i, line] of lines.entries()) {
      assert.match(line, /^warning: /)
      assert.match(line, expected[i] as RegExp)
    }
  })

  it('name a model of a route that a limit in dollars would refuse, once', async () => {
    const text = (options: string) => `upstreams: { a: { url: "http://x/v1" }, b: { url: "http://y/v1" } }
routes:
  - { model: gpt-4o, to: [a] }
  - { model: house, to: [a, b], rename: our-llama }
  - { model: "*", to: [a] }
${KEYS}plugins:
  - use: budget
    options:
      limits:
        - { scope: team, unit: usd, limit: 5, window: month }
        - { scope: key, unit: usd, limit: 5, window: month }
${options}`
    const { code, stderr } = await check('unpriced.yaml', text(''))
    assert.equal(code, 0)
    assert.match(
      stderr,
      /^warning: .*:13: plugins\[0\]\.options\.limits\[0\]\.unit: no price is known of the model 'our-llama' at the upstream 'b', so its requests are refused\. Add it to prices\n$/,
    )
    for (const options of ['prices: [{ model: our-*, input: 1, output: 1 }]', 'unknown_price: allow']) {
      assert.equal((await check('priced.yaml', text(`      ${options}\n`))).stderr, '')
    }
  })

  it('are not there for names that the config has, as they are or by a glob', async () => {
    const { code, stderr } = await check('good.yaml', config(GOOD))
    assert.deepEqual([code, stderr], [0, ''])
  })

  it('are not there for keys and teams when the first start makes the keys', async () => {
    const { code, stderr } = await check('no-keys.yaml', config({ ...BAD, upstream: 'demo' }, ''))
    assert.deepEqual([code, stderr], [0, ''])
  })

  it('are no problems for a start', async () => {
    const { problems, warnings } = await validatePlugins(parseConfig(config(BAD), 'bad.yaml', {}), folder)
    assert.deepEqual([problems.length, warnings.length], [0, 7])
  })
})

describe('check: routes that can hardly serve', () => {
  it('are named with what their upstreams have', async () => {
    const { code, stdout, stderr } = await check(
      'routes.yaml',
      `upstreams:
  claude: { kind: anthropic, url: https://api.anthropic.com }
  openai: { url: https://api.openai.com/v1 }
  chat: { url: http://127.0.0.1:1/v1, shapes: [chat-completions] }
routes:
  - { model: text-embedding-3-small, to: [openai, chat] }
  - { model: "text-embedding-*", to: [chat] }
  - { model: omni-moderation-latest, to: [chat] }
  - { model: gpt-3.5-turbo-instruct, to: [chat] }
  - { model: "*", to: [chat, claude] }
`,
    )
    assert.equal(code, 0, stderr)
    assert.match(stdout, /routes\.yaml: ok/)
    const expected = [
      /:2: upstreams\.claude\.url: lacks the version: write https:\/\/api\.anthropic\.com\/v1$/,
      /:7: routes\[1\]\.to: cannot serve "text-embedding-\*": none of its upstreams has the shape embeddings, only chat-completions$/,
      /:8: routes\[2\]\.to: cannot serve "omni-moderation-latest": .* shape moderations, only chat-completions$/,
      /:9: routes\[3\]\.to: cannot serve "gpt-3\.5-turbo-instruct": .* shape completions, only chat-completions$/,
    ]
    const lines = stderr.trim().split('\n').sort()
    assert.equal(lines.length, expected.length, stderr)
    for (const pattern of expected)
      assert.ok(
        lines.some((line) => pattern.test(line)),
        `${pattern} in ${stderr}`,
      )
  })
})
