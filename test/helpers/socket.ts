/** HTTP by hand, for what no client library would send. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'

export interface RawReply {
  status: number
  /** Lower-case names; of repeated headers the last. */
  headers: Record<string, string>
  body: string
}

/** A TCP connection to a server on loopback. */
export class RawConnection {
  readonly socket: Socket
  /** Settles when the other side has closed, with the error if it reset the connection. */
  readonly closed: Promise<Error | undefined>
  #received = Buffer.alloc(0)
  #failure: Error | undefined
  #over = false
  #changed = Promise.withResolvers<void>()

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const closed = Promise.withResolvers<Error | undefined>()
    this.closed = closed.promise
    this.socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#wake()
    })
    this.socket.on('error', (error) => {
      this.#failure = error
    })
    this.socket.once('close', () => {
      this.#over = true
      this.#wake()
      closed.resolve(this.#failure)
    })
  }

  #wake(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }

  /** Writes, and waits until the system took it or the connection is gone. */
  async write(bytes: string | Uint8Array): Promise<void> {
    if (this.#over) return
    const taken = Promise.withResolvers<void>()
    this.socket.write(bytes, () => taken.resolve())
    await Promise.race([taken.promise, this.closed])
  }

  get over(): boolean {
    return this.#over
  }

  /** True once the head of a reply is here. */
  get answered(): boolean {
    return this.#received.includes('\r\n\r\n')
  }

  /** The next whole reply; fails when the connection ends before. */
  async reply(): Promise<RawReply> {
    for (;;) {
      const parsed = parse(this.#received, this.#over)
      if (parsed) {
        this.#received = this.#received.subarray(parsed.length)
        return parsed.reply
      }
      assert.ok(!this.#over, `closed before a whole reply (${this.#failure?.message ?? 'no error'})`)
      await this.#changed.promise
    }
  }

  destroy(): void {
    this.socket.destroy()
  }
}

function parse(bytes: Buffer, over: boolean): { reply: RawReply; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  const start = end + 4
  const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (length === undefined ? !over : bytes.length < start + length) return undefined
  const stop = length === undefined ? bytes.length : start + length
  const body = bytes.subarray(start, stop).toString('utf8')
  return { reply: { status: Number(line.split(' ')[1]), headers, body }, length: stop }
}

/** Sends bytes on a connection of their own and returns the first reply. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<RawReply> {
  const connection = new RawConnection(port)
  try {
    await connection.write(bytes)
    return await connection.reply()
  } finally {
    connection.destroy()
  }
}
