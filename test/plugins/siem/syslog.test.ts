import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import fc from 'fast-check'
import { describeCore } from '../../../core/engine/events/description.ts'
import { Egress } from '../../../core/services/egress/egress.ts'
import { formatSettings, type Written } from '../../../plugins/siem/destinations/destination.ts'
import { httpsOf, syslog } from '../../../plugins/siem/destinations/syslog.ts'
import type { SiemSettings } from '../../../plugins/siem/settings.ts'
import { selfSigned } from '../../helpers/certificate.ts'
import { codePoint } from '../../helpers/code-points.ts'
import { event } from './rig.ts'

/** Reads messages with octet counting (RFC 6587 §3.4.1). */
class Messages {
  readonly all: string[] = []
  #bytes = Buffer.alloc(0)
  #waiting: (() => void) | undefined

  take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    for (;;) {
      const space = this.#bytes.indexOf(' ')
      if (space < 0) break
      const length = Number(this.#bytes.subarray(0, space).toString())
      assert.ok(Number.isInteger(length), 'a length stands in front of every message')
      if (this.#bytes.length < space + 1 + length) break
      this.all.push(this.#bytes.subarray(space + 1, space + 1 + length).toString())
      this.#bytes = this.#bytes.subarray(space + 1 + length)
    }
    this.#waiting?.()
  }

  async until(count: number): Promise<void> {
    while (this.all.length < count) await new Promise<void>((resolve) => (this.#waiting = resolve))
  }
}

async function listen(t: TestContext, server: Server) {
  const messages = new Messages()
  const sockets: Socket[] = []
  const accept = (socket: Socket): void => {
    sockets.push(socket)
    socket.on('data', (bytes) => messages.take(bytes))
    socket.on('error', () => {})
  }
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = new Egress([`127.0.0.1:${port}`])
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await egress.close()
    server.close()
  })
  return { messages, sockets, port, egress }
}

const settingsFor = (url: string, destination_options: object = {}) =>
  ({ url, format: 'json', source_name: 'gw', environment: 'test', destination_options }) as unknown as SiemSettings

const writtenFor = (settings: SiemSettings, count: number): Written[] =>
  Array.from({ length: count }, () => {
    const one = event('request.blocked', 'block', { instance: 'gw 1', reason: 'Grüße 世界' })
    return {
      id: one.id,
      event: one,
      text: syslog.write({ event: one }, formatSettings(settings, describeCore)),
      settled: false,
    }
  })

const never = new AbortController().signal

test('messages of RFC 5424 with octet counting over TCP, on one connection', async (t) => {
  const { messages, sockets, port, egress } = await listen(t, createServer())
  const settings = settingsFor(`tcp://127.0.0.1:${port}`)
  const channel = syslog.open(settings, { fetch: egress.fetch, connect: egress.connect, timeoutMs: 2000 })
  t.after(async () => channel.close?.())
  const items = writtenFor(settings, 3)
  assert.deepEqual(await channel.send({ id: 'a', items }, never), { result: 'delivered' })
  await channel.send({ id: 'b', items: writtenFor(settings, 2) }, never)
  await messages.until(5)
  assert.equal(sockets.length, 1)
  const [, header, body] =
    /^(<132>1 \S+ gw_1 governed-gateway - request\.blocked - )(.*)$/.exec(messages.all[0] ?? '') ?? []
  assert.ok(header?.includes(items[0]?.event.time as string))
  assert.equal(JSON.parse(body as string).reason, 'Grüße 世界')
})

test('the guard judges the host and the port that are connected to', async (t) => {
  for (const [url, https] of [
    ['tcp://logs.example.com', 'https://logs.example.com:514'],
    ['TLS://logs.example.com/', 'https://logs.example.com:6514/'],
    ['tls://logs.example.com:443', 'https://logs.example.com:443'],
    ['tls://[2001:db8::1]', 'https://[2001:db8::1]:6514'],
    ['tcp://user@logs.example.com', 'https://user@logs.example.com:514'],
    ['tls://', 'https://:6514'],
  ] as const) {
    assert.equal(httpsOf(url), https)
  }
  const { messages, port, egress } = await listen(t, createServer())
  // Both are spellings of 127.0.0.1.
  for (const host of ['①②⑦.0.0.1', '127.0.0.1%2e']) {
    const url = `tcp://${host}:${port}`
    assert.equal(await egress.check(httpsOf(url), { resolve: false }), undefined)
    const settings = settingsFor(url)
    const channel = syslog.open(settings, { fetch: egress.fetch, connect: egress.connect, timeoutMs: 2000 })
    t.after(async () => channel.close?.())
    assert.deepEqual(await channel.send({ id: 'a', items: writtenFor(settings, 1) }, never), { result: 'delivered' })
  }
  await messages.until(2)
})

test('a connection that is gone is made anew; a refused one is unavailable', async (t) => {
  const { messages, sockets, port, egress } = await listen(t, createServer())
  const settings = settingsFor(`tcp://127.0.0.1:${port}`, { facility: 13, app_name: 'gw' })
  const channel = syslog.open(settings, { fetch: egress.fetch, connect: egress.connect, timeoutMs: 2000 })
  t.after(async () => channel.close?.())
  await channel.send({ id: 'a', items: writtenFor(settings, 1) }, never)
  await messages.until(1)
  assert.match(messages.all[0] ?? '', /^<108>1 \S+ \S+ gw - /)
  const [first] = sockets as [Socket]
  first.end()
  await once(first, 'close')
  // The first batch may be lost; a later one tells no more of it.
  const doubtful = { result: 'delivered', error: 'closed_by_receiver' }
  assert.deepEqual(await channel.send({ id: 'b', items: writtenFor(settings, 1) }, never), doubtful)
  assert.deepEqual(await channel.send({ id: 'b2', items: writtenFor(settings, 1) }, never), { result: 'delivered' })
  await messages.until(3)
  assert.equal(sockets.length, 2)
  const nobody = syslog.open(settingsFor('tcp://127.0.0.1:1'), {
    fetch: egress.fetch,
    connect: new Egress(['127.0.0.1:1']).connect,
    timeoutMs: 2000,
  })
  await assert.rejects(nobody.send({ id: 'c', items: writtenFor(settings, 1) }, never), { category: 'refused' })
})

test('a receiver that does not read is given up after the timeout', async (t) => {
  const { sockets, port, egress } = await listen(
    t,
    createServer((socket) => socket.pause()),
  )
  const settings = settingsFor(`tcp://127.0.0.1:${port}`)
  const channel = syslog.open(settings, { fetch: egress.fetch, connect: egress.connect, timeoutMs: 200 })
  t.after(async () => channel.close?.())
  await channel.send({ id: 'a', items: writtenFor(settings, 1) }, never)
  for (const socket of sockets) socket.removeAllListeners('data').pause()
  const big = writtenFor(settings, 1).map((item) => ({ ...item, text: 'x'.repeat(20_000_000) }))
  await assert.rejects(channel.send({ id: 'b', items: big }, never), { code: 'ETIMEDOUT' })
})

test('over TLS, with a certificate of the operator', async (t) => {
  const { key, cert } = selfSigned()
  const server = createTlsServer({ key, cert })
  const { messages, port, egress } = await listen(t, server)
  const outside = { fetch: egress.fetch, connect: egress.connect, timeoutMs: 2000 }
  const settings = settingsFor(`tls://127.0.0.1:${port}`, { ca: cert })
  const channel = syslog.open(settings, outside)
  t.after(async () => channel.close?.())
  await channel.send({ id: 'a', items: writtenFor(settings, 1) }, never)
  await messages.until(1)
  const stranger = syslog.open(settingsFor(`tls://127.0.0.1:${port}`), outside)
  await assert.rejects(stranger.send({ id: 'b', items: writtenFor(settings, 1) }, never), { category: 'certificate' })
})

test('a handshake that nobody answers ends when the gateway stops', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {}).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const egress = new Egress([`127.0.0.1:${port}`])
  t.after(async () => {
    await egress.close()
    server.close()
  })
  const settings = settingsFor(`tls://127.0.0.1:${port}`)
  const channel = syslog.open(settings, { fetch: egress.fetch, connect: egress.connect, timeoutMs: 50_000 })
  const stop = new AbortController()
  server.once('connection', () => stop.abort())
  await assert.rejects(channel.send({ id: 'a', items: writtenFor(settings, 1) }, stop.signal), { category: 'aborted' })
})

test('whatever an event holds, the frame stays whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.string({ unit: codePoint }), (instance, type) => {
      const messages = new Messages()
      const settings = settingsFor('tcp://127.0.0.1:514')
      const texts = [1, 2].map(() =>
        syslog.write({ event: event(type, 'info', { instance }) }, formatSettings(settings, describeCore)),
      )
      messages.take(Buffer.from(texts.join('')))
      assert.equal(messages.all.length, 2)
      for (const message of messages.all) assert.match(message, /^<134>1 \S+ \S+ governed-gateway - \S+ - \{/)
    }),
  )
})
