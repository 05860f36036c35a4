/** Requests that a client sends before it has the earlier reply. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, it } from 'node:test'
import { startTestGateway, type TestGateway, USER_KEY } from '../../../helpers/gateway.ts'
import { until } from '../../../helpers/until.ts'

const open: { close(): unknown }[] = []
/** A provider that answers when it is told to. */
class Provider {
  readonly asked: ServerResponse[] = []
  readonly #server: Server

  constructor() {
    this.#server = createServer((req, res) => {
      req.resume().on('end', () => this.asked.push(res))
    })
    open.push(this)
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** Answers the request that was asked as the `index`th. */
  answer(index: number): void {
    const message = { role: 'assistant', content: `Reply ${index}.` }
    const reply = {
      id: 'c',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }
    this.asked[index]?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

async function started(): Promise<{
  provider: Provider
  gateway: TestGateway
  client: Socket
  received: () => string
}> {
  const provider = new Provider()
  const gateway = await startTestGateway({ upstreamUrl: await provider.listen() })
  open.push(gateway)
  const client = connect(gateway.port, '127.0.0.1')
  open.push({ close: () => client.destroy() })
  let text = ''
  client.setEncoding('utf8').on('data', (piece) => (text += piece))
  client.on('error', () => {})
  await once(client, 'connect')
  return { provider, gateway, client, received: () => text }
}

function request(content: string, head = ''): string {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  return (
    `POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${USER_KEY}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${head}\r\n${body}`
  )
}

/** Another caller asks the provider as the second one, and gets its answer. */
async function serveAnother(provider: Provider, gateway: TestGateway): Promise<void> {
  const other = connect(gateway.port, '127.0.0.1')
  open.push({ close: () => other.destroy() })
  other.write(request('other'))
  await until(() => provider.asked.length > 1)
  provider.answer(1)
  await once(other, 'data')
}

describe('requests on one connection that do not wait for replies', () => {
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  })

  it('are served one at a time and in order, also when a body arrives late and with Expect', async () => {
    const { provider, client, received } = await started()
    const last = request('x'.repeat(200_000))
    client.write(
      request('first') + request('second') + request('third', 'expect: 100-continue\r\n') + last.slice(0, 500),
    )
    for (let i = 0; i < 4; i++) {
      await until(() => provider.asked.length === i + 1)
      // The others had been read before this one was asked.
      if (i === 0) client.write(last.slice(500))
      assert.ok(!received().includes(`Reply ${i}.`))
      provider.answer(i)
      await until(() => received().includes(`Reply ${i}.`))
      assert.ok(provider.asked.length <= i + 2)
    }
    const order = [...received().matchAll(/Reply (\d)/g)].map(([, index]) => Number(index))
    assert.deepEqual(order, [0, 1, 2, 3])
    assert.equal(received().split('HTTP/1.1 200').length - 1, 4)
  })

  it('reach the provider once while it thinks, however many they are', async () => {
    const { provider, client, gateway } = await started()
    client.write(request('again').repeat(2_000))
    await until(() => provider.asked.length > 0)
    // Another caller is served meanwhile, and what it asks comes after all that the gateway would have passed on.
    await serveAnother(provider, gateway)
    assert.equal(provider.asked.length, 2)
  })

  it('that still wait when the client leaves are never asked', async () => {
    const { provider, client, gateway } = await started()
    client.write(request('again').repeat(50))
    await until(() => provider.asked.length > 0)
    client.resetAndDestroy()
    provider.answer(0)
    await serveAnother(provider, gateway)
    assert.equal(provider.asked.length, 2)
  })

  it('that follow one which closes the connection are not read, and its reply comes whole', async () => {
    const { provider, client, received } = await started()
    const closed = once(client, 'close')
    client.write(request('first', 'connection: close\r\n') + request('second'))
    await until(() => provider.asked.length > 0)
    provider.answer(0)
    await closed
    assert.match(received(), /^HTTP\/1\.1 200 [\s\S]*Reply 0\./)
    assert.equal(provider.asked.length, 1)
  })

  it('end the connection where they are not HTTP, and put nothing into the reply of another', async () => {
    const { provider, client, received } = await started()
    const closed = once(client, 'close')
    client.write(request('first'))
    await until(() => provider.asked.length > 0)
    client.write('no HTTP\r\n\r\n')
    await closed
    assert.equal(received(), '')
  })
})
