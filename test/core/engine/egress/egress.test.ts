import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import type { EgressError } from '../../../../core/engine/egress/category.ts'
import { Egress, type EgressOptions } from '../../../../core/services/egress/egress.ts'
import { type Receiver, respond, startReceiver } from '../../../../core/testing/receiver.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function receiver(): Promise<Receiver & { readonly hostPort: string; readonly port: number }> {
  const started = await startReceiver()
  closers.push(() => started.close())
  const { host, port } = new URL(started.url)
  return Object.assign(started, { hostPort: host, port: Number(port) })
}

function egressOf(allow: readonly string[] = [], options: EgressOptions = {}): Egress {
  const egress = new Egress(allow, options)
  closers.push(() => egress.close())
  return egress
}

const POST = { method: 'POST', body: '{}', timeoutMs: 5000 } as const
const fails = (code: string, category: string) => (error: EgressError) => {
  assert.equal(error.code, code)
  assert.equal(error.category, category)
  assert.ok(error.message.includes(`(${category})`))
  return true
}

describe('egress: http', () => {
  it('reaches a loopback receiver that is listed, and gives status, lower-case headers and body', async () => {
    const to = await receiver()
    to.reply(respond(202, { ok: true }, { 'X-Receiver': 'One' }))
    const reply = await egressOf([to.hostPort]).fetch(to.url, { ...POST, headers: { 'x-batch': '1' } })
    assert.equal(reply.status, 202)
    assert.equal(reply.headers['x-receiver'], 'One')
    assert.deepEqual(JSON.parse(await reply.text()), { ok: true })
    const got = await to.next()
    assert.equal(got.headers['x-batch'], '1')
    assert.equal(got.body.toString(), '{}')
  })

  it('refuses every spelling of loopback before a byte is sent', async () => {
    const to = await receiver()
    const egress = egressOf()
    for (const host of ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '0.0.0.0', 'localhost']) {
      await assert.rejects(egress.fetch(`http://${host}:${to.port}/`, POST), { code: 'GW_SSRF_BLOCKED', status: 400 })
    }
    assert.equal(to.requests.length, 0)
  })

  it('opens the listed port only', async () => {
    const [to, other] = [await receiver(), await receiver()]
    await assert.rejects(egressOf([to.hostPort]).fetch(other.url, POST), fails('GW_SSRF_BLOCKED', 'loopback'))
  })

  it('judges the answer of DNS that is connected to: a rebinding name reaches nothing', async () => {
    const to = await receiver()
    const answers = ['93.184.215.14', '127.0.0.1']
    const egress = egressOf([], { resolve: async () => [{ address: answers.shift() as string, family: 4 }] })
    const url = `http://rebind.example.com:${to.port}/`
    assert.equal(await egress.check(url, { resolve: true }), undefined)
    await assert.rejects(egress.fetch(url, POST), fails('GW_SSRF_BLOCKED', 'loopback'))
    assert.equal(to.requests.length, 0)
  })

  it('connects to the address that was judged, with the name as Host', async () => {
    const to = await receiver()
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const egress = egressOf([`sink.example.com:${to.port}`], { resolve })
    const url = `http://sink.example.com:${to.port}/hook`
    assert.equal((await egress.fetch(url, POST)).status, 200)
    assert.equal((await to.next()).headers.host, `sink.example.com:${to.port}`)
  })

  it('refuses a name when one of its addresses is bad', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '::1', family: 6 },
    ]
    await assert.rejects(
      egressOf([], { resolve }).fetch('https://a.example.com/', POST),
      fails('GW_SSRF_BLOCKED', 'loopback'),
    )
  })

  it('does not follow redirects', async () => {
    const [to, inner] = [await receiver(), await receiver()]
    to.reply(respond(302, '', { location: inner.url }))
    const reply = await egressOf([to.hostPort, inner.hostPort]).fetch(to.url, POST)
    assert.equal(reply.status, 302)
    assert.equal(inner.requests.length, 0)
  })

  it('reads 64 KiB of an answer, or as much as asked for', async () => {
    const to = await receiver()
    const egress = egressOf([to.hostPort])
    to.reply(respond(200, 'x'.repeat(100_000)), respond(200, 'x'.repeat(100_000)))
    const bounded = await egress.fetch(to.url, POST)
    assert.equal((await bounded.text()).length, 65_536)
    assert.equal(bounded.truncated, true)
    const whole = await egress.fetch(to.url, { ...POST, maxBytes: 1_000_000 })
    assert.equal((await whole.text()).length, 100_000)
    assert.equal(whole.truncated, false)
  })

  it('bounds the whole exchange in time', async () => {
    const to = await receiver()
    const { promise, resolve } = Promise.withResolvers<void>()
    to.reply(respond(200, '', {}, promise))
    await assert.rejects(
      egressOf([to.hostPort]).fetch(to.url, { ...POST, timeoutMs: 50 }),
      fails('GW_EGRESS_FAILED', 'timeout'),
    )
    resolve()
  })

  it('keeps a status that has arrived, whatever happens to the body', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (head) => {
        socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 10\r\n\r\nhalf')
        if (String(head).includes('/broken')) socket.destroySoon()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    closers.push(() => new Promise((resolve) => server.close(resolve)))
    const egress = egressOf([`127.0.0.1:${port}`])
    for (const [path, timeoutMs, category] of [
      ['/broken', 5000, 'reset'],
      ['/silent', 2000, 'timeout'],
    ] as const) {
      const reply = await egress.fetch(`http://127.0.0.1:${port}${path}`, { ...POST, timeoutMs })
      assert.equal(reply.status, 202)
      await assert.rejects(reply.text(), fails('GW_EGRESS_FAILED', category))
    }
  })

  it('refuses headers that would break the request', async () => {
    const to = await receiver()
    const headers = { 'x-a': 'b\r\nx-c: d' }
    await assert.rejects(egressOf([to.hostPort]).fetch(to.url, { ...POST, headers }), { code: 'GW_EGRESS_FAILED' })
    assert.equal(to.requests.length, 0)
  })

  it('ends when its signal aborts', async () => {
    const to = await receiver()
    const { promise, resolve } = Promise.withResolvers<void>()
    to.reply(respond(200, '', {}, promise))
    const controller = new AbortController()
    const sending = egressOf([to.hostPort]).fetch(to.url, { ...POST, signal: controller.signal })
    await to.next()
    controller.abort()
    await assert.rejects(sending, fails('GW_EGRESS_FAILED', 'aborted'))
    resolve()
  })

  it('tells a refused connection, a reset one and a name without address apart', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const egress = egressOf([`127.0.0.1:${port}`], { resolve: async () => [] })
    await assert.rejects(egress.fetch(`http://127.0.0.1:${port}/`, POST), fails('GW_EGRESS_FAILED', 'reset'))
    server.close()
    await once(server, 'close')
    await assert.rejects(egress.fetch(`http://127.0.0.1:${port}/`, POST), fails('GW_EGRESS_FAILED', 'refused'))
    await assert.rejects(egress.fetch('http://nx.example.com/', POST), fails('GW_EGRESS_FAILED', 'dns'))
  })

  it('forgets kept connections when the list shrinks', async () => {
    const to = await receiver()
    const egress = egressOf([to.hostPort])
    await egress.fetch(to.url, POST)
    egress.setAllow([])
    await assert.rejects(egress.fetch(to.url, POST), fails('GW_SSRF_BLOCKED', 'loopback'))
  })

  it('sends nothing once closed', async () => {
    const to = await receiver()
    const egress = egressOf([to.hostPort])
    await egress.fetch(to.url, POST)
    await egress.close()
    await assert.rejects(egress.fetch(to.url, POST), fails('GW_EGRESS_FAILED', 'aborted'))
  })
})

describe('egress: raw connections', () => {
  const listen = async () => {
    const server = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => new Promise((resolve) => server.close(resolve)))
    return (server.address() as AddressInfo).port
  }

  it('connects where the list allows it, and nowhere else', async () => {
    const port = await listen()
    const socket = await egressOf([`127.0.0.1:${port}`]).connect({
      host: '127.0.0.1',
      port,
      tls: false,
      timeoutMs: 5000,
    })
    socket.write('hello')
    const [echo] = (await once(socket, 'data')) as [Buffer]
    assert.equal(echo.toString(), 'hello')
    socket.destroy()
    for (const host of ['127.0.0.1', 'localhost', '127.1', '::1', '[::1]', '::ffff:127.0.0.1', '2130706433']) {
      await assert.rejects(egressOf().connect({ host, port, tls: false, timeoutMs: 5000 }), { code: 'GW_SSRF_BLOCKED' })
    }
  })

  it('ends when the list changes, once all that was written is sent', async () => {
    const port = await listen()
    const egress = egressOf([`127.0.0.1:${port}`])
    const socket = await egress.connect({ host: '127.0.0.1', port, tls: false, timeoutMs: 5000 })
    const sent = 'x'.repeat(1_000_000)
    socket.write(sent)
    egress.setAllow([])
    assert.equal(socket.writable, false)
    let echoed = 0
    for await (const part of socket) echoed += (part as Buffer).length
    assert.equal(echoed, sent.length)
  })

  it('refuses what is no host, and ports that are none', async () => {
    const egress = egressOf()
    for (const host of ['', 'a b', 'a/b', 'x@127.0.0.1', 'a:80', '127.0.0.1:80', 'fe80::1%eth0', '[::1', '256.1.1.1']) {
      const target = { host, port: 514, tls: false, timeoutMs: 5000 }
      await assert.rejects(egress.connect(target), fails('GW_SSRF_BLOCKED', 'malformed'))
    }
    for (const port of [0, -1, 65536, 1.5, Number.NaN]) {
      const target = { host: '93.184.215.14', port, tls: false, timeoutMs: 5000 }
      await assert.rejects(egress.connect(target), fails('GW_SSRF_BLOCKED', 'port'))
    }
  })

  it('judges the answer of DNS', async () => {
    const port = await listen()
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const target = { host: 'syslog.example.com', port, tls: false, timeoutMs: 5000 }
    await assert.rejects(egressOf([], { resolve }).connect(target), fails('GW_SSRF_BLOCKED', 'loopback'))
    const egress = egressOf([`syslog.example.com:${port}`], { resolve })
    const socket = await egress.connect(target)
    const closed = once(socket, 'close')
    await egress.close()
    await closed
  })

  it('fails when the other side does not speak TLS', async () => {
    const port = await listen()
    await assert.rejects(
      egressOf([`127.0.0.1:${port}`]).connect({ host: '127.0.0.1', port, tls: true, timeoutMs: 5000 }),
      fails('GW_EGRESS_FAILED', 'tls'),
    )
  })
})
