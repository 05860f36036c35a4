/** A gateway as an operator runs it: from a config text, with plugins found by the loader, and the OpenAI SDK as client. */
import type { TestContext } from 'node:test'
import OpenAI from 'openai'
import { parseConfig } from '../../core/gateway/config/load.ts'
import { type Gateway, startGateway } from '../../core/gateway/gateway.ts'
import { createLogger } from '../../core/services/logger.ts'
import { type Provider, startProvider } from '../../core/testing/index.ts'

const KEY = 'key-of-the-operator'

export interface Bundled {
  readonly gateway: Gateway
  readonly provider: Provider
  readonly client: OpenAI
  /** Lines of the log, parsed. */
  readonly log: Record<string, unknown>[]
}

/** @param yaml further sections of the config, `plugins:` at least; `key` are members of the caller's key. */
export async function startBundled(t: TestContext, yaml: string, key: object = {}): Promise<Bundled> {
  const provider = await startProvider()
  t.after(() => provider.close())
  const text = `
listen: { port: 0, drain_seconds: 1 }
store: memory
upstreams: { provider: { url: "${provider.url}" } }
keys: [${JSON.stringify({ id: 'app', key: KEY, ...key })}]
${yaml}
`
  const log: Record<string, unknown>[] = []
  const logger = createLogger({ destination: { write: (line: string) => log.push(JSON.parse(line)) } })
  const gateway = await startGateway({ config: parseConfig(text, 'gateway.yaml', {}), logger })
  t.after(() => gateway.close())
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
  return { gateway, provider, client, log }
}

/** The member `service`, which the SDK hands on as it came. */
export const serviceOf = (reply: unknown): Record<string, unknown> =>
  (reply as { service: Record<string, unknown> }).service
