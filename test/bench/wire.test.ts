import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { conversationsOf, REQUEST_BYTES } from './requests.ts'
import { bufferedReply, REPLY_BYTES, STREAM_HEAD, streamScript } from './script.ts'
import { EventCounter, httpChunk, LAST_CHUNK, MessageReader } from './wire.ts'

interface Seen {
  heads: number
  bodies: string[]
  ends: number
  events: number
}

/** What a reader makes of `data` cut at the given places. */
function read(data: Buffer, cuts: number[]): Seen {
  const seen: Seen = { heads: 0, bodies: [], ends: 0, events: 0 }
  let counter = new EventCounter()
  const reader = new MessageReader({
    head() {
      seen.heads += 1
      seen.bodies.push('')
      counter = new EventCounter()
    },
    body(piece, from, to) {
      counter.feed(piece, from, to)
      seen.bodies[seen.bodies.length - 1] += piece.toString('latin1', from, to)
    },
    end() {
      seen.ends += 1
      seen.events += counter.count
    },
  })
  const places = [0, ...cuts.toSorted((a, b) => a - b), data.length]
  for (let i = 1; i < places.length; i++) {
    if (places[i]! > places[i - 1]!) reader.feed(data.subarray(places[i - 1], places[i]))
  }
  assert.ok(reader.idle)
  return seen
}

const script = streamScript(3)
const EVENTS = [script.first, ...script.content, ...script.last]
const STREAM = Buffer.concat([STREAM_HEAD, ...EVENTS.map(httpChunk), LAST_CHUNK])
const MESSAGES = Buffer.concat([bufferedReply(), STREAM, bufferedReply()])

const bodyOf = (request: Buffer): string => read(request, []).bodies[0] as string

describe('the wire of the bench', () => {
  it('makes prompts and replies of the size that the limits are about', () => {
    for (const kind of ['chat', 'stream'] as const) {
      const body = bodyOf(conversationsOf(kind, 80, 'k')().next())
      assert.equal(body.length, REQUEST_BYTES[kind])
      assert.equal(JSON.parse(body).stream, kind === 'stream' ? true : undefined)
    }
    const { bodies } = read(bufferedReply(), [])
    assert.equal(bodies[0]!.length, REPLY_BYTES)
    assert.equal(JSON.parse(bodies[0]!).object, 'chat.completion')
  })

  it('makes turns of an agent that add three messages to what was sent before, and never repeats one', () => {
    const converse = conversationsOf('agent', 80, 'k')
    const [one, other] = [converse(), converse()]
    const sent = new Set<string>()
    let earlier: { role: string; content: string | null }[] = []
    for (let turn = 0; turn < 13; turn++) {
      const body = bodyOf(one.next())
      assert.ok(body.length >= REQUEST_BYTES.agent && body.length <= 64_000, `${body.length} bytes`)
      const { messages, tools } = JSON.parse(body)
      assert.equal(tools.length, 12)
      assert.deepEqual(messages.slice(0, earlier.length), earlier)
      if (turn > 0) assert.equal(messages.length, earlier.length + 3)
      earlier = messages
      sent.add(body).add(bodyOf(other.next()))
    }
    sent.add(bodyOf(one.next()))
    assert.equal(sent.size, 27)
    assert.ok(![...sent].some((body) => body.includes('@@@@')))
  })

  it('makes events that are whole chunks of 250 to 320 bytes', () => {
    for (const event of script.content) {
      assert.ok(event.length >= 250 && event.length <= 320, `${event.length} bytes`)
      assert.equal(JSON.parse(event.toString().slice('data: '.length)).object, 'chat.completion.chunk')
    }
  })

  it('reads messages one after the other', () => {
    const seen = read(MESSAGES, [])
    assert.deepEqual([seen.heads, seen.ends, seen.events], [3, 3, EVENTS.length])
    assert.equal(seen.bodies[1], Buffer.concat(EVENTS).toString())
  })

  it('reads the same when cut once, at every byte', () => {
    const whole = read(MESSAGES, [])
    for (let at = 1; at < MESSAGES.length; at++) assert.deepEqual(read(MESSAGES, [at]), whole)
  })

  it('reads the same however it is cut', () => {
    const whole = read(MESSAGES, [])
    const place = fc.integer({ min: 1, max: MESSAGES.length - 1 })
    fc.assert(
      fc.property(fc.array(place, { maxLength: 60 }), (cuts) => {
        assert.deepEqual(read(MESSAGES, cuts), whole)
      }),
    )
  })

  it('counts events and not newlines', () => {
    const counter = new EventCounter()
    for (const text of ['data: a\n', '\ndata: b\ndata: c\n\n', '\n', 'data: d']) {
      const piece = Buffer.from(text)
      counter.feed(piece, 0, piece.length)
    }
    assert.equal(counter.count, 2)
  })

  it('reads requests, with and without a body', () => {
    const get = Buffer.from('GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n')
    const seen = read(Buffer.concat([get, conversationsOf('stream', 80, 'k')().next()]), [5, 90])
    assert.equal(seen.ends, 2)
    assert.equal(seen.bodies[1]!.length, REQUEST_BYTES.stream)
  })

  it('refuses a reply whose end it could not see', () => {
    assert.throws(
      () => read(Buffer.from('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nabc'), []),
      /without content-length/,
    )
  })
})
