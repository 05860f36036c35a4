import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { createServer, type Server, type Socket } from 'node:net'
import { it, type TestContext } from 'node:test'
import * as undici from 'undici'
import { Agent, Pool } from '../../../../core/engine/util/undici.ts'
import { authority, certificate } from '../../../helpers/certificate.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { ask, listenOn, pemFiles, startProxy, tlsFront, upstreamOf } from '../../../helpers/upstream.ts'

const util = createRequire(import.meta.url)('undici/lib/core/util.js') as { destroy: (...all: unknown[]) => void }

it('has the parts of undici that its index has', () => {
  assert.equal(Object.getPrototypeOf(Pool), undici.Pool)
  assert.equal(Agent, undici.Agent)
})

const LINES = 'a:\r\n'.repeat(12_000)
const TOO_LARGE = {
  head: `HTTP/1.1 200 OK\r\nlong: ${'x'.repeat(33_000)}\r\n${LINES}\r\n`,
  'head behind another': `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nlong: ${'x'.repeat(33_000)}\r\n${LINES}\r\n`,
  'head of names alone': `HTTP/1.1 200 OK\r\n${`${'n'.repeat(100)}:\r\n`.repeat(700)}\r\n`,
  trailers: `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nlong: ${'x'.repeat(33_000)}\r\n${LINES}\r\n`,
}

for (const [what, bytes] of Object.entries(TOO_LARGE)) {
  for (const tunnelled of [false, true]) {
    it(`reads no further in a ${what} that is too large${tunnelled ? ', through a tunnel' : ''}`, async (t) => {
      const server = createServer((socket: Socket) => socket.once('data', () => socket.write(bytes)))
      const port = await listenOn(t, server)
      const { upstream } = upstreamOf(t, tunnelled ? await tunnelTo(t, port) : { url: `http://127.0.0.1:${port}/v1` })
      const { mock } = t.mock.method(util, 'destroy')
      const { error, fallback } = await ask(upstream)
      assert.equal(error?.code, 'GW_UPSTREAM_INVALID')
      assert.match(error.message, /'one' sent a head, or trailers, of more than 32 KiB/)
      assert.equal(fallback, false)
      const errors = mock.calls.filter(({ arguments: [, cause] }) => (cause as { code?: string })?.code !== undefined)
      assert.ok(errors.length <= 2, `${errors.length} errors`)
    })
  }
}

async function tunnelTo(t: TestContext, port: number): Promise<object> {
  const folder = temporaryFolder()
  const ca = authority()
  const front = await tlsFront(t, port, certificate({ issuer: ca }))
  const proxy = await startProxy(t)
  return {
    url: `https://127.0.0.1:${front.port}/v1`,
    proxy: `http://127.0.0.1:${proxy.port}`,
    tls: { ca_file: pemFiles(folder, { ca: ca.cert }).ca },
  }
}

async function answersThrice(t: TestContext, server: Server): Promise<void> {
  const { upstream } = upstreamOf(t, { url: `http://127.0.0.1:${await listenOn(t, server)}/v1` })
  for (let i = 0; i < 3; i++) {
    const { status, body } = await ask(upstream)
    assert.deepEqual([status, body], [200, 'hi'])
    // The connection is free a moment behind the end of the reply.
    await new Promise(setImmediate)
  }
}

it('passes over interim responses, wherever the reads end, and goes on with the connection', async (t) => {
  const said =
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\na: b\r\n\r\n'
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'
  let connections = 0
  const server = createServer((socket: Socket) => {
    connections++
    socket.setNoDelay()
    socket.on('data', (read) => {
      if (!read.includes('POST')) return
      let at = 0
      const next = () => {
        socket.write((said + answer).slice(at, at + 7))
        at += 7
        if (at < said.length + answer.length) setImmediate(next)
      }
      next()
    })
  })
  await answersThrice(t, server)
  assert.equal(connections, 1)
})

it('takes a head of many headers up to the limit, and the next reply on the same connection', async (t) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${'a:b\r\n'.repeat(15_000)}\r\nhi`
  let connections = 0
  const server = createServer((socket: Socket) => {
    connections++
    socket.on('data', (read) => void (read.includes('POST') && socket.write(head)))
  })
  await answersThrice(t, server)
  assert.equal(connections, 1)
})
