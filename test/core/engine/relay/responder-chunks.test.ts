import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { Responder } from '../../../../core/engine/relay/responder.ts'

/** Serves one answer, and returns what comes for a request in this version of HTTP. */
async function answered(t: TestContext, serve: (out: Responder, written: () => number) => void, version = '1.1') {
  const server = createServer((req, res) => serve(new Responder(req, res, 'req_1'), () => req.socket.bytesWritten))
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.end(`GET / HTTP/${version}\r\nhost: x\r\nconnection: close\r\n\r\n`)
  const whole = await buffer(socket)
  const head = whole.indexOf('\r\n\r\n') + 4
  return { head: whole.toString('latin1', 0, head), body: whole.subarray(head) }
}

/** The chunks of a body, read by their sizes. */
function chunksOf(body: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const size = body.toString('latin1', at, line)
    assert.match(size, /^[0-9a-f]+$/)
    const end = line + 2 + Number.parseInt(size, 16)
    assert.equal(body.toString('latin1', end, end + 2), '\r\n')
    if (size === '0') {
      assert.equal(end + 2, body.length)
      return chunks
    }
    chunks.push(body.subarray(line + 2, end))
    at = end + 2
  }
}

const LENGTHS = [1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 16_383, 16_384, 16_385, 70_000]
const pieces = LENGTHS.map((length, i) => Buffer.alloc(length, i === 3 ? '\r\n' : `é${i}\u{1F600}`))

describe('what a responder writes', () => {
  it('has frames of HTTP/1.1, one for each write, whatever its length', async (t) => {
    const { head, body } = await answered(t, (out) => {
      out.openStream()
      for (const piece of pieces) out.write(piece)
      out.end('last')
    })
    assert.match(head, /transfer-encoding: chunked/i)
    assert.deepEqual(chunksOf(body), [...pieces, Buffer.from('last')])
  })

  it('goes on behind a write without bytes, which would end it', async (t) => {
    const { body } = await answered(t, (out) => {
      out.openStream()
      for (const piece of ['one', '', 'two']) out.write(Buffer.from(piece))
      out.end()
    })
    assert.deepEqual(chunksOf(body).map(String), ['one', 'two'])
  })

  it('has no frames for a client of HTTP/1.0', async (t) => {
    const serve = (out: Responder) => {
      out.openStream()
      for (const piece of pieces) out.write(piece)
      out.end('last')
    }
    const { head, body } = await answered(t, serve, '1.0')
    assert.doesNotMatch(head, /transfer-encoding/i)
    assert.deepEqual(body, Buffer.concat([...pieces, Buffer.from('last')]))
  })

  it('leaves at once', async (t) => {
    const counts: number[] = []
    await answered(t, (out, written) => {
      out.openStream()
      out.write(Buffer.from('first'))
      for (let i = 0; i < 3; i++) {
        out.write(Buffer.from(`event ${i}`))
        counts.push(written())
      }
      out.end()
    })
    const [first = 0] = counts
    const frame = '7\r\nevent 0\r\n'.length
    assert.deepEqual(counts, [first, first + frame, first + 2 * frame])
  })

  it('waits for a client that does not read', async (t) => {
    const piece = Buffer.alloc(16_000, 'x')
    let count = 0
    let waits = 0
    const server = createServer((req, res) => {
      const out = new Responder(req, res, 'req_1')
      out.openStream()
      const fill = () => {
        while (count < 2000 && out.write(piece)) count++
        if (count >= 2000) return out.end()
        waits++
        client.resume()
      }
      out.onDrain(fill)
      fill()
    })
    t.after(() => server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
    client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const whole = await text(client)
    assert.ok(waits > 0)
    assert.ok(whole.length > 2000 * piece.length)
  })
})
