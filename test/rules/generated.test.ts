import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { JSONSchema } from 'json-schema-to-ts'
import { parseDocument } from 'yaml'
import { checkAgainst } from '../../core/engine/config/validate.ts'
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { configSchema } from '../../core/gateway/config/load.ts'
import { readmeWithTypes } from '../../docs/generate/detector-tables.ts'
import { editorSchema } from '../../docs/generate/editor-schema.ts'
import { readmeWithOptions } from '../../docs/generate/option-table.ts'
import { staleFiles } from '../../docs/generate.ts'
import { DETECTORS } from '../../plugins/pii/detectors/index.ts'
import { NAME_KINDS } from '../../plugins/pii/names/kinds.ts'
import { KINDS } from '../../plugins/secrets/kinds/index.ts'
import { STRUCTURED_TYPES } from '../../plugins/secrets/types.ts'

const SPEC: PluginSpec = {
  name: 'sample',
  description: 'Does things.',
  create: () => ({}),
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: { type: 'string', format: 'uri', description: 'Where to | what.' },
      action: { type: 'string', enum: ['a', 'b'], default: 'a', description: 'See <that>.' },
      rules: {
        type: 'array',
        default: [],
        items: { type: 'object', properties: { limit: { type: 'integer', minimum: 1, maximum: 9 } } },
      },
    },
  },
}

it('generated files are up to date: npm run generate', async () => {
  assert.deepEqual([...(await staleFiles()).keys()], [])
})

it('every property of the config has a description', () => {
  const missing: string[] = []
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties, items, additionalProperties } = node as Record<string, unknown>
    for (const [name, member] of Object.entries(properties ?? {})) {
      if (typeof (member as { description?: unknown }).description !== 'string') missing.push(`${path}.${name}`)
      visit(member, `${path}.${name}`)
    }
    visit(items, `${path}[]`)
    visit(additionalProperties, `${path}.<name>`)
  }
  visit(configSchema, '')
  assert.deepEqual(missing, [])
})

describe('the schema for editors', () => {
  const schema = editorSchema([SPEC]) as JSONSchema
  const problems = (yaml: string) => checkAgainst(schema, parseDocument(yaml).toJS()).problems.map(({ path }) => path)
  const base = 'upstreams: { a: { kind: demo } }\n'

  it('accepts the samples as they stand, references and all', () => {
    for (const name of ['gateway', 'minimal', 'full']) {
      assert.deepEqual(problems(readFileSync(join(PACKAGE_ROOT, 'config', `${name}.yaml`), 'utf8')), [], name)
    }
  })

  it('knows the options of bundled plugins, and lets others be', () => {
    assert.deepEqual(problems(`${base}plugins: [{ use: sample, options: { url: "https://x", actoin: a } }]`), [
      'plugins[0].options.actoin',
    ])
    assert.deepEqual(problems(`${base}plugins: [{ use: sample, options: { url: "$\{X}", action: "$\{A}" } }]`), [])
    assert.deepEqual(problems(`${base}plugins: [{ use: ./mine.ts, options: { anything: 1 } }]`), [])
  })

  it('is as strict as the gateway where there is no reference', () => {
    assert.ok(problems(`${base}listen: { port: 70000 }`).includes('listen.port'))
    assert.ok(problems(`${base}listen: { port: "80" }`).includes('listen.port'))
    assert.ok(problems(`${base}log: { level: loud }`).includes('log.level'))
    assert.deepEqual(problems(`${base}listen: { prot: 1 }`), ['listen.prot'])
  })
})

describe('option tables', () => {
  const table = `| Option          | Type        | Default  | Meaning           |
| --------------- | ----------- | -------- | ----------------- |
| \`url\`           | string      | required | Where to \\| what. |
| \`action\`        | a \\| b      | \`"a"\`    | See &lt;that>.    |
| \`rules\`         | list of map | \`[]\`     |                   |
| \`rules[].limit\` | integer 1–9 |          |                   |
`

  it('goes where the markers are, else under the heading, else at the end', () => {
    const made = readmeWithOptions(SPEC, '')
    assert.ok(made.startsWith('# sample\n\nDoes things.\n\n## Options\n\n<!-- options'))
    assert.ok(made.includes(table))
    assert.equal(readmeWithOptions(SPEC, made), made)
    const stale = made.replace('| `url`', '| `uri`').replace('Does things.', 'By hand.')
    assert.equal(readmeWithOptions(SPEC, stale), made.replace('Does things.', 'By hand.'))
    const under = readmeWithOptions(SPEC, '# s\n\n## Options\n\nText.\n\n## More\n')
    assert.ok(under.indexOf(table) < under.indexOf('Text.') && under.endsWith('## More\n'))
    assert.equal(readmeWithOptions(SPEC, under), under)
  })
})

describe('detector tables', () => {
  const typesIn = (readme: string) => {
    const section = readme.slice(readme.indexOf('<!-- types'), readme.indexOf('<!-- /types -->'))
    return [...section.matchAll(/^\| `([a-z0-9_]+)`/gm)].map(([, type]) => type as string).sort()
  }
  const readmeOf = (name: string) => readFileSync(join(PACKAGE_ROOT, 'plugins', name, 'README.md'), 'utf8')

  it('list every type once', () => {
    const pii = new Set([...DETECTORS, ...NAME_KINDS].map(({ type }) => type))
    assert.deepEqual(typesIn(readmeOf('pii')), [...pii].sort())
    const secrets = [...KINDS.map(({ type }) => type), ...STRUCTURED_TYPES]
    assert.deepEqual(typesIn(readmeOf('secrets')), secrets.sort())
  })

  it('go where the markers are, and nowhere else', () => {
    const stale = 'before <!-- types -->\n| `old` |\n<!-- /types --> after'
    const made = readmeWithTypes('pii', stale)
    assert.ok(made.startsWith('before <!-- types: generated') && made.endsWith('<!-- /types --> after'))
    assert.ok(!typesIn(made).includes('old'))
    assert.equal(readmeWithTypes('pii', made), made)
    assert.equal(readmeWithTypes('pii', 'no markers'), 'no markers')
    assert.equal(readmeWithTypes('flags', stale), stale)
  })
})
