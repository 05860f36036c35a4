import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, parseConfig } from '../../../../core/gateway/config/load.ts'

function problemsOf(route: object, upstream: object = {}, more: object = {}): string[] {
  const upstreams = { a: { url: 'http://a/v1', ...upstream }, b: { url: 'http://b/v1' } }
  const config = { upstreams, routes: [{ model: '*', to: ['a', 'b'], ...route }], ...more }
  try {
    parseConfig(JSON.stringify(config), '/nowhere/gateway.yaml', {})
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.problems.map(({ path, message }) => `${path}: ${message}`)
  }
}

describe('config: limits and preferences of routes', () => {
  it('accepts them', () => {
    const prefer = [{ label: 'RESTRICTED', upstreams: ['b', 'a'] }]
    const route = { timeout_seconds: 1, first_token_timeout_seconds: 0.5, prefer, cheapest: true }
    const keys = [{ id: 'k', key: 'sk-12345678', region: 'eu' }]
    assert.deepEqual(problemsOf(route, { cost: 0, region: 'eu' }, { keys }), [])
  })

  const cases: readonly [string, string[], RegExp][] = [
    [
      'an unknown upstream',
      problemsOf({ prefer: [{ label: 'RESTRICTED', upstreams: ['c'] }] }),
      /^routes\[0\]\.prefer\[0\]\.upstreams\[0\]: "c" is not in "to" of this route: a, b$/,
    ],
    [
      'a label twice',
      problemsOf({ prefer: ['a', 'b'].map((name) => ({ label: 'PUBLIC', upstreams: [name] })) }),
      /^routes\[0\]\.prefer\[1\]\.label: "PUBLIC" is already that of prefer\[0\]/,
    ],
    [
      'an unknown label',
      problemsOf({ prefer: [{ label: 'SECRET', upstreams: ['a'] }] }),
      /^routes\[0\]\.prefer\[0\]\.label: /,
    ],
    ['no costs', problemsOf({ cheapest: true }), /^routes\[0\]\.cheapest: means nothing/],
    ['a negative cost', problemsOf({}, { cost: -1 }), /^upstreams\.a\.cost: /],
    ['no time', problemsOf({ timeout_seconds: 0 }), /^routes\[0\]\.timeout_seconds: /],
    ['a region in capitals', problemsOf({}, { region: 'EU' }), /^upstreams\.a\.region: /],
    [
      'a region without upstreams',
      problemsOf({}, {}, { keys: [{ id: 'k', key: 'sk-12345678', region: 'eu' }] }),
      /^keys\[0\]\.region: no upstream has the region "eu"/,
    ],
  ]
  for (const [name, problems, expected] of cases) {
    it(`refuses ${name}`, () => {
      assert.equal(problems.length, 1, problems.join('\n'))
      assert.match(problems[0]!, expected)
    })
  }
})
