import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isGatewayError } from '../../../../core/engine/contract/errors.ts'
import { type Endpoint, Router } from '../../../../core/engine/http/router.ts'

const named = new Map<Endpoint, string>()
const endpoint = (name: string): Endpoint => {
  const made: Endpoint = { auth: 'user', takesBody: false, handle: () => {} }
  named.set(made, name)
  return made
}

const router = new Router()
router.add('POST', '/v1/things', endpoint('make'))
router.add('GET', '/v1/things/{id}', endpoint('read'))
router.add('DELETE', '/v1/things/{id}', endpoint('drop'))
router.add('GET', '/v1/things/all', endpoint('list'))
router.add('POST', '/v1/things/{id}/parts/{part}', endpoint('part'))
router.addPrefix('GET', '/v1/models/', endpoint('model'))

function ask(method: string, path: string): [string, object] | string {
  try {
    const { endpoint, params } = router.match(method, path)
    return [named.get(endpoint) as string, { ...params }]
  } catch (error) {
    assert.ok(isGatewayError(error))
    return error.code
  }
}

describe('a path that nothing serves', () => {
  const advice = (path: string): string => {
    try {
      router.match('POST', path)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }

  it('gets an answer that tells what to change', () => {
    assert.equal(advice('/v1/things/'), 'No route matches POST /v1/things/. Leave out the slash at the end.')
    assert.equal(advice('/things'), 'No route matches POST /things. The base URL of the client needs /v1 at its end.')
    assert.match(advice('/v1/v1/things'), /has one \/v1 too many\.$/)
    for (const probe of ['/health', '/health/', '/healthz', '/livez', '/health/readiness']) {
      assert.match(advice(probe), /Probes are at \/health\/live and \/health\/ready\.$/)
    }
    assert.match(advice('/api/things'), /the plugin that serves it is enabled/)
    assert.match(advice('/api/settings/policy'), /options of any plugin are at \/api\/plugins\/\{name\}\/options\.$/)
    assert.match(advice('/'), /^No route matches POST \/\. Paths are matched exactly, such as/)
  })
})

describe('a path in a message', () => {
  const messageOf = (method: string, path: string): string => {
    try {
      router.match(method, path)
    } catch (error) {
      return (error as Error).message
    }
    return ''
  }

  it('is shown where all its words are of APIs or of routes', () => {
    assert.match(messageOf('POST', '/v1/chat/completion'), /POST \/v1\/chat\/completion\./)
    assert.match(messageOf('POST', '/v1/things/parts'), /^POST is not served at \/v1\/things\/parts\. Use GET/)
  })

  it('is not shown where a word may be a value', () => {
    for (const path of ['/v1/project-meponegex', '/v1/things/aurora/chat', '/aurora', `/${'v1/'.repeat(40)}`])
      assert.match(messageOf('POST', path), /^No route matches POST this path\. /)
    assert.match(messageOf('PATCH', '/v1/things/aurora'), /^PATCH is not served at this path\./)
  })
})

describe('routes with parameters', () => {
  it('match one segment each, and give its value', () => {
    assert.deepEqual(ask('POST', '/v1/things'), ['make', {}])
    assert.deepEqual(ask('GET', '/v1/things/a1'), ['read', { id: 'a1' }])
    assert.deepEqual(ask('DELETE', '/v1/things/a1'), ['drop', { id: 'a1' }])
    assert.deepEqual(ask('POST', '/v1/things/a1/parts/b-2'), ['part', { id: 'a1', part: 'b-2' }])
    assert.deepEqual(ask('GET', '/v1/models/org/name'), ['model', {}])
  })

  it('come after exact paths', () => {
    assert.deepEqual(ask('GET', '/v1/things/all'), ['list', {}])
    assert.equal(ask('DELETE', '/v1/things/all'), 'GW_METHOD_NOT_ALLOWED')
    assert.equal(ask('PATCH', '/v1/things/a1'), 'GW_METHOD_NOT_ALLOWED')
  })

  it('decode a value once, and take one spelling of it', () => {
    for (const [segment, id] of [
      ['gpt-4%20turbo', 'gpt-4 turbo'],
      ['a%3Ab', 'a:b'],
      ['a:b', 'a:b'],
      ['%C3%A9t%C3%A9', 'été'],
      ['constructor', 'constructor'],
      ['__proto__', '__proto__'],
      ['a..b', 'a..b'],
    ] as const) {
      assert.deepEqual(ask('GET', `/v1/things/${segment}`), ['read', { id }], segment)
    }
  })

  it('take nothing that could be read as another path', () => {
    for (const segment of [
      '',
      '.',
      '..',
      '...',
      '%2e%2e',
      '%2E',
      'a%2Fb',
      'a%2fb',
      'a%5Cb',
      'a\\b',
      'a%252Fb',
      '%25',
      '%',
      '%zz',
      '%C3',
      'gpt%2D4',
      'a%3ab',
      'a%00b',
      'a%0Ab',
      'a%E2%80%AEb',
      'x'.repeat(257),
      'a/',
      'a/b',
    ]) {
      assert.equal(ask('GET', `/v1/things/${segment}`), 'GW_UNKNOWN_URL', segment)
    }
    assert.equal(ask('GET', `/v1/things/a${'/'.repeat(10_000)}`), 'GW_UNKNOWN_URL')
  })
})
