/** Figures of all workers, whichever of them answers. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { pidOf, startCluster } from '../../core/gateway/cluster/setup.ts'
import { send } from '../../helpers/http.ts'
import { parse } from './text.ts'

it('sums over workers, and keeps the counts of one that died', async (t) => {
  const { gateway, post } = await startCluster(t, { plugins: [{ use: 'metrics' }] })
  const read = async () => parse(await (await send(`${gateway.url}/metrics`, { method: 'GET' })).text())
  const requests = 6
  for (let i = 0; i < requests; i++) await (await post()).text()
  const first = await read()
  assert.equal(first.value('gateway_requests_total'), requests)
  assert.equal(first.value('gateway_workers'), 2)
  assert.equal(first.value('gateway_build_info'), 1)
  assert.equal(first.value('gateway_request_duration_seconds_count'), requests)
  process.kill(await pidOf(gateway, 1), 'SIGKILL')
  await gateway.logged('worker ended: another takes its place')
  assert.equal((await read()).value('gateway_requests_total'), requests)
})
