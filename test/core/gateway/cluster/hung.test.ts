import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { asking, type Owner } from '../../../helpers/gateway.ts'
import { type ClusterRig, listening, pidOf, startCluster } from './setup.ts'

/** Blocks the event loop of its worker for as many milliseconds as the request says. */
const BLOCKS = fileURLToPath(new URL('../../../fixtures/blocks.mjs', import.meta.url))
const startBlocking = (t: Owner, worker_timeout_seconds: number): Promise<ClusterRig> =>
  startCluster(t, { worker_timeout_seconds, plugins: [{ use: BLOCKS }] })

const KILLED = 'worker does not answer: it is killed'
const ENDED = 'worker ended: another takes its place'

describe('a worker that hangs', () => {
  it('is killed and replaced, while the other serves, buffered and streamed', async (t) => {
    const { gateway, post } = await startBlocking(t, 3)
    const replaced = new Map<unknown, number>()
    for (const [nth, stream] of [false, true].entries()) {
      const lost = post({ body: asking('Hello', { stream }), headers: { 'x-block-ms': 'Infinity' } }).then(
        (reply) => reply.text(),
        () => 'lost',
      )
      const line = (msg: string) => gateway.logged((one) => one === gateway.lines.filter((any) => any.msg === msg)[nth])
      const killed = await line(KILLED)
      const { worker, level } = killed
      const restarts = replaced.get(worker) ?? 0
      replaced.set(worker, restarts + 1)
      assert.deepEqual([level, killed.unanswered_seconds, killed.workers_ready, killed.workers], ['error', 3, 1, 2])
      assert.equal(killed.worker_pid, await pidOf(gateway, worker as number, restarts))
      assert.equal(await lost, 'lost')
      const ended = await line(ENDED)
      assert.deepEqual([ended.worker, ended.signal, ended.restarts], [worker, 'SIGKILL', restarts + 1])
      const successor = await pidOf(gateway, worker as number, restarts + 1)
      const served = () =>
        gateway.lines.filter((one) => one.msg === 'request.completed').map((one) => one.pid as number)
      while (!served().includes(successor)) await (await post()).text()
    }
  })

  it('is killed while it is stopped, too, and does not keep a gateway that is told to end', async (t) => {
    const { gateway } = await startCluster(t, { worker_timeout_seconds: 2, listen: { port: 0, drain_seconds: 600 } })
    process.kill(await pidOf(gateway, 2), 'SIGSTOP')
    assert.equal((await gateway.logged(KILLED)).worker, 2)
    await pidOf(gateway, 2, 1)
    process.kill(await pidOf(gateway, 1), 'SIGSTOP')
    gateway.kill('SIGTERM')
    assert.deepEqual(await gateway.ended, { code: 0, signal: null })
    assert.equal(gateway.lines.findLast(({ msg }) => msg === KILLED)?.worker, 1)
  })
})

describe('a worker that is merely busy', () => {
  it('survives a loop and a SIGSTOP that end in time', async (t) => {
    const { gateway, post } = await startBlocking(t, 9)
    const pids = [await pidOf(gateway, 1), await pidOf(gateway, 2)]
    const reply = await post({ headers: { 'x-block-ms': '3000' } })
    assert.equal(reply.status, 200)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    // Pings go by: it is the time itself that is tested. Shorter than the provider keeps connections that are idle.
    await pass(3000)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    for (let i = 0; i < 4; i++) assert.equal((await post()).status, 200)
    // Everyone who stops the whole group, as a terminal does, does no harm either.
    for (const pid of [...pids, gateway.pid]) process.kill(pid, 'SIGSTOP')
    await pass(1000)
    for (const pid of [gateway.pid, ...pids]) process.kill(pid, 'SIGCONT')
    for (let i = 0; i < 4; i++) assert.equal((await post()).status, 200)
    assert.deepEqual(
      gateway.lines.filter(({ msg }) => msg === KILLED || msg === ENDED),
      [],
    )
    assert.deepEqual([listening(gateway, 1).length, listening(gateway, 2).length], [1, 1])
  })
})
