/** Which options are never read back. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bundledSpecs } from '../../../../core/engine/host/loader.ts'
import { settingNames } from '../../../../core/gateway/options/overrides.ts'
import { visitOptions } from '../../../../core/gateway/options/schema-walk.ts'
import { masked, secretsIn } from '../../../../core/gateway/options/secrets.ts'
import { opened } from './rig.ts'

const MARKED = { type: 'object', properties: { other: { type: 'string', writeOnly: true } } }
const SECRET = 'kept-by-itself'

/** What is shown of options of a plugin that is not bundled and marks some secrets. */
const shown = (options: object, schema: object = MARKED): string =>
  JSON.stringify(masked(options, secretsIn({ schema, isBundled: false }, options)))

it('hides what names say is a secret, at any step, in lists and objects, as text or number', () => {
  const names =
    'authToken accessToken clientSecret CLIENTSECRET password pwd pass signing_key encryption_key hmac_key key bearer auth dsn connection_string apiKeys api_keys secret_id token_value api_token_v2 salt private_key_pem tokens secrets credentials apikey cookie jwt sasUrl headers'
  for (const name of names.split(' ')) {
    for (const value of [SECRET, [SECRET], { a: SECRET }, { a: [{ b: SECRET }] }, 123456, [123456]]) {
      const text = shown({ [name]: value })
      assert.doesNotMatch(text, /kept-by-itself|123456/, `${name}: ${JSON.stringify(value)}`)
      assert.doesNotMatch(shown({ outer: [{ [name]: value }] }), /kept-by-itself|123456/, name)
    }
  }
  for (const options of [
    { list: [{ name: 'Authorization', value: SECRET }] },
    { list: [{ key: 'x-api-key', values: [SECRET] }] },
    { list: [`Authorization: ${SECRET}`, `Bearer ${SECRET}`] },
    { text: `Server=x;Password=${SECRET}` },
    { urls: [`https://user:${SECRET}@one.example/`] },
  ])
    assert.doesNotMatch(shown(options), /kept-by-itself/, JSON.stringify(options))
})

it('shows what is no secret: choices, counts, switches and plain texts', () => {
  const options = {
    ...{ author: 'someone', monkey: 'see', keys: ['team-a'], tokens_per_minute: 500, default_completion_tokens: 7 },
    ...{ has_token: true, url: 'https://one.example/in', auth: 'basic' },
  }
  const schema = { ...MARKED, properties: { ...MARKED.properties, auth: { enum: ['basic', 'none'] } } }
  assert.equal(shown(options, schema), JSON.stringify(options))
})

it('hides every text of a plugin that marks no secrets, except those of its schema', () => {
  const schema = {
    type: 'object',
    properties: { mode: { enum: ['fast', 'slow'] }, label: { type: 'string', default: 'none' } },
  }
  const options = { mode: 'fast', label: 'none', most: 3, on: true, deep: { lists: [['x', 1]] }, a: 'text' }
  assert.deepEqual(masked(options, secretsIn({ schema, isBundled: false }, options)), {
    ...{ mode: 'fast', label: 'none', most: 3, on: true, deep: { lists: [['********', 1]] } },
    ...{ a: '********', a_set: true },
  })
  const byName = { map: { Xk39fjKQ0aLm82ncPz71bV5t: true } }
  assert.doesNotMatch(JSON.stringify(masked(byName, secretsIn({ schema, isBundled: false }, byName))), /Xk39/)
})

it('shows no other texts of the bundled plugins than these', async () => {
  const list: string[] = []
  for (const { name, schema, settings } of await bundledSpecs()) {
    const own = settingNames({ settings } as never)
    const sample = sampleOf(schema as Schema, schema as Schema) as Record<string, unknown>
    const options = Object.fromEntries(Object.entries(sample).filter(([member]) => !own.includes(member)))
    const left = masked(options, secretsIn({ schema: schema as object, isBundled: true }, options))
    visitOptions(schema as object, left, ({ value, path }) => {
      if (value === 'sample') list.push(`${name}: ${path.map((step) => (step === 0 ? '*' : step)).join('.')}`)
      return false
    })
  }
  assert.deepEqual(list.toSorted(), SHOWN)
})

it('goes by the schema in the answers, too', async (t) => {
  const { get } = await opened(t, { options: { rows: [{ name: 'a', code: 'code-of-a' }], word: 'hello' } })
  const { options, effective, yaml } = await get()
  assert.doesNotMatch(JSON.stringify([options, effective, yaml]), /code-of-a/)
})

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  $ref?: string
}

/** Options with every member, and a text wherever one may be. */
function sampleOf(schema: Schema, root: Schema): unknown {
  const { $ref: ref, anyOf, oneOf, type, properties, additionalProperties: others, items, enum: listed } = schema
  if (ref !== undefined) {
    const steps = ref.split('/').slice(1)
    return sampleOf(
      steps.reduce((node, step) => node[step] as Schema, root),
      root,
    )
  }
  const branches = anyOf ?? (oneOf as Schema[] | undefined)
  if (branches !== undefined && properties === undefined)
    return branches.map((one) => sampleOf(one, root)).findLast((one) => one !== undefined)
  if (listed !== undefined) return (listed as unknown[])[0]
  if (items !== undefined) return [sampleOf(items, root)]
  if (properties !== undefined || typeof others === 'object') {
    const members = Object.entries(properties ?? {}).map(([name, one]) => [name, sampleOf(one, root)])
    const more = typeof others === 'object' ? [['any', sampleOf(others as Schema, root)]] : []
    return Object.fromEntries([...members, ...more])
  }
  return [type].flat().includes('string') ? 'sample' : undefined
}

const SHOWN = [
  'audit-file: path',
  'budget: limits.*.id',
  'budget: limits.*.match.*',
  'budget: limits.*.window.rolling',
  'budget: prices.*.model',
  'budget: prices.*.upstream',
  'classification: labels.*',
  'classification: labels_dir',
  'classification: rules.*.keys.*',
  'classification: rules.*.keywords.*',
  'classification: rules.*.models.*',
  'classification: rules.*.name',
  'classification: rules.*.patterns.*',
  'classification: rules.*.teams.*',
  'flags: defaults.any',
  'injection: allow.*',
  'metrics: keys.*',
  'metrics: listen.host',
  'metrics: models.*',
  'metrics: path',
  'oidc: issuers.*.admin.claim',
  'oidc: issuers.*.admin.value',
  'oidc: issuers.*.audience.*',
  'oidc: issuers.*.id_claim',
  'oidc: issuers.*.id_prefix',
  'oidc: issuers.*.issuer',
  'oidc: issuers.*.jwks_url',
  'oidc: issuers.*.label_claim',
  'oidc: issuers.*.models.*',
  'oidc: issuers.*.models_claim',
  'oidc: issuers.*.team_claim',
  'oidc: issuers.*.teams.*.team',
  'oidc: issuers.*.teams.*.value',
  'otel: attributes.any',
  'otel: endpoint',
  'otel: service_name',
  'pii: allow.domains.*',
  'pii: allow.phones.*',
  'pii: allow.values.*',
  'pii: locales.*',
  'pii: patterns.*.context.*',
  'pii: patterns.*.pattern',
  'pii: patterns.*.type',
  'pii: words.*.type',
  'pii: words.*.words.*',
  'policy: rules.*.keys.*',
  'policy: rules.*.keywords.*',
  'policy: rules.*.models.*',
  'policy: rules.*.name',
  'policy: rules.*.patterns.*',
  'policy: rules.*.reason',
  'policy: rules.*.replace',
  'policy: rules.*.teams.*',
  'presidio: allow.*',
  'presidio: entities.*',
  'presidio: language',
  'presidio: types.any.type',
  'presidio: url',
  'ratelimit: limits.*.keys.*',
  'ratelimit: limits.*.models.*',
  'ratelimit: limits.*.name',
  'ratelimit: limits.*.teams.*',
  'secrets: allow.*',
  'secrets: patterns.*.pattern',
  'secrets: patterns.*.type',
]
