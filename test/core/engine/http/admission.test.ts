import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { createGatewayServer, type ServerContext } from '../../../../core/engine/http/server.ts'

const LISTEN = {
  max_header_bytes: 16_384,
  headers_timeout_seconds: 10,
  request_timeout_seconds: 10,
  keep_alive_seconds: 1,
}

it('a reload at any moment while a key is looked up is seen: no route of a router that is gone is called', async (t) => {
  let turns = 0
  let lookUps = 0
  const called: boolean[] = []
  const context = {
    leaving: false,
    connections: { beyond: () => false },
    router: undefined as unknown,
    runtime: {
      callers: {
        async authenticate() {
          if (++lookUps === 1) reloadAfter(turns)
          return { keyId: 'user' }
        },
      },
    },
  }
  const newRouter = () => {
    const router = {
      match: () => ({
        params: {},
        endpoint: {
          auth: 'user',
          async handle({ out }: { out: { error(error: Error): void; destroy(): void } }) {
            called.push(context.router === router)
            out.destroy()
          },
        },
      }),
    }
    context.router = router
  }
  const reloadAfter = (left: number): void => {
    if (left === 0) newRouter()
    else queueMicrotask(() => reloadAfter(left - 1))
  }
  newRouter()
  const server = createGatewayServer(LISTEN as never, context as unknown as ServerContext)
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  for (turns = 0; turns < 8; turns++) {
    lookUps = 0
    await assert.rejects(fetch(url))
  }
  assert.deepEqual(called, Array(8).fill(true))
})
