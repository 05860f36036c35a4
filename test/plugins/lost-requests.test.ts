/** Figures and spans of requests whose process was taken for dead. It may live, and then counts them itself. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startProvider } from '../../core/testing/provider.ts'
import { withStore } from '../core/services/store/here.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { asking, post, startTestGateway } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { until } from '../helpers/until.ts'
import { parse } from './metrics/text.ts'
import { startCollector } from './otel/receiver.ts'

it('metrics counts a lost request apart from others, and otel writes a log record and no span', async (t) => {
  const folder = temporaryFolder()
  const id = 'req_01a22918-7fa2-77fc-8e29-e76b2885d64b'
  const marker = { request_id: id, operation: 'POST /v1/chat/completions', stream: false, key_id: 'user' }
  await withStore(folder, (store) => store.begin({ id, leaseMs: 60_000, scopes: [], marker }))
  const collector = await startCollector(t)
  const provider = await startProvider()
  t.after(() => provider.close())
  const options = { endpoint: collector.origin, sample_ratio: 1 }
  const gateway = await startTestGateway({
    upstreamUrl: provider.url,
    plugins: [{ use: 'metrics' }, { use: 'otel', options }],
    config: { store: `file:${folder}`, egress: { allow: [collector.host] } },
  })
  t.after(() => gateway.close())
  const page = async () => parse(await (await send(`${gateway.url}/metrics`, { method: 'GET' })).text())
  await until(async () => (await page()).value('gateway_events_total', { type: 'stream.aborted' }) === 1)
  await (await post(gateway, asking())).text()
  const { value } = await page()
  const route = '/v1/chat/completions'
  const counted = (outcome: string) => value('gateway_requests_total', { route, outcome })
  assert.deepEqual([counted('lost'), counted('allowed'), value('gateway_requests_total')], [1, 1, 2])
  await gateway.close()
  const lost = collector.logs().find(({ attributes }) => attributes['gateway.reason'] === 'gateway_lost')
  assert.equal(lost?.attributes['gateway.request_id'], id)
  const servers = collector.spans().filter(({ kind }) => kind === 2)
  assert.equal(servers.length, 1)
  assert.notEqual(servers[0]?.attributes['gateway.request_id'], id)
})
