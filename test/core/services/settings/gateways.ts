/** Gateways that share a store, with the plugin of this folder. */

import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { type Gateway, startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { call } from '../../../../core/testing/plugin/client.ts'
import { exporter, PATH } from './plugin.ts'

const ADMIN_KEY = 'sk-settings-admin-key'

export interface NodeOptions {
  readonly store: string
  readonly options?: object
  readonly allow?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly secret?: string
  /** Changes the plugin, as a newer version of it would. */
  readonly change?: (spec: PluginSpec) => PluginSpec
}

export async function startNode({ store, options = {}, allow = [], env = {}, change, ...more }: NodeOptions) {
  const { plugin, given } = exporter()
  const log: Record<string, unknown>[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const spec = plugin as unknown as PluginSpec
  const config = {
    listen: { port: 0 },
    store,
    secret: more.secret ?? 'a secret that all nodes share, for tests',
    upstreams: { demo: { kind: 'demo' } },
    keys: [{ id: 'ops', key: ADMIN_KEY, admin: true }],
    egress: { allow },
    plugins: [{ use: 'export', options }],
  }
  const gateway: Gateway = await startGateway({
    config: parseConfig(JSON.stringify(config), 'test', {}),
    logger,
    specs: new Map([['export', change?.(spec) ?? spec]]),
    env,
  })
  const ask = async (method: string, body?: object) => {
    const reply = await call(gateway.url + PATH, method, { authorization: `Bearer ${ADMIN_KEY}` }, body)
    return { ...reply, error: reply.body.error as { code: string; message: string } | undefined }
  }
  return {
    given,
    log,
    get: async () => (await ask('GET')).body,
    put: (body: object) => ask('PUT', body),
    close: () => gateway.close(),
  }
}

export type Node = Awaited<ReturnType<typeof startNode>>
