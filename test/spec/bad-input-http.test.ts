/** Requests that are wrong before their body counts, by hand over raw sockets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ErrorCode } from '../../core/engine/contract/errors.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, post, type Setup, setup, USER_KEY } from '../helpers/gateway.ts'
import { exchange, RawConnection } from '../helpers/socket.ts'

const BODY = JSON.stringify(asking('Hello'))
const AUTH = `authorization: Bearer ${USER_KEY}`
const TYPE = 'content-type: application/json'
const LENGTH = `content-length: ${BODY.length}`

interface Wire {
  line?: string
  /** Default all that a request needs. */
  headers?: readonly string[]
  body?: string
}

const wire = ({ line, headers, body }: Wire): string =>
  `${[line ?? 'POST /v1/chat/completions HTTP/1.1', ...(headers ?? ['host: x', AUTH, TYPE, LENGTH])].join('\r\n')}\r\n\r\n${body ?? BODY}`

async function assertUnharmed({ provider, gateway }: Setup, requests = 0): Promise<void> {
  assert.equal(provider.requests.length, requests, 'it reached the provider')
  const reply = await post(gateway)
  assert.equal(reply.status, 200)
  await reply.text()
}

function refuses(name: string, request: Wire | string, code: ErrorCode): void {
  it(name, async (t) => {
    const parts = await setup(t)
    const bytes = typeof request === 'string' ? request : wire(request)
    const reply = await exchange(parts.gateway.port, Buffer.from(bytes, 'latin1'))
    await assertError(reply, code)
    await assertUnharmed(parts)
  })
}

it('a request by hand that is right is answered', async (t) => {
  const { provider, gateway } = await setup(t)
  const reply = await exchange(gateway.port, wire({}))
  assert.equal(reply.status, 200, reply.body)
  assert.equal((await provider.next()).text, BODY)
})

describe('bad input: smuggling', () => {
  const base = ['host: x', AUTH, TYPE]
  const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
  const cases: Record<string, Wire> = {
    'a length and chunks': { headers: [...base, LENGTH, 'transfer-encoding: chunked'], body: chunked },
    'chunks and a length': { headers: [...base, 'transfer-encoding: chunked', LENGTH], body: chunked },
    'two lengths': { headers: [...base, LENGTH, 'content-length: 5'] },
    'the same length twice': { headers: [...base, LENGTH, LENGTH] },
    'a list of lengths': { headers: [...base, `content-length: ${BODY.length}, ${BODY.length}`] },
    'a length with a sign': { headers: [...base, `content-length: +${BODY.length}`] },
    'a length in hex': { headers: [...base, `content-length: 0x${BODY.length.toString(16)}`] },
    'a length past every number': { headers: [...base, 'content-length: 99999999999999999999999'] },
    'chunked twice': { headers: [...base, 'transfer-encoding: chunked, chunked'], body: chunked },
    'an unknown transfer coding': { headers: [...base, 'transfer-encoding: xchunked'], body: chunked },
    'a coding before chunked': { headers: [...base, 'transfer-encoding: gzip, chunked'], body: chunked },
    'chunks alone in HTTP/1.0': {
      line: 'POST /v1/chat/completions HTTP/1.0',
      headers: [...base, 'transfer-encoding: chunked'],
      body: chunked,
    },
    'a coding after chunked': { headers: [...base, 'transfer-encoding: chunked, identity'], body: chunked },
    'chunks in HTTP/1.0': {
      line: 'POST /v1/chat/completions HTTP/1.0',
      headers: [...base, LENGTH, 'transfer-encoding: chunked'],
      body: chunked,
    },
    'a space before the colon': { headers: [...base, `content-length : ${BODY.length}`] },
    'a folded header': { headers: ['host: x', 'authorization: Bearer', ` ${USER_KEY}`, TYPE, LENGTH] },
    'a header without a colon': { headers: [...base, 'nonsense', LENGTH] },
    'a NUL in a value': { headers: [...base, 'x-a: b\0c', LENGTH] },
    'a NUL in a name': { headers: [...base, 'x-\0a: b', LENGTH] },
    'a bare CR in a value': { headers: [...base, 'x-a: b\rtransfer-encoding: chunked', LENGTH] },
    'a bad chunk size': { headers: [...base, 'transfer-encoding: chunked'], body: 'zz\r\n{}\r\n0\r\n\r\n' },
    'a chunk that is longer than it says': {
      headers: [...base, 'transfer-encoding: chunked'],
      body: '1\r\n{}\r\n0\r\n\r\n',
    },
  }
  for (const [name, request] of Object.entries(cases)) refuses(name, request, 'GW_BAD_REQUEST')

  it('what follows a refused body is not another request', async (t) => {
    const parts = await setup(t)
    const connection = new RawConnection(parts.gateway.port)
    const inner = wire({})
    const outer = wire({
      headers: ['host: x', 'authorization: Bearer no', TYPE, `content-length: ${inner.length}`],
      body: inner,
    })
    await connection.write(outer)
    await assertError(await connection.reply(), 'GW_INVALID_KEY')
    connection.destroy()
    await assertUnharmed(parts)
  })
})

describe('bad input: the request line', () => {
  refuses('no HTTP at all', 'hello\r\n\r\n', 'GW_BAD_REQUEST')
  refuses('TLS', Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5]).toString('latin1'), 'GW_BAD_REQUEST')
  refuses('a method that nobody knows', { line: 'BREW /v1/chat/completions HTTP/1.1' }, 'GW_BAD_REQUEST')
  refuses('a version that nobody knows', { line: 'POST /v1/chat/completions HTTP/9.1' }, 'GW_BAD_REQUEST')
  refuses('a space in the path', { line: 'POST /v1/chat completions HTTP/1.1' }, 'GW_BAD_REQUEST')
  refuses('no host', { headers: [AUTH, TYPE, LENGTH] }, 'GW_BAD_REQUEST')
  refuses('two hosts', { headers: ['host: x', 'host: y', AUTH, TYPE, LENGTH] }, 'GW_BAD_REQUEST')

  const paths = [
    '//v1/chat/completions',
    '/v1//chat/completions',
    '/v1/chat//completions',
    '/v1/chat/completions/',
    '/V1/chat/completions',
    '/v1/Chat/Completions',
    '/v1/./chat/completions',
    '/v1/x/../chat/completions',
    '/x/../v1/chat/completions',
    '/%76%31/chat/completions',
    '/v1/chat%2fcompletions',
    '/v1/chat%2Fcompletions',
    '/v1/%2e/chat/completions',
    '/v1/%2e%2e/v1/chat/completions',
    '/v1/chat/completions%00',
    '/v1/chat/completions%20',
    '/v1/chat/completions;a=b',
    '/v1/chat/completions.json',
    '/v1\\chat\\completions',
    '/v1/chat/completions/x',
    '/v1/chat',
    '/v1',
    '/',
    '*',
    '/__proto__',
    '/constructor',
    '/v1/models/',
    '/%c0%af',
    `/${'a'.repeat(5000)}`,
  ]
  for (const path of paths) {
    refuses(`the path ${path.slice(0, 50)}`, { line: `POST ${path} HTTP/1.1` }, 'GW_UNKNOWN_URL')
  }

  const methods: Record<string, string> = {
    GET: 'POST',
    PUT: 'POST',
    DELETE: 'POST',
    OPTIONS: 'POST',
    TRACE: 'POST',
    HEAD: 'POST',
  }
  for (const [method, allowed] of Object.entries(methods)) {
    it(`${method} on chat completions is 405 with Allow`, async (t) => {
      const parts = await setup(t)
      const connection = new RawConnection(parts.gateway.port)
      await connection.write(
        wire({
          line: `${method} /v1/chat/completions HTTP/1.1`,
          headers: ['host: x', AUTH, 'connection: close'],
          body: '',
        }),
      )
      await connection.closed
      const reply = await connection.reply().catch(() => undefined)
      if (method === 'HEAD') return assertUnharmed(parts)
      assert.ok(reply)
      await assertError(reply, 'GW_METHOD_NOT_ALLOWED')
      assert.match(String(reply.headers.allow), new RegExp(`\\b${allowed}\\b`))
      await assertUnharmed(parts)
    })
  }

  it('CONNECT and upgrades open nothing', async (t) => {
    const parts = await setup(t)
    for (const request of [
      wire({ line: 'CONNECT example.com:443 HTTP/1.1', headers: ['host: example.com:443'], body: '' }),
      wire({
        line: 'GET /v1/models HTTP/1.1',
        headers: ['host: x', 'connection: upgrade', 'upgrade: websocket'],
        body: '',
      }),
    ]) {
      const connection = new RawConnection(parts.gateway.port)
      await connection.write(request)
      const reply = await connection.reply().catch(() => undefined)
      connection.destroy()
      if (reply) assert.ok(reply.status >= 400, `answered ${reply.status}`)
    }
    await assertUnharmed(parts)
  })
})

describe('bad input: headers', () => {
  refuses(
    'too large',
    { headers: ['host: x', AUTH, TYPE, LENGTH, `x-large: ${'a'.repeat(40_000)}`] },
    'GW_HEADERS_TOO_LARGE',
  )
  const many = Array.from({ length: 3000 }, (_, i) => `x-${i}: aaaaaaaaaa`)
  refuses('too many', { headers: ['host: x', AUTH, TYPE, LENGTH, ...many] }, 'GW_HEADERS_TOO_LARGE')
  refuses(
    'an expectation that nobody meets',
    { headers: ['host: x', AUTH, TYPE, LENGTH, 'expect: a-miracle'] },
    'GW_EXPECTATION_FAILED',
  )
  refuses('two keys', { headers: ['host: x', 'authorization: Bearer no', AUTH, TYPE, LENGTH] }, 'GW_BAD_REQUEST')
  refuses(
    'a key of bytes past ASCII',
    { headers: ['host: x', 'authorization: Bearer \xff\xfe', TYPE, LENGTH] },
    'GW_INVALID_KEY',
  )

  it('expect: 100-continue is met, and refused before the body where it must be', async (t) => {
    const { provider, gateway } = await setup(t)
    const fine = new RawConnection(gateway.port)
    await fine.write(wire({ headers: ['host: x', AUTH, TYPE, LENGTH, 'expect: 100-continue'], body: '' }))
    while (!fine.answered) await new Promise((resolve) => fine.socket.once('data', resolve))
    await fine.write(BODY)
    await provider.next()
    fine.destroy()
    const refused = await exchange(
      gateway.port,
      wire({ headers: ['host: x', 'authorization: Bearer no', TYPE, LENGTH, 'expect: 100-continue'], body: '' }),
    )
    await assertError(refused, 'GW_INVALID_KEY')
  })

  it('hostile values neither reach the provider nor come back', async (t) => {
    const { provider, gateway } = await setup(t, { plugins: [{ use: 'sessions' }] })
    const values = [
      '<script>alert(1)</script>',
      '{{7*7}}',
      '%0d%0aset-cookie:a=b',
      "' or 1=1--",
      '\x7f',
      '\xe9\xff',
      '../../etc/passwd',
    ]
    for (const value of values) {
      const names = [
        'x-request-id',
        'x-client-request-id',
        'traceparent',
        'tracestate',
        'user-agent',
        'x-stainless-retry-count',
        'x-forwarded-for',
      ]
      const headers = ['host: x', AUTH, TYPE, LENGTH, ...names.map((name) => `${name}: ${value}`)]
      const reply = await exchange(gateway.port, Buffer.from(wire({ headers }), 'latin1'))
      assert.ok(reply.status === 200 || reply.status === 400, String(reply.status))
      assert.ok(!JSON.stringify(reply.headers).includes(value))
      assert.equal(reply.headers['set-cookie'], undefined)
    }
    for (const request of provider.requests) {
      assert.doesNotMatch(JSON.stringify(request.headers['user-agent'] ?? ''), /script|jndi/)
      assert.equal(request.headers['x-forwarded-for'], undefined)
    }
  })

  it('times out a head that never ends', async (t) => {
    const listen = { host: '127.0.0.1', port: 0, headers_timeout_seconds: 0.3, request_timeout_seconds: 0.3 }
    const parts = await setup(t, { config: { listen } })
    const connection = new RawConnection(parts.gateway.port)
    await connection.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n')
    await connection.closed
    await assertError(await connection.reply(), 'GW_REQUEST_TIMEOUT')
    await assertUnharmed(parts)
  })
})
