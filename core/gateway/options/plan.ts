/** What a change of options would store, before it is judged. */
import { isDeepStrictEqual } from 'node:util'
import type { PluginEntry } from '../../engine/config/types.ts'
import type { SettingsProblem } from '../../engine/contract/plugin.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { moved } from './moved.ts'
import { type Override, settingNames } from './overrides.ts'
import { restored } from './restore.ts'
import { type Path, valueAt } from './schema-walk.ts'
import { secretsIn, shapeOf } from './secrets.ts'
import { yamlOf } from './view.ts'

export interface Plan {
  readonly override: Override
  readonly problems: readonly SettingsProblem[]
  readonly yaml: string
}

/** Masks become secrets again; members that are settings stay those of the file. */
export function planOf(plugin: LoadedPlugin, file: PluginEntry, sent: Fields, by: string): Plan {
  const { spec, entry, options: parsed } = plugin
  const shape = shapeOf(plugin)
  const own = settingNames(spec)
  const before = without(entry.options as Fields, own)
  const secrets = secretsIn(shape, entry.options).filter(([name]) => !own.includes(String(name)))
  const { options, kept, fresh, problems } = restored(sent, before, shape.schema, secrets)
  const wrong = own
    .filter((name) => options[name] !== undefined)
    .map((field) => ({ field, message: `is a setting of its own: PUT it at ${spec.settings?.path}` }))
  const inFile = without(file.options as Fields, own)
  const byFile = kept.flatMap(({ at, from }) => {
    const isPlain = isDeepStrictEqual(at, from) && at.every((step) => typeof step === 'string')
    const isSame = isPlain && isDeepStrictEqual(valueAt(inFile, at), valueAt(before, at))
    return isSame && moved(shape.schema, { options: inFile, at }, { options, at }, false) === undefined ? [at] : []
  })
  // A copy, since what the environment says may have become a number.
  for (const { at, from } of kept) {
    const value = valueAt(parsed, from) ?? valueAt(before, from)
    if (value !== undefined) put(options, at, value)
  }
  const masks = kept.map(({ at }) => at)
  const yaml = yamlOf(entry.use, options, masks, [...secretsIn(shape, options), ...fresh])
  for (const at of byFile) delete (valueAt(options, at.slice(0, -1)) as Fields)[at.at(-1) as string]
  const about = { changed_at: new Date().toISOString(), changed_by: by }
  return {
    override: { options, kept: byFile, hidden: [...masks, ...fresh], ...about },
    problems: [...wrong, ...problems],
    yaml,
  }
}

function put(options: Fields, at: Path, value: Fields[string]): void {
  ;(valueAt(options, at.slice(0, -1)) as Fields)[at.at(-1) as string] = value
}

const without = (options: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
