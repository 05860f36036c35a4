/** Gateways with everything that data can leave by: provider, client, log, audit trail, files, SIEM, alerts, store. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHAPES } from '../../../core/engine/dialects/names.ts'
import {
  ADMIN_KEY,
  type PluginEntry,
  startTestGateway,
  type TestGateway,
  UPSTREAM_KEY,
  USER_KEY,
} from '../../helpers/gateway.ts'
import { codeWords, wordGuard } from './code-words.ts'
import { CONFIGS, type ConfigName, type OracleConfig } from './configs.ts'
import { type FakeProvider, type Receiver, startFakeProvider, startReceiver } from './provider.ts'
import { notes, relayConfig, relaying } from './relay.ts'
import { MONITORED_KEY, UNGUARDED_KEY } from './warm.ts'

export const SETTINGS_SECRETS: Readonly<Record<string, string>> = {
  'key of the upstream': UPSTREAM_KEY,
  'key of the user': USER_KEY,
  'key of the admin': ADMIN_KEY,
  'token of the SIEM': 'siem-shared-token-71c9e2',
  'signing secret': 'alert-signing-secret-40ab81',
  'secret of the deployment': 'a secret for tests, 32 characters or more',
}

export interface World {
  readonly name: ConfigName
  readonly gateway: TestGateway
  readonly provider: FakeProvider
  readonly receiver: Receiver
  /** Log lines since the last call. */
  newLog(): string[]
  /** All that is kept or was told besides: trail, files, store, SIEM, alerts. By name. */
  kept(): Promise<Record<string, string>>
  close(): Promise<void>
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** Files by name; once more if one was written elsewhere meanwhile, so that its words are in another one. */
async function textsIn(folder: string, tries = PATIENCE): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  try {
    for (const file of await filesIn(folder))
      texts.set(file.slice(folder.length + 1), (await readFile(file)).toString('latin1'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 0) throw error
    return textsIn(folder, tries - 1)
  }
  return texts
}

const PATIENCE = 20

async function trail(gateway: TestGateway): Promise<string> {
  let out = ''
  let refusals = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const reply = await fetch(`${gateway.url}/api/audit?limit=200${query}`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    })
    const text = await reply.text()
    if (reply.status === 503 && refusals++ < PATIENCE) {
      // Other programs keep the machine, and thereby the store, busy.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      continue
    }
    if (!reply.ok) throw new Error(`the audit trail answered ${reply.status}: ${text}`)
    out += `${text}\n`
    cursor = (JSON.parse(text) as { next_cursor?: string | null }).next_cursor ?? null
  }
  return out
}

/** Waits until the receiver has got nothing new for a while. */
async function quiet(receiver: Receiver, folder: string): Promise<void> {
  for (let still = 0, last = -1; still < 4; still += 1) {
    const now = receiver.got.length + (await filesIn(folder)).length
    if (now !== last) still = 0
    last = now
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
}

const keysOf = (hasFlags: boolean): object[] => {
  const flags = (mode: string): object => (hasFlags ? { flags: { mode } } : {})
  return [
    { id: 'user', key: USER_KEY, team: 'apps', ...(hasFlags && { flags_allow: ['mode=monitor'] }) },
    { id: 'admin', key: ADMIN_KEY, admin: true },
    { id: 'monitored', key: MONITORED_KEY, team: 'apps', ...flags('monitor') },
    { id: 'unguarded', key: UNGUARDED_KEY, team: 'apps', ...flags('off') },
  ]
}

export async function startWorld(name: ConfigName): Promise<World> {
  const [provider, receiver, folder] = await Promise.all([
    startFakeProvider(),
    startReceiver(),
    mkdtemp(join(tmpdir(), 'oracle-')),
  ])
  const { plugins, upstream, format, relays, memo = 'key' } = CONFIGS[name] as OracleConfig
  const hasFlags = plugins.some(({ use }) => use === 'flags')
  const exits: PluginEntry[] = [
    { use: 'audit-file', options: { path: join(folder, 'audit.jsonl') } },
    {
      use: 'siem',
      options: {
        enabled: true,
        url: `http://${receiver.host}/siem`,
        auth_token: SETTINGS_SECRETS['token of the SIEM'],
        format,
        flush_interval_seconds: 0.1,
        buffer_size: 200,
      },
    },
    {
      use: 'alerting',
      options: {
        enabled: true,
        webhook_url: `http://${receiver.host}/alert`,
        webhook_type: format === 'json' ? 'generic' : format === 'cef' ? 'slack' : 'teams',
        min_severity: 'all',
        max_alerts_per_minute: 60,
        dedupe_window_seconds: 1,
        signing_secret: SETTINGS_SECRETS['signing secret'],
      },
    },
  ]
  const gateway = await startTestGateway({
    upstreamUrl: provider.url,
    // Shorter than the client's patience with silence.
    upstream: { ...upstream, idle_timeout_seconds: 3 },
    plugins: [...(relays ? [notes(receiver.host)] : []), ...plugins, ...exits],
    specs: new Map([
      ['code-words', codeWords],
      ['word-guard', wordGuard],
    ]),
    config: {
      store: `file:${join(folder, 'data')}`,
      egress: { allow: [receiver.host] },
      // Most requests of the oracle are small; half of them are remembered.
      inspection: { memo_from_bytes: 256, memo_scope: memo },
      keys: keysOf(hasFlags),
      ...(relays && relayConfig(provider.url, UPSTREAM_KEY, SHAPES)),
    },
  })
  let read = 0
  const copies: string[] = []
  return {
    name,
    gateway,
    provider: relays ? relaying(provider, copies) : provider,
    receiver,
    newLog() {
      const lines = gateway.log.slice(read).map((line) => JSON.stringify(line))
      read = gateway.log.length
      return lines
    },
    async kept() {
      await quiet(receiver, folder)
      const out: Record<string, string> = { 'audit trail': await trail(gateway) }
      out.copies = copies.join('\n')
      out['SIEM, alerts and traces'] = receiver.got.join('\n')
      const page = await fetch(`${gateway.url}/metrics`)
      out.metrics = await page.text()
      out.log = gateway.log.map((line) => JSON.stringify(line)).join('\n')
      for (const [name, text] of await textsIn(folder)) out[name] = text
      return out
    },
    async close() {
      await gateway.close()
      await Promise.all([provider.close(), receiver.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
