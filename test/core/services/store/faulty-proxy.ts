import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy in front of a server, which can lose answers: the request arrives, the connection goes. */
export class FaultyProxy {
  readonly #server: Server
  readonly #pairs = new Set<readonly [client: Socket, upstream: Socket]>()
  /** Answers to let through before the next cut; none are cut while undefined. */
  cutAfter: number | undefined
  cuts = 0

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1')
      const pair = [client, upstream] as const
      this.#pairs.add(pair)
      client.pipe(upstream)
      upstream.on('data', (answer) => {
        if (this.cutAfter !== undefined && this.cutAfter-- <= 0) {
          this.cutAfter = undefined
          this.cuts++
          // The server has carried out what it answers; nobody will hear of it.
          client.destroy()
          upstream.destroy()
        } else client.write(answer)
      })
      for (const socket of pair) {
        socket.on('error', () => {})
        socket.on('close', () => {
          client.destroy()
          upstream.destroy()
          this.#pairs.delete(pair)
        })
      }
    })
  }

  static async start(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as { port: number }).port}/0`
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy()
    await closed
  }
}
