import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { GovernanceEvent, Json } from 'governed-gateway'
import { ANSWERS } from '../../../plugins/otel/answers.ts'
import type { Codec, LogRecord, Origin } from '../../../plugins/otel/codec.ts'
import { jsonCodec } from '../../../plugins/otel/json.ts'
import { protobufCodec } from '../../../plugins/otel/protobuf.ts'
import { rounds } from '../../helpers/rounds.ts'
import { readProtobuf } from './protobuf.ts'
import { logsIn, spansIn } from './receiver.ts'

const origin: Origin = {
  resource: { 'service.name': 'gateway', 'of.list': ['a', 2] },
  version: '1',
  timeOrigin: performance.timeOrigin,
}
const codecs: Record<string, Codec> = { json: jsonCodec(origin), protobuf: protobufCodec(origin) }

const read = (name: string, path: string, body: Uint8Array): unknown =>
  name === 'json' ? JSON.parse(Buffer.from(body).toString()) : readProtobuf(path, body)

const ROOT = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentId: undefined,
  ...{ sampled: true, startedAt: 1 },
}

const TOLD = { title: 'An event', level: 'info' } as const

/** Any of them may be the value of a member, or of one inside. */
const VALUES: readonly (Json | undefined)[] = [
  ...['', 'a', 'a "quoted" \\ line\n', 'Zürich', '日本', '🙂', 'x'.repeat(99), 'x'.repeat(128), 'ü'.repeat(200)],
  ...['y'.repeat(20_000), 'z'.repeat(70_000)],
  ...[0, 1, -1, 127, 128, 16_384, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53, 0.5, -1.25, 1e300],
  ...[true, false, undefined, [], {}, ['a', ['b', 1], { c: true }], { list: [{ type: 'email', count: 2 }] }],
]
const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
const TYPES = ['request.completed', 'request.blocked', 'pii.detected']

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

function randomEvents(): GovernanceEvent[] {
  let now = Date.parse('2026-01-02T03:04:05.006Z')
  let values = NAMES.map(() => pick(VALUES))
  return Array.from({ length: 1 + Math.floor(Math.random() * 12) }, (_, i) => {
    now += Math.floor(Math.random() * 2)
    if (Math.random() < 0.6) values = values.map((value) => (Math.random() < 0.3 ? pick(VALUES) : value))
    const members = Object.fromEntries(NAMES.map((name, n) => [name, values[n]] as const))
    const time = new Date(now).toISOString()
    const own = { id: `id-${i}`, schema_version: 1, time, type: pick(TYPES), severity: 'info', instance: 'n' }
    return { ...own, ...members } as GovernanceEvent
  })
}

for (const [name, codec] of Object.entries(codecs)) {
  it(`${name}: records have the members of their events, whatever came before`, () => {
    for (let round = 0; round < rounds(120); round++) {
      const events = randomEvents()
      const records: LogRecord[] = events.map((event, i) => ({
        event,
        eventHead: TOLD,
        root: i % 3 === 0 ? undefined : ROOT,
      }))
      const logs = logsIn(read(name, '/v1/logs', codec.logs(records)))
      assert.equal(logs.length, events.length)
      for (const [i, event] of events.entries()) {
        const { time: _, ...members } = JSON.parse(JSON.stringify(event)) as Record<string, Json>
        const expected = Object.entries(members).map(([key, value]) => [`gateway.${key}`, value])
        assert.deepEqual(logs[i]?.attributes, Object.fromEntries(expected))
        assert.equal(logs[i]?.eventName, `gateway.${event.type}`)
        assert.equal(logs[i]?.traceId || undefined, i % 3 === 0 ? undefined : ROOT.traceId)
      }
    }
  })

  it(`${name}: a lone surrogate does no harm`, () => {
    const [event] = randomEvents()
    const record = { event: { ...event!, alpha: 'a\ud800b' }, eventHead: TOLD, root: undefined }
    const [log] = logsIn(read(name, '/v1/logs', codec.logs([record])))
    assert.match(String(log?.attributes['gateway.alpha']), /^a.b$/u)
  })

  it(`${name}: spans`, () => {
    const common = { root: ROOT, kind: 2, parentId: undefined, isRemote: true, startedAt: 1, endedAt: 2 } as const
    const attributes = { text: 'Zürich', whole: 7, part: 0.5, list: ['a'], missing: undefined }
    const spans = [
      { ...common, name: 'ok', spanId: 'aaaaaaaaaaaaaaaa', error: undefined, attributes },
      { ...common, name: 'bad', spanId: 'bbbbbbbbbbbbbbbb', parentId: ROOT.spanId, error: '"500"', attributes: {} },
    ]
    const read2 = spansIn(read(name, '/v1/traces', codec.spans(spans)))
    assert.deepEqual(
      read2.map((span) => [span.name, span.spanId, span.parentSpanId || undefined, span.status]),
      [
        ['ok', 'aaaaaaaaaaaaaaaa', undefined, 0],
        ['bad', 'bbbbbbbbbbbbbbbb', ROOT.spanId, 2],
      ],
    )
    assert.deepEqual(read2[0]?.attributes, { text: 'Zürich', whole: 7, part: 0.5, list: ['a'] })
    assert.equal(Number(read2[0]!.end - read2[0]!.start), 1_000_000)
    assert.deepEqual(read2[0]?.resource, { 'service.name': 'gateway', 'of.list': ['a', 2] })
  })
}

it('reads how many items the receiver refused', () => {
  const json = (answer: object) => ANSWERS.json.rejected(Buffer.from(JSON.stringify(answer)))
  assert.equal(json({ partialSuccess: { rejectedLogRecords: '3', errorMessage: 'too old' } }), 3)
  assert.equal(json({ partialSuccess: { rejectedSpans: 300 } }), 300)
  assert.deepEqual([json({}), ANSWERS.json.rejected(Buffer.from('<html>partialSuccess'))], [0, 0])
  const protobuf = (...bytes: number[]) => ANSWERS.protobuf.rejected(Buffer.from(bytes))
  assert.equal(protobuf(0x0a, 0x02, 0x08, 0x03), 3)
  assert.equal(protobuf(0x0a, 0x06, 0x08, 0xac, 0x02, 0x12, 0x01, 0x61), 300)
  const long = Buffer.concat([Buffer.from([0x0a, 0xcd, 0x01, 0x08, 0x05, 0x12, 0xc8, 0x01]), Buffer.alloc(200, 'a')])
  assert.equal(ANSWERS.protobuf.rejected(long), 5)
  const nothing = [[], [0x0a], [0x0a, 0x00], [0x0a, 0x03, 0x12, 0x01, 0x61], Array(40).fill(0xff)] as number[][]
  for (const bytes of nothing) assert.equal(protobuf(...bytes), 0)
})
