/** Options as admins see them, and as they are written in the config file. */
import { createHmac } from 'node:crypto'
import { Document, isScalar } from 'yaml'
import { formatPath } from '../../engine/config/paths.ts'
import type { PluginEntry } from '../../engine/config/types.ts'
import type { Json } from '../../engine/contract/plugin.ts'
import type { LoadedPlugin } from '../../engine/host/loaded-plugin.ts'
import type { Fields } from '../../engine/host/paths.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { MASK } from '../../services/settings/mask.ts'
import { isOverridable, type Opened, settingNames } from './overrides.ts'
import type { Path } from './schema-walk.ts'
import { masked, secretsIn, shapeOf } from './secrets.ts'

/** Where the options of a plugin come from. */
export interface Origin {
  readonly file: PluginEntry
  readonly stored: Opened | undefined
  /** `settings.override_options` of the config. */
  readonly names: readonly string[]
  /** This process has what is stored. */
  readonly isApplied: boolean
}

/** The answer of `GET`: options without secrets, so that an admin can change them and send them back. */
export function viewOf(plugin: LoadedPlugin, { file, stored, names, isApplied }: Origin): Fields {
  const { spec, entry, options } = plugin
  const schema = spec.schema as Fields
  const shape = shapeOf(plugin)
  const own = settingNames(spec)
  const secrets = secretsIn(shape, entry.options)
  const shown = (value: object): Fields => without(masked(value, secrets), own)
  const isOverridden = entry !== file
  const given = shown(entry.options)
  return {
    plugin: spec.name,
    source: isOverridden ? 'override' : 'file',
    overridable: isOverridable(names, spec.name),
    applied: isApplied,
    ...(typeof stored === 'object' && { changed_at: stored.changed_at, changed_by: stored.changed_by }),
    ...(spec.settings && { settings: spec.settings.path }),
    schema: withoutSettings(schema, own),
    options: given,
    effective: shown(options as object),
    ...(isOverridden && { file_options: without(masked(file.options, secretsIn(shape, file.options)), own) }),
    yaml: yamlOf(entry.use, without(entry.options as Fields, own), secrets, []),
  }
}

/** Names the options in force, without revealing anything about them. */
export const revisionOf = ({ spec: { name }, entry: { options } }: LoadedPlugin, key: Buffer): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([name, options]))
    .digest('base64url')
    .slice(0, 22)

const isOf = (name: string, own: readonly string[]): boolean =>
  own.includes(name) || (name.endsWith('_set') && own.includes(name.slice(0, -4)))

const without = (options: Fields, own: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !isOf(name, own)))

function withoutSettings(schema: Fields, own: readonly string[]): Json {
  const { properties, required, ...rest } = schema
  return {
    ...rest,
    properties: without(isObject<Json>(properties) ? properties : {}, own),
    ...(Array.isArray(required) && { required: required.filter((name) => !own.includes(String(name))) }),
  }
}

/** @param kept secrets that stay as they are; @param secrets all of them */
export function yamlOf(use: string, options: Fields, kept: readonly Path[], secrets: readonly Path[]): string {
  const doc = new Document([{ use, options: escaped(options) }])
  const known = new Set(kept.map(formatPath))
  const fresh = secrets.filter((path) => !known.has(formatPath(path)))
  for (const [paths, comment] of [
    [kept, ' as it is in the config file now'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: how the config file names the environment.
    [fresh, ' its value, best as ${NAME} from the environment'],
  ] as const) {
    for (const path of paths) {
      const node = doc.getIn([0, 'options', ...path], true)
      if (isScalar(node)) {
        node.value = MASK
        node.comment = comment
      } else if (node !== undefined) doc.setIn([0, 'options', ...path], MASK)
    }
  }
  return doc.toString({ lineWidth: 0 })
}

/** In the config file, `${` begins a reference. */
function escaped(value: Json): Json {
  if (typeof value === 'string') return value.replace(/\$(?=\{)/g, () => '$$')
  if (Array.isArray(value)) return value.map(escaped)
  if (!isObject<Json>(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escaped(member)]))
}
