/** Settings that admins PUT, read from the store beside a gateway that runs. Nothing is written. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../engine/config/types.ts'
import type { Json } from '../../engine/contract/plugin.ts'
import { declarationOf } from '../../engine/host/declaration.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { givenOptions } from '../../services/settings/check.ts'
import { layered, readLower } from '../../services/settings/layers.ts'
import { SETTINGS_NAMESPACE, SETTINGS_PURPOSE } from '../../services/settings/open.ts'
import { decode } from '../../services/settings/stored.ts'
import { openConfiguredStore } from '../../services/store/configured.ts'
import { openReadOnly } from '../../services/store/embedded/read-only.ts'
import { Rows } from '../../services/store/embedded/rows.ts'
import { KeyValues } from '../../services/store/engine/kv.ts'
import { dataFolder } from '../config/load.ts'
import { existingSecret, subkey } from '../identity.ts'
import type { Finding } from './report.ts'

type Env = Readonly<Record<string, string | undefined>>
type Read = (name: string) => Promise<Json | undefined>

/** What the plugin runs with now; undefined if it has no settings. */
export type Current = (plugin: LoadedPlugin) => Fields | undefined

/** Settings of all plugins: what was PUT, else environment, config and defaults. */
export async function currentSettings(
  config: Config,
  plugins: readonly LoadedPlugin[],
  env: Env,
): Promise<{ current: Current; findings: Finding[] }> {
  const all = new Map<LoadedPlugin, Fields>()
  const findings: Finding[] = []
  const secret = existingSecret(config)
  const take = async (read: Read): Promise<void> => {
    for (const plugin of plugins) {
      const { spec, path } = plugin
      if (spec.settings === undefined) continue
      const declaration = declarationOf(spec.settings)
      const { lower } = readLower(declaration, givenOptions(plugin), env, path)
      const secrets = [...declaration.secrets, ...declaration.secretUrls]
      const key = subkey(secret ?? Buffer.alloc(0), SETTINGS_PURPOSE)
      const { put, unreadable } = decode(await read(spec.name), secrets, key, spec.name)
      if (unreadable.length > 0) findings.push(unread(spec.name, unreadable))
      all.set(plugin, layered(declaration, put, lower).values)
    }
  }
  try {
    await reading(config, take)
  } catch {
    // The store itself is reported elsewhere.
    await take(async () => undefined)
  }
  return { current: (plugin) => all.get(plugin), findings }
}

const unread = (subject: string, fields: readonly string[]): Finding => ({
  ...{ area: 'receivers', subject, status: 'failure' },
  message: `the stored ${fields.join(', ')} cannot be read: \`secret\` is not the one they were stored with`,
  advice: 'Use the secret of the gateway that runs, or PUT them again.',
})

async function reading({ store, ...config }: Config, use: (read: Read) => Promise<void>): Promise<void> {
  const folder = dataFolder({ store, ...config })
  if (folder !== undefined) return embedded(join(folder, 'store.db'), use)
  if (store === 'memory') return use(async () => undefined)
  const opened = await openConfiguredStore(store, { instance: `doctor-${crypto.randomUUID().slice(0, 8)}` })
  try {
    await use((name) => opened.namespace(SETTINGS_NAMESPACE).get<Json>(name))
  } finally {
    await opened.close()
  }
}

async function embedded(file: string, use: (read: Read) => Promise<void>): Promise<void> {
  if (!existsSync(file)) return use(async () => undefined)
  const { db } = openReadOnly(file)
  try {
    const values = new KeyValues(new Rows(db, file))
    await use(async (name) => {
      const found = values.get({ key: `${SETTINGS_NAMESPACE}/${name}` }, Date.now())
      return found === null ? undefined : (JSON.parse(found.text) as Json)
    })
  } finally {
    db.close()
  }
}
