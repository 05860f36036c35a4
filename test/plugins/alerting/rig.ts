/** A gateway that blocks and alerts, and the receivers it alerts. */
import assert from 'node:assert/strict'
import type { GovernanceEvent } from '../../../core/engine/contract/plugin.ts'
import {
  type PluginRig,
  type PluginSetup,
  type Receiver,
  startPlugin,
  startReceiver,
} from '../../../core/testing/index.ts'
import alerting from '../../../plugins/alerting/index.ts'
import type { Owner } from '../../helpers/gateway.ts'
import { until } from '../../helpers/until.ts'

export const PATH = '/api/settings/alerting'

export async function receiverFor(owner: Owner): Promise<Receiver> {
  const receiver = await startReceiver()
  owner.after(() => receiver.close())
  return receiver
}

export interface Alerting {
  readonly rig: PluginRig
  /** Sends a request that a policy blocks. */
  block(): Promise<void>
  log(query?: string): Promise<Logged[]>
}

export interface Logged {
  id: string
  time: string
  event_id: string
  event_type: string
  destination: string
  outcome: string
  http_status: number | null
  attempts: number
  latency_ms: number | null
  error: string | null
}

/** A gateway whose policy blocks the word `forbidden`, and which may reach these receivers. */
export async function alertingTo(
  owner: Owner,
  receivers: readonly Receiver[],
  options: object,
  setup: PluginSetup = {},
): Promise<Alerting> {
  const rules = [{ name: 'no', keywords: ['forbidden'], reason: 'That word is not allowed' }]
  const rig = await startPlugin(alerting, {
    with: [{ use: 'sessions' }, { use: 'policy', options: { rules } }],
    options,
    egress: { allow: receivers.map(({ url }) => new URL(url).host) },
    ...setup,
  })
  owner.after(() => rig.close())
  return {
    rig,
    async block() {
      const { outcome } = await rig.send('forbidden')
      assert.equal(outcome, 'blocked')
    },
    async log(query = '') {
      const { status, body } = await rig.admin('GET', `${PATH}/delivery-log${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      return body.entries as unknown as Logged[]
    },
  }
}

/** Waits for an entry of the delivery log. */
export const logged = (from: Alerting, found: (entry: Logged) => boolean): Promise<Logged> =>
  until(async () => (await from.log()).find(found))

/** Waits for an event of a type. */
export const emitted = (rig: PluginRig, type: string): Promise<GovernanceEvent> =>
  until(() => rig.events.find((one) => one.type === type))
