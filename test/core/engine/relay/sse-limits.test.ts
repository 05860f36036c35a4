import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SseReader } from '../../../../core/engine/relay/stream/sse.ts'

const LIMIT = 4096

/** Reads a stream in pieces of one size; returns the data of its events and whether the limit was passed. */
function read(stream: string, size: number): { events: string[]; overflowed: boolean } {
  const events: string[] = []
  const reader = new SseReader(LIMIT, (data) => events.push(data))
  const bytes = Buffer.from(stream)
  for (let at = 0; at < bytes.length; at += size) reader.feed(bytes.subarray(at, at + size))
  reader.end()
  return { events, overflowed: reader.overflowed }
}

describe('limits of an event stream', () => {
  const idle: [name: string, unit: string][] = [
    ['comments', ':\n'],
    ['blank lines', '\n'],
    ['lines that no client knows', 'abc: d\n'],
    ['names of events', 'event: ping\n'],
    ['ids', 'id: 1\r\n'],
    ['events without data', 'data:\n\n'],
  ]
  for (const [name, unit] of idle) {
    it(`${name} count like an event`, () => {
      for (const size of [1, 7, 1 << 16]) {
        const few = unit.repeat(Math.floor(LIMIT / unit.length / 2))
        assert.equal(read(`${few}data: x\n\n`, size).overflowed, false)
        assert.equal(read(`data: x\n\n${unit.repeat(2 * LIMIT)}`, size).overflowed, true)
      }
    })
  }

  it('an event may be as long as the limit and no longer', () => {
    for (const size of [1, 100, 1 << 16]) {
      const longest = 'x'.repeat(LIMIT)
      assert.deepEqual(read(`data: ${longest}\n\n`, size), { events: [longest], overflowed: false })
      assert.equal(read(`data: ${'x'.repeat(2 * LIMIT)}\n\n`, size).overflowed, true)
      assert.equal(read(`data: ${longest}\ndata: ${longest}\n\n`, size).overflowed, true)
    }
  })

  it('a stream with signs of life between its events goes on for ever', () => {
    const stream = `: keep-alive\n\nevent: message\nid: 17\ndata: ${'x'.repeat(40)}\n\n`.repeat(2000)
    const { events, overflowed } = read(stream, 1000)
    assert.equal(events.length, 2000)
    assert.equal(overflowed, false)
  })
})
