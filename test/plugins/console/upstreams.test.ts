import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Figure, Json } from 'governed-gateway'
import { UpstreamHealth } from '../../../plugins/console/upstreams.ts'

const figure = (name: string, samples: Figure['samples']): Figure => ({ name, help: '', kind: 'gauge', samples })
const at = (upstream: string, value: number, more = {}) => ({ value, labels: { upstream, ...more } })

it('shows an upstream as all processes see it', async () => {
  let told: (() => unknown) | undefined
  const of = (available: number, copies: number, others: readonly unknown[] = []) =>
    new UpstreamHealth({
      figures: async () => [
        figure('store_ready', [{ value: 1 }]),
        figure('upstream_available', [at('main', available), at('spare', 1)]),
        figure('upstream_waiting_requests', [at('main', 2), at('spare', 0)]),
        figure('upstream_keys_resting', [at('main', 1), at('spare', 0)]),
        figure('mirrored_requests_total', [at('spare', copies, { result: 'completed' })]),
      ],
      peers: {
        answer: (read: () => unknown) => {
          told = read
        },
        ask: async () => others as Json[],
        inherited: undefined,
      },
    })
  of(0, 3)
  const other = await told?.()
  assert.deepEqual(await of(1, 4, [other]).list(), [
    { name: 'main', processes: 2, open: 1, waiting: 4, keys_resting: 1, mirrored: {} },
    { name: 'spare', processes: 2, open: 0, waiting: 0, keys_resting: 0, mirrored: { completed: 7 } },
  ])
})
