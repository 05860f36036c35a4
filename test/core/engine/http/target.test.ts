/** Request targets in absolute form, RFC 9112 §3.2.2. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pathOf } from '../../../../core/engine/http/target.ts'
import { assertError } from '../../../helpers/errors.ts'
import { ADMIN_KEY, asking, setup, USER_KEY } from '../../../helpers/gateway.ts'
import { exchange } from '../../../helpers/socket.ts'

const BODY = JSON.stringify(asking('Hello'))

function wire(line: string, key = USER_KEY, body = '', more: readonly string[] = []): string {
  const type = body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]
  const head = [`${line} HTTP/1.1`, 'host: x', `authorization: Bearer ${key}`, ...type, ...more, 'connection: close']
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const post = (target: string, body = BODY): string => wire(`POST ${target}`, USER_KEY, body)

/** Where each reads a path, or undefined. */
const TARGETS: Readonly<Record<string, string | undefined>> = {
  '/v1/models': '/v1/models',
  '*': '*',
  'http://gateway/v1/models': '/v1/models',
  'HTTP://Gateway:8787/v1/models?limit=1': '/v1/models?limit=1',
  'https://gateway.example:/v1/models': '/v1/models',
  'http://my_host-1/v1/models': '/v1/models',
  'http://[::1]:8787/v1/models': '/v1/models',
  'http://gateway': '/',
  'http://gateway?limit=1': '/?limit=1',
  // The path stays as it was sent.
  'http://gateway//v1/models': '//v1/models',
  'http://gateway/../v1/models': '/../v1/models',
  'http://gateway/%76%31/models': '/%76%31/models',
  'http://gateway/http://gateway/v1/models': '/http://gateway/v1/models',
  '//gateway/v1/models': '//gateway/v1/models',
  '/http://gateway/v1/models': '/http://gateway/v1/models',
  // RFC 9110 §4.2.4.
  'http://jo@gateway/v1/models': undefined,
  'http://jo:secret@gateway/v1/models': undefined,
  'http://@gateway/v1/models': undefined,
  'http://gateway@/v1/models': undefined,
  'http:///v1/models': undefined,
  'http://:80/v1/models': undefined,
  'http:/v1/models': undefined,
  'http:v1/models': undefined,
  'http://gateway:80:80/v1/models': undefined,
  'http://gateway:port/v1/models': undefined,
  'http://gateway%2fv1/models': undefined,
  'http://gateway\\@other/v1/models': undefined,
  'http://gateway#/v1/models': undefined,
  'ftp://gateway/v1/models': undefined,
  'ws://gateway/v1/models': undefined,
  'file:///v1/models': undefined,
  'gateway:443': undefined,
  '': undefined,
}

describe('a target in absolute form', () => {
  for (const [target, path] of Object.entries(TARGETS)) {
    it(`${target} asks for ${path ?? 'nothing'}`, () => assert.equal(pathOf(target), path))
  }

  it('is answered like the path in it, whatever host it names', async (t) => {
    const { provider, gateway } = await setup(t)
    for (const origin of ['http://x', 'HTTPS://other.example:8787', 'http://[::1]']) {
      const reply = await exchange(gateway.port, post(`${origin}/v1/chat/completions`))
      assert.equal(reply.status, 200, reply.body)
      assert.equal((await provider.next()).text, BODY)
    }
    const streamed = JSON.stringify(asking('Hello', { stream: true }))
    const reply = await exchange(gateway.port, post('http://x/v1/chat/completions', streamed))
    assert.match(reply.body, /data: \[DONE\]/)
    const list = await exchange(gateway.port, wire('GET http://x/v1/models?unknown=1'))
    assert.equal(list.status, 200, list.body)
    const ready = await exchange(gateway.port, wire('GET http://x/health/ready', 'no key'))
    assert.equal(ready.status, 200, ready.body)
  })

  it('still needs one Host header', async (t) => {
    const { gateway } = await setup(t)
    const sent = post('http://x/v1/chat/completions')
    await assertError(await exchange(gateway.port, sent.replace('host: x\r\n', '')), 'GW_BAD_REQUEST')
    await assertError(await exchange(gateway.port, sent.replace('host: x', 'host: x\r\nhost: y')), 'GW_BAD_REQUEST')
  })

  it('opens no admin route to others, and is no other spelling of a path', async (t) => {
    const { provider, gateway } = await setup(t, { plugins: [{ use: 'usage' }] })
    const ask = (line: string, key?: string) => exchange(gateway.port, wire(line, key))
    assert.equal((await ask('GET http://x/api/plugins', ADMIN_KEY)).status, 200)
    await assertError(await ask('GET http://x/api/plugins'), 'GW_ADMIN_REQUIRED')
    await assertError(await ask('GET http://x/api/plugins', 'no'), 'GW_INVALID_KEY')
    for (const path of [
      '//api/plugins',
      '/api//plugins',
      '/v1/../api/plugins',
      '/http://x/api/plugins',
      '?/api/plugins',
    ])
      await assertError(await ask(`GET http://x${path}`, ADMIN_KEY), 'GW_UNKNOWN_URL')
    await assertError(await ask('GET http://x/v1/chat/completions'), 'GW_METHOD_NOT_ALLOWED')
    assert.equal(provider.requests.length, 0)
  })

  it('is refused with a user name, another scheme or no host', async (t) => {
    const { provider, gateway } = await setup(t)
    for (const origin of ['http://jo:hunter2@x', 'http://@x', 'ftp://x', 'ws://x', 'http://', 'http://x:1:2']) {
      const reply = await exchange(gateway.port, post(`${origin}/v1/chat/completions`))
      await assertError(reply, 'GW_BAD_REQUEST')
      assert.ok(!reply.body.includes('hunter2') && !reply.body.includes('completions'), reply.body)
    }
    assert.equal(provider.requests.length, 0)
  })

  it('gets errors in the form of the API that it asks for', async (t) => {
    const { gateway } = await setup(t)
    const sent = wire('POST http://x/v1/messages/nothing', USER_KEY, BODY, ['anthropic-version: 2023-06-01'])
    const reply = await exchange(gateway.port, sent)
    assert.equal(JSON.parse(reply.body).type, 'error')
  })
})
