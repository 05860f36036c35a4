/** The harness must count exactly: a bench that loses requests or chunks measures something else. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Worker } from './child.ts'
import type { LoadApi } from './load.ts'
import { cpuMicros, processTree, rssBytes, sampleCpu } from './proc.ts'
import type { ReceiverApi } from './receiver.ts'
import { drive, type Session, type Work } from './scenarios/scenario.ts'
import { EXTRA_EVENTS, REPLY_BYTES } from './script.ts'
import { parseSubjects, type Running } from './targets.ts'
import type { Mode, UpstreamApi } from './upstream.ts'

let session: Session
let proxy: Running
let direct: Running

before(async () => {
  const upstream = await Worker.start<UpstreamApi, { port: number }>('upstream.ts', { core: undefined })
  const load = await Worker.start<LoadApi>('load.ts', { core: undefined })
  const receiver = await Worker.start<ReceiverApi, { port: number }>('receiver.ts', { core: undefined })
  session = { upstream, load, receiver, quick: true, sizes: new Map() }
  const { port } = upstream.ready
  const context = { upstreamPort: port, receiverPort: receiver.ready.port, subject: { core: undefined }, folder: '' }
  proxy = await parseSubjects('passthrough')[0]!.start(context)
  direct = { pid: upstream.process.pid!, port, readyMs: 0, stop: async () => {} }
})

after(async () => {
  await Promise.all([proxy.stop(), session.upstream.stop(), session.load.stop(), session.receiver.stop()])
})

function work(mode: Mode, requests: number, connections: number): Work {
  const request = mode.kind === 'buffered' ? 'chat' : 'stream'
  return { mode, request, requests, connections, events: mode.kind === 'buffered' ? 0 : mode.chunks + EXTRA_EVENTS }
}

const WORKS: [string, Work][] = [
  ['buffered', work({ kind: 'buffered' }, 300, 8)],
  ['paced', work({ kind: 'paced', chunks: 25, everyMs: 2 }, 20, 10)],
  ['burst', work({ kind: 'burst', chunks: 999, perWrite: 50, framed: true }, 12, 4)],
  ['packed burst', work({ kind: 'burst', chunks: 999, perWrite: 50, framed: false }, 12, 4)],
]

describe('the bench harness', () => {
  for (const [name, one] of WORKS) {
    it(`counts the same at both ends: ${name}`, async () => {
      // `drive` itself compares requests, replies and events of both ends.
      const straight = await drive(session, direct, one)
      const through = await drive(session, proxy, one)
      assert.equal(through.result.replies, one.requests)
      assert.equal(through.result.events, one.requests * one.events)
      assert.equal(through.result.bytes, straight.result.bytes)
      assert.ok(through.cpuUs > 0)
      if (one.mode.kind === 'buffered') assert.equal(through.result.bytes, one.requests * REPLY_BYTES)
    })
  }

  it('does not accept counts that differ', async () => {
    const wrong = { ...work({ kind: 'paced', chunks: 3, everyMs: 1 }, 2, 2), events: 8 }
    await assert.rejects(drive(session, proxy, wrong), /counts differ: events received 14, not 16/)
  })

  it('tells a lost target from a fast one', async () => {
    const nobody = { ...direct, port: 1 }
    await assert.rejects(drive(session, nobody, work({ kind: 'buffered' }, 5, 2)), /complete replies 0, not 5/)
  })

  it('sends at a fixed rate and times every reply', async () => {
    await session.upstream.call('mode', { kind: 'buffered' })
    const input = { port: proxy.port, key: 'k', request: 'chat' as const, requests: 50, rate: 500, silenceMs: 5000 }
    const result = await session.load.call('open', input)
    assert.equal(result.latencies.length, 50)
    assert.equal(result.replies, 50)
    assert.equal((await session.upstream.call('stats')).requests, 50)
    assert.ok(result.wallMs >= 98, 'the last request is due after 98 ms')
    assert.ok(result.latencies.every((ms) => ms > 0))
  })

  it('holds streams open until their clients vanish', async () => {
    await session.upstream.call('mode', { kind: 'idle', chunks: 4 })
    const opened = session.upstream.call('whenOpen', { count: 60 })
    const input = { port: proxy.port, key: 'k', request: 'stream' as const, streams: 60, silenceMs: 5000 }
    assert.deepEqual(await session.load.call('hold', input), { open: 60, refused: 0, lost: 0 })
    await opened
    const freed = session.upstream.call('whenOpen', { count: 0 })
    const { at, count } = await session.load.call('vanish')
    assert.equal(count, 60)
    assert.ok((await freed) > at)
    const stats = await session.upstream.call('stats')
    assert.deepEqual([stats.requests, stats.open, stats.aborted, stats.replies], [60, 0, 60, 0])
  })

  it('reads the CPU time and memory of a process as the process itself does', () => {
    const [own, kernel] = [process.cpuUsage(), sampleCpu(process.pid)]
    while (process.cpuUsage(own).user < 100_000);
    const used = process.cpuUsage(own)
    const seen = cpuMicros(kernel, sampleCpu(process.pid))
    assert.ok(Math.abs(seen - used.user - used.system) < 30_000, `${seen} µs seen, ${used.user + used.system} µs used`)
    assert.ok(rssBytes(proxy.pid) > 20e6)
    assert.ok(rssBytes(process.pid) > rssBytes(proxy.pid), 'a process counts with its children')
    assert.ok(processTree(process.pid).includes(proxy.pid))
  })
})
