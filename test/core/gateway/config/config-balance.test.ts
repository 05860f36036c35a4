/** Routes and upstreams that share requests: what can never be chosen, and what has no effect, is told. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { targetsOf } from '../../../../core/engine/config/route-targets.ts'
import { ConfigError, parseConfig } from '../../../../core/gateway/config/load.ts'
import { routeWarnings } from '../../../../core/gateway/config/warnings-routes.ts'

const UPSTREAMS = ['a', 'b', 'c'].map((name) => `  ${name}: { url: "http://x/v1" }\n`).join('')

/** Problems as `path: message`. */
function problems(route: string, upstreams = UPSTREAMS): string[] {
  try {
    parseConfig(`upstreams:\n${upstreams}routes:\n  - { model: "*", ${route} }\n`, 'gateway.yaml', {})
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
}

describe('config: routes that share requests', () => {
  const bad: Record<string, [route: string, problem: RegExp]> = {
    'an unknown upstream of an object': [
      'to: [a, { upstream: bb }], balance: weighted',
      /^routes\[0\]\.to\[1\]\.upstream: there is no upstream "bb"\. Did you mean "b"\?$/,
    ],
    'one upstream twice': ['to: [a, { upstream: a }]', /to\[1\]\.upstream: "a" is already to\[0\]: name it once/],
    'an entry of another kind': ['to: [7]', /to\[0\]: must be a string or a map/],
    'an unknown member': ['to: [{ upstream: a, wieght: 2 }]', /wieght: is not a known key\. Did you mean "weight"\?/],
    'weight 0 everywhere': [
      'to: [{ upstream: a, weight: 0 }, { upstream: b, weight: 0 }], balance: weighted',
      /^routes\[0\]\.to: can never answer: each upstream has weight 0; give one/,
    ],
    'weight 0 in all of a priority': [
      'to: [a, b, { upstream: c, weight: 0, priority: 1 }], balance: weighted',
      /^routes\[0\]\.to\[2\]: priority 1 is never chosen: "c" has weight 0/,
    ],
    'weight without balance': ['to: [{ upstream: a, weight: 2 }, b]', /to\[0\]\.weight: means nothing without balance/],
    'sticky without balance': ['to: [a, b], sticky: session', /sticky: needs balance/],
    'balance of one each': [
      'to: [a, { upstream: b, priority: 1 }], balance: latency',
      /balance: means nothing: no two upstreams of "to" have the same priority/,
    ],
    'a first wait above the longest': [
      'to: [a], retry: { first_wait_seconds: 5 }',
      /retry\.first_wait_seconds: is more than max_wait_seconds/,
    ],
    'a budget above all requests': ['to: [a], retry: { budget: 2 }', /retry\.budget: must be <= 1; got 2/],
  }
  for (const [name, [route, problem]] of Object.entries(bad)) {
    it(`${name} is a problem`, () => {
      const found = problems(route)
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] as string, problem)
    })
  }

  it('contradictions of an upstream are problems, without the keys', () => {
    const own = '  a: { url: "http://x/v1", key: hunter2, keys: [hunter2, hunter3], breaker: { open_seconds: 90 } }\n'
    const found = problems('to: [a]', own)
    assert.deepEqual(found, [
      'upstreams.a.keys: stands beside key: an upstream has one of key, keys, key_file, key_command',
      'upstreams.a.breaker.open_seconds: is more than max_open_seconds: it must be at most as long',
    ])
  })

  it('a health check of a breaker that is off is a problem', () => {
    const own = '  a: { url: "http://x/v1", health_check: { path: /models }, breaker: { enabled: false } }\n'
    assert.deepEqual(problems('to: [a]', own), ['upstreams.a.health_check: means nothing with breaker.enabled: false'])
  })

  it('names and objects mean the same', () => {
    assert.deepEqual(targetsOf({ to: ['a', { upstream: 'b', priority: 2 }] }), [
      { upstream: 'a', weight: 1, priority: 0 },
      { upstream: 'b', weight: 1, priority: 2 },
    ])
    assert.deepEqual(
      problems('to: [a, { upstream: b, weight: 3 }, { upstream: c, priority: 1 }], balance: weighted'),
      [],
    )
    assert.deepEqual(problems('to: [a, { upstream: b, weight: 0 }], retry: {}'), [])
  })

  it('what is never used is a warning', () => {
    const text = `upstreams:\n${UPSTREAMS}  d: { url: "http://x/v1", max_waiting: 5 }\nroutes: [{ model: "*", to: [a, b, { upstream: d }] }]\n`
    const found = routeWarnings(parseConfig(text, 'gateway.yaml', {}))
    assert.deepEqual(found, [
      { path: 'upstreams.c', message: 'is never asked: no route names it' },
      { path: 'upstreams.d.max_waiting', message: 'means nothing without max_concurrent' },
    ])
  })

  it('a model of a key that no route takes is a warning', () => {
    const models = (list: string, route: string) =>
      routeWarnings(
        parseConfig(
          `upstreams: { a: { url: "http://x/v1" } }\nroutes: [{ model: fast, to: [a] }, { model: "${route}", to: [a] }]\nkeys: [{ id: k, key: "12345678", models: [${list}] }]\n`,
          'gateway.yaml',
          {},
        ),
      )
    assert.deepEqual(models('"gpt-*", gpt-5, fats', 'gpt-*'), [
      { path: 'keys[0].models[2]', message: 'no route takes the model "fats". Did you mean "fast"?' },
    ])
    assert.deepEqual(models('fats', '*'), [])
  })
})
