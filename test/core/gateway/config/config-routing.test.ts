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
    const mirror = { upstream: 'b', share: 0.5, model: 'other' }
    const route = { timeout_seconds: 1, first_token_timeout_seconds: 0.5, prefer, cheapest: true, mirror }
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
    [
      'a mirror that is unknown',
      problemsOf({ mirror: { upstream: 'bb', share: 1 } }),
      /^routes\[0\]\.mirror\.upstream: there is no upstream "bb"\. Did you mean "b"/,
    ],
    [
      'a mirror of itself',
      problemsOf({ to: ['a'], rename: 'x', mirror: { upstream: 'a', share: 1, model: 'x' } }),
      /^routes\[0\]\.mirror\.upstream: "a" answers this route itself/,
    ],
    [
      'a mirror with models',
      problemsOf({ to: ['a'], mirror: { upstream: 'b', share: 1, model: 'gpt-*' } }),
      /^routes\[0\]\.mirror\.model: must not contain \*/,
    ],
    [
      'a share above 1',
      problemsOf({ to: ['a'], mirror: { upstream: 'b', share: 1.5 } }),
      /^routes\[0\]\.mirror\.share: /,
    ],
    [
      'a share below 0',
      problemsOf({ to: ['a'], mirror: { upstream: 'b', share: -0.1 } }),
      /^routes\[0\]\.mirror\.share: /,
    ],
    ['a mirror without a share', problemsOf({ to: ['a'], mirror: { upstream: 'b' } }), /^routes\[0\]\.mirror/],
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
