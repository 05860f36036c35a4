/** The last step of `core/build.js`: what a start would compute again each time. */
import { recordCode } from '../engine/config/compile.ts'
import { compileSchema } from '../engine/config/validate.ts'
import { eventsSchema } from '../engine/events/catalogue/index.ts'
import { PluginEvents } from '../engine/events/payload.ts'
import { declarationOf } from '../engine/host/declaration.ts'
import { recordPrebuilt } from '../engine/util/prebuilt.ts'
import { settingsBody } from '../services/settings/routes.ts'
import { configSchema } from './config/load.ts'
import { firstKeysSchema } from './identity.ts'
import { rehearse } from './rehearsal.ts'
import { validatePlugins } from './validate-plugins.ts'

/**
 * The validators of the config and of the plugins' options, settings, events and routes, as functions by name; by path below
 * `dist` the tables of the plugins with their default options; and the schemas of all events.
 */
export async function buildAhead(
  folder: string,
  plugins: readonly string[],
): Promise<{ code: ReadonlyMap<string, string>; data: ReadonlyMap<string, Buffer>; events: object }> {
  const code = recordCode()
  const data = recordPrebuilt()
  for (const schema of [configSchema, firstKeysSchema, settingsBody]) compileSchema(schema)
  const entries = plugins.map((use) => ({ use, enabled: true, options: {} }))
  const loaded = await validatePlugins(
    { plugins: entries as never, egress: { allow: [] }, partial: true },
    folder,
    undefined,
    {},
  )
  const specs = loaded.plugins.map(({ spec }) => spec)
  for (const { settings } of specs) {
    if (settings === undefined) continue
    const { fields, schemaOf } = declarationOf(settings)
    for (const field of fields) compileSchema(schemaOf(field))
  }
  new PluginEvents(specs, console)
  // Bodies of routes. Plugins that need options of their own cannot be created here.
  await rehearse({ egress: { allow: [] } }, loaded.sound, folder, false)
  return { code, data, events: eventsSchema(specs) }
}
