import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '../../core/engine/contract/store.ts'
import { AUDIT } from '../../core/services/audit/audit-log.ts'
import { EmbeddedTrail } from '../../core/services/audit/embedded-trail.ts'
import { chunks, stream } from '../../core/testing/provider.ts'
import { gone, pidOf, startCluster } from '../core/gateway/cluster/setup.ts'
import { isTerminal } from '../core/services/audit/faults.ts'

import { until } from '../helpers/until.ts'

/** The last events in the trail, by the request's own id. */
async function ends(folder: string): Promise<Record<string, JsonObject[]>> {
  const trail = new EmbeddedTrail(join(folder, 'data'), AUDIT)
  try {
    const all: JsonObject[] = []
    for (let after: string | undefined; ; ) {
      const page = await trail.page(trail.instance, 'asc', after)
      if (page.length === 0) break
      all.push(...page.map(({ record }) => record as JsonObject))
      after = page.at(-1)?.cursor
    }
    return Object.groupBy(all.filter(isTerminal), ({ client_request_id: id }) => String(id)) as Record<
      string,
      JsonObject[]
    >
  } finally {
    trail.close()
  }
}

test('replies that workers finish after their primary was killed are recorded as they ended', async (t) => {
  const { provider, gateway, folder, another, post } = await startCluster(t, {
    // Each worker gets every other connection.
    listen: { port: 0, reuse_port: false, pre_stop_seconds: 0, drain_seconds: 90 },
    plugins: [
      {
        use: 'policy',
        options: { rules: [{ name: 'payroll', keywords: ['payroll'], reason: 'Stays', on: 'output' }] },
      },
      { use: 'audit-file', options: { path: './audit.jsonl' } },
    ],
  })
  const workers = [await pidOf(gateway, 1), await pidOf(gateway, 2)]
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  t.after(() => release())
  provider.otherwise((x) => {
    const { messages } = x.request.json as { messages: { content: string }[] }
    const last = messages[0]?.content === 'block' ? 'the payroll' : 'the end'
    const [first, ...rest] = chunks(`Some words and ${last}`)
    return stream([first!, () => x.wait(released), ...rest])(x)
  })
  const replies: { readonly id: string; readonly text: Promise<string> }[] = []
  for (const id of ['a1', 'a2', 'b1', 'b2']) {
    const content = id.startsWith('b') ? 'block' : 'go on'
    const body = { model: 'gpt-test', stream: true, messages: [{ role: 'user', content }] }
    const reply = post({ body, headers: { 'x-client-request-id': id } })
    replies.push({ id, text: reply.then((one) => one.text()).catch(() => '') })
    await until(() => provider.requests.length === replies.length)
  }

  gateway.kill('SIGKILL')
  await gone(gateway.pid)
  process.kill(workers[1]!, 'SIGKILL')
  await another()
  // The new gateway has looked for orphans: it found those of the worker that is dead.
  await until(async () => Object.keys(await ends(folder)).length >= 2)
  release()
  const finished: string[] = []
  for (const { id, text } of replies) {
    if (/\[DONE\]|Stays/.test(await text)) finished.push(id)
  }
  await gone(workers[0]!)
  await until(async () => Object.keys(await ends(folder)).length === 4)

  const found = await ends(folder)
  const [whole, blocked] = ['a', 'b'].map((kind) => finished.find((id) => id.startsWith(kind)) as string)
  assert.equal(finished.length, 2, 'one worker finished its replies')
  const types = (id: string | undefined) => found[id as string]?.map(({ type, reason }) => [type, reason])
  assert.deepEqual(types(whole), [['request.completed', undefined]])
  assert.deepEqual(types(blocked), [['response.blocked', 'Stays']])
  for (const id of Object.keys(found)) {
    if (!finished.includes(id)) assert.deepEqual(types(id), [['stream.aborted', 'gateway_lost']])
  }
})
