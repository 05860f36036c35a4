/** A gateway that exports to a receiver on loopback. */
import type { TestContext } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import {
  type PluginSetup,
  type Receiver,
  type RecordedRequest,
  startPlugin,
  startReceiver,
} from 'governed-gateway/testing'
import siem from '../../../plugins/siem/index.ts'
import { ADMIN_KEY, asking, bearer, post, type Setup, setup, type TestGatewayOptions } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'

export const PATH = '/api/settings/siem'
/** Delivers at once and gives up at once. */
export const EAGER = { flush_interval_seconds: 0.1, retry_backoff_seconds: 0, buffer_size: 1 }

export interface Exporting extends Setup {
  readonly receiver: Receiver
  admin(method: 'GET' | 'PUT' | 'POST', path?: string, body?: object): Promise<{ status: number; body: Answer }>
  /** One completed exchange. */
  ask(content?: string): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
type Answer = any

export async function exporting(
  t: Pick<TestContext, 'after'>,
  options: object = {},
  more: Omit<TestGatewayOptions, 'upstreamUrl'> = {},
  alsoAllowed: readonly string[] = [],
): Promise<Exporting> {
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { port } = new URL(receiver.url)
  const parts = await setup(t as TestContext, {
    ...more,
    plugins: [
      ...(more.plugins ?? []),
      { use: 'siem', options: { enabled: true, url: receiver.url, ...EAGER, ...options } },
    ],
    config: { egress: { allow: [`127.0.0.1:${port}`, ...alsoAllowed] }, ...more.config },
  })
  return {
    ...parts,
    receiver,
    admin: (method, path = '', body) => admin(parts.gateway.url, method, path, body),
    async ask(content = 'Hello') {
      await (await post(parts.gateway, asking(content))).text()
    },
  }
}

export async function admin(url: string, method: string, path: string, body?: object) {
  const reply = await send(`${url}${PATH}${path}`, {
    method,
    headers: bearer(ADMIN_KEY),
    ...(body === undefined ? {} : { body }),
  })
  return { status: reply.status, body: (await reply.json()) as Answer }
}

/** Events of one request, in order. */
export const eventsOf = (request: RecordedRequest): GovernanceEvent[] => request.json as GovernanceEvent[]

/** Reads requests until `enough` says so; gives all events. */
export async function collect(
  receiver: Receiver,
  enough: (events: readonly GovernanceEvent[]) => boolean,
): Promise<GovernanceEvent[]> {
  const events: GovernanceEvent[] = []
  while (!enough(events)) events.push(...eventsOf(await receiver.next()))
  return events
}

export const has =
  (type: string, count = 1) =>
  (events: readonly GovernanceEvent[]): boolean =>
    events.filter((event) => event.type === type).length >= count

/** `siem` alone, with its settings. */
export async function settingsOf(t: TestContext, setup: PluginSetup = {}) {
  const rig = await startPlugin(siem, setup)
  t.after(() => rig.close())
  return {
    rig,
    get: async () => (await rig.admin('GET', PATH)).body,
    put: (body: object) => rig.admin('PUT', PATH, body),
  }
}
