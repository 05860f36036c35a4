/** Gateways with one plugin whose options admins may override. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PluginSpec } from '../../../../core/engine/contract/plugin.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import { call } from '../../../../core/testing/plugin/client.ts'
import type { Owner } from '../../../helpers/gateway.ts'

export const ADMIN_KEY = 'sk-options-admin-key'
export const USER_KEY = 'sk-options-user-key-01'

export type Options = Record<string, unknown>

/** Records the options of each of its instances, and the events. */
function recorder() {
  const given: Options[] = []
  const events: Record<string, unknown>[] = []
  const plugin = {
    name: 'recorder',
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: {
        word: { type: 'string', minLength: 3, default: 'none' },
        most: { type: 'integer', minimum: 1, maximum: 9 },
        url: { type: 'string' },
        auth_token: { type: 'string', minLength: 8 },
        rows: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: { name: { type: 'string' }, code: { type: 'string', writeOnly: true } },
          },
        },
      },
    },
    check: ({ word }: Options) => (word === 'forbidden' ? [{ option: 'word', message: 'must not be this one' }] : []),
    create(options: Options) {
      if (options.word === 'uncreatable') throw new Error('options.word must be another one')
      return {
        apply(hooks: { onEvent: { tap(name: string, fn: (event: Record<string, unknown>) => void): void } }) {
          hooks.onEvent.tap('recorder', (event) => void events.push(event))
        },
        start() {
          if (options.word === 'unstartable') throw new Error('it cannot start so')
          given.push(options)
        },
      }
    },
  }
  return { plugin: plugin as unknown as PluginSpec, given, events }
}

interface Setup {
  readonly options?: object
  readonly names?: readonly string[]
  readonly store?: string
  readonly secret?: string
  readonly env?: Record<string, string>
  readonly file?: string
}

export async function node({
  options = {},
  names = ['recorder'],
  store = 'memory',
  secret,
  env = {},
  file,
}: Setup = {}) {
  const { plugin, given, events } = recorder()
  const log: Record<string, unknown>[] = []
  const logger = createLogger({ level: 'debug', destination: { write: (line) => log.push(JSON.parse(line)) } })
  const text = JSON.stringify({
    listen: { port: 0, drain_seconds: 1 },
    store,
    secret: secret ?? 'a secret that all nodes share, for tests',
    upstreams: { demo: { kind: 'demo' } },
    keys: [
      { id: 'ops', key: ADMIN_KEY, admin: true },
      { id: 'user', key: USER_KEY },
    ],
    settings: { override_options: names },
    plugins: [{ use: 'recorder', options }],
  })
  if (file !== undefined) writeFileSync(file, text)
  const gateway = await startGateway({
    config: parseConfig(text, file ?? 'test', env),
    ...(file !== undefined && { configFile: file }),
    logger,
    specs: new Map([['recorder', plugin]]),
    env,
  })
  const ask = async (method: string, path: string, body?: object, key = ADMIN_KEY) => {
    const reply = await call(gateway.url + path, method, { authorization: `Bearer ${key}` }, body)
    return { ...reply, error: reply.body.error as { code: string; message: string; param: string } | undefined }
  }
  const path = '/api/plugins/recorder/options'
  return {
    ...{ gateway, given, events, log, ask },
    now: () => given.at(-1),
    get: async () => (await ask('GET', path)).body as Options & { options: Options },
    put: (body: object) => ask('PUT', path, body),
    check: (body: object) => ask('POST', `${path}/check`, body),
    remove: () => ask('DELETE', path),
  }
}

type Node = Awaited<ReturnType<typeof node>>
export async function opened(t: Owner, setup?: Setup): Promise<Node> {
  const one = await node(setup)
  t.after(() => one.gateway.close())
  return one
}

export function folder(t: { after(fn: () => void): void }): string {
  const made = mkdtempSync(join(tmpdir(), 'gw-options-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}
