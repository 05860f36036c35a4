/** A secret at a wrong place of a config is in no message: they tell where, and what is allowed. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { ConfigError, type Problem } from '../../../../core/gateway/config/load.ts'
import { inspect } from '../../../../core/gateway/load.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { part } from '../../../helpers/rounds.ts'
import { startNode } from '../../services/settings/gateways.ts'

const SECRETS = ['sk-live-9f8A7b6C5d4E3f2A1b0C', 'correct horse battery', '*Zx9!kQ2#', 'p4ssw0rd', '4111111111111111']
/** Names that an operator chooses are shown, unless they look like a secret. */
const SECRET_NAMES = SECRETS.filter((one) => one !== 'p4ssw0rd')

/** A config with all plugins and few values. */
const FULL: unknown = parse(
  readFileSync(new URL('../../../../config/full.yaml', import.meta.url), 'utf8').replaceAll(
    /\$\{\w+(?::-(.*?))?\}/g,
    '$1',
  ),
)

type Place = { readonly at: readonly (string | number)[]; readonly how: 'value' | 'key' | 'element' }

function* placesIn(node: unknown, at: readonly (string | number)[] = []): Generator<Place> {
  if (Array.isArray(node)) {
    yield { at, how: 'element' }
    for (const [i, item] of node.entries()) yield* placesIn(item, [...at, i])
  } else if (typeof node === 'object' && node !== null) {
    yield { at, how: 'key' }
    for (const [name, value] of Object.entries(node)) yield* placesIn(value, [...at, name])
  } else yield { at, how: 'value' }
}

/** The config with a secret at this place; of the plugins only the one that has the place, for each takes its time. */
function planted({ at, how }: Place, secret: string): string {
  const config = structuredClone(FULL) as { plugins: unknown[] }
  const [first, nth] = at
  if (first !== 'plugins') config.plugins = []
  else if (typeof nth === 'number') config.plugins = [config.plugins[nth]]
  const place = typeof nth === 'number' && first === 'plugins' ? ['plugins', 0, ...at.slice(2)] : at
  const path = how === 'value' ? place.slice(0, -1) : place
  const node = path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], config) as Record<
    string,
    unknown
  >
  if (how === 'element') (node as unknown as unknown[]).push(secret)
  else node[how === 'key' ? secret : String(at.at(-1))] = how === 'key' ? true : secret
  return JSON.stringify(config, null, 1)
}

async function messagesOf(text: string): Promise<string[]> {
  const folder = temporaryFolder()
  const file = join(folder, 'c.yaml')
  writeFileSync(file, text)
  const told = ({ path, message }: Problem) => `${path}: ${message}`
  try {
    const { problems, warnings } = await inspect(file)
    return [...problems, ...warnings].map(told)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message.split('\n').slice(1)
  }
}

describe('a secret at a wrong place of the config', () => {
  it('is repeated nowhere', async () => {
    // A step that shares no divisor with the number of secrets: each of them is met.
    const places = part([...placesIn(FULL)], 11, 3)
    const wrong: string[] = []
    for (const [i, place] of places.entries()) {
      const secrets = place.how === 'key' ? SECRET_NAMES : SECRETS
      const secret = secrets[i % secrets.length] as string
      for (const message of await messagesOf(planted(place, secret)))
        if (message.includes(secret)) wrong.push(`${place.how} ${place.at.join('.')}: ${message}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(places.length > 50)
  })
})

describe('a secret at a wrong place of settings', () => {
  it('is neither in the answer nor in the log', async (t) => {
    const node = await startNode({ store: 'memory' })
    t.after(() => node.close())
    for (const secret of SECRETS) {
      const bodies = [
        { kind: secret },
        { size: secret },
        { types: secret },
        { url: `not a url ${secret}` },
        { enabled: secret },
        { receivers: [secret] },
        ...(SECRET_NAMES.includes(secret) ? [{ [secret]: true }] : []),
      ]
      for (const body of bodies) {
        const { status, error } = await node.put(body)
        assert.equal(status, 400, JSON.stringify(body))
        assert.ok((error?.message ?? '').length > 20)
        assert.ok(!JSON.stringify(error).includes(secret), JSON.stringify(error))
      }
      assert.ok(!JSON.stringify(node.log).includes(secret))
    }
  })

  it('is named by its place, with what is allowed', async (t) => {
    const node = await startNode({ store: 'memory' })
    t.after(() => node.close())
    const { error } = await node.put({ kind: 'sk-live-9f8A7b6C5d4E3f2A1b0C' })
    assert.match(error?.message ?? '', /kind: must be one of webhook, other; got a string of 28 characters/)
    const typo = await node.put({ kind: 'webhok' })
    assert.match(typo.error?.message ?? '', /got a string of 6 characters\. Did you mean "webhook"\?/)
  })
})
