import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { Agent, request } from 'undici'
import { chat, startProvider } from '../../../core/testing/provider.ts'
import { gated } from '../../helpers/gated.ts'
import { asking, bearer, startTestGateway, USER_KEY } from '../../helpers/gateway.ts'

describe('a gateway that is told to end', () => {
  for (const stream of [false, true]) {
    it(`does not wait for connections whose exchange has ended (stream: ${stream})`, async (t) => {
      const provider = await startProvider()
      const gateway = await startTestGateway({ upstreamUrl: provider.url, config: { listen: { drain_seconds: 600 } } })
      // A pool that keeps its connections, as SDKs have.
      const dispatcher = new Agent()
      t.after(() => Promise.all([dispatcher.close(), provider.close()]))
      const { script, arrived, open } = gated(chat('the end'))
      provider.reply(script)
      const reply = request(`${gateway.url}/v1/chat/completions`, {
        dispatcher,
        method: 'POST',
        headers: { ...bearer(USER_KEY), 'content-type': 'application/json' },
        body: JSON.stringify(asking('Hello', { stream })),
      })
      await arrived
      const closed = gateway.close()
      open()
      const { statusCode, body } = await reply
      assert.equal(statusCode, 200)
      assert.match(await body.text(), stream ? /\[DONE\]/ : /the end/)
      await closed
    })
  }

  for (const stream of [false, true]) {
    it(`serves every client that connected before the port is closed (stream: ${stream})`, async (t) => {
      const provider = await startProvider()
      t.after(() => provider.close())
      const gateway = await startTestGateway({ upstreamUrl: provider.url })
      provider.reply(...Array.from({ length: 20 }, () => chat('served')))
      const body = JSON.stringify(asking('Hello', { stream }))
      const head = [
        'POST /v1/chat/completions HTTP/1.1',
        'host: gateway',
        `authorization: ${bearer(USER_KEY).authorization}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
      ]
      const replies = Array.from({ length: 20 }, async () => {
        const socket = connect(gateway.port, '127.0.0.1')
        socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
        return text(socket)
      })
      // The kernel has their connections by now; the gateway has accepted none.
      const closed = gateway.close()
      for (const reply of await Promise.all(replies)) assert.match(reply, /^HTTP\/1\.1 200 .*served/s)
      await closed
    })
  }
})
