/** Reads, checks and freezes the config file. */
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { wholePath } from '../../engine/config/paths.ts'
import {
  ConfigError,
  formatProblems,
  type PartialConfig,
  type Problem,
  sortProblems,
} from '../../engine/config/report.ts'
import { configSchema } from '../../engine/config/schema.ts'
import type { Config, ConfigData } from '../../engine/config/types.ts'
import { checkAgainst, markEnvironmentValues } from '../../engine/config/validate.ts'
import { deepFreeze } from '../../engine/util/deep-freeze.ts'
import { isObject } from '../../engine/util/is-object.ts'
import { reasonOf } from '../../engine/util/system-error.ts'
import { absoluteFiles } from '../../services/store/redis/options.ts'
import { dataBase } from './data-base.ts'
import { type Env, expandReferences } from './env.ts'
import { checkRules } from './rules.ts'
import { absoluteTls } from './rules-connections.ts'
import { configWarnings } from './warnings.ts'
import { type Locate, parseYaml } from './yaml.ts'

export { ConfigError, formatProblems, type Problem } from '../../engine/config/report.ts'
export { configSchema } from '../../engine/config/schema.ts'

/** Environment variables that override the file, and their target. */
const OVERRIDES = {
  SERVICE_HOST: ['listen', 'host'],
  SERVICE_PORT: ['listen', 'port'],
  SERVICE_STORE: ['store'],
  SERVICE_WORKERS: ['workers'],
  SERVICE_INSTANCE: ['instance'],
  SERVICE_LOG_LEVEL: ['log', 'level'],
  SERVICE_SECRET: ['secret'],
} as const

const locators = new WeakMap<object, Locate>()
const warned = new WeakMap<object, readonly Problem[]>()

/** Problems that do not prevent a start. */
export const warningsOf = (config: object): readonly Problem[] => warned.get(config) ?? []

/** Reads a YAML config file. Throws one `ConfigError` with all problems. */
export function loadConfig(file: string, env: Env = process.env): Config {
  return parseConfig(readConfig(file), file, env)
}

/** The text of a config file. Throws a `ConfigError` if it is missing. */
export function readConfig(file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const why = reasonOf(error) ?? (error as Error).message
    throw new ConfigError(file, [{ path: '', message: `cannot be read: ${why}` }])
  }
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString('utf8')
  throw new ConfigError(file, [{ path: '', message: 'is not text in UTF-8: save it in that encoding' }])
}

/** `loadConfig` for text in memory; `file` names it and is the base of relative paths. */
export function parseConfig(text: string, file: string, env: Env = process.env): Config {
  const { data: raw, usable, problems: syntax, locate } = parseYaml(text)
  const problems: Problem[] = [...syntax]
  if (!usable) throw new ConfigError(file, sortProblems(problems))

  const { data, fromEnv, problems: references } = expandReferences(raw, env)
  if (isObject(data)) dropEmptySections(data)
  if (isObject(data)) addRoute(data)
  const overridden = isObject(data) ? override(data, env, fromEnv) : new Map<string, string>()
  const listens = isObject(data) && isObject(data.listen) ? Object.keys(data.listen) : []
  // The container image sets it for every config.
  const address = listens.filter((name) => name === 'port' || (name === 'host' && !overridden.has('listen.host')))
  const { problems: wrong, broken } = checkAgainst(configSchema, data, '', fromEnv)
  const cross = isObject(data) ? checkRules(data as ConfigData, broken, dataBase(file, env), address) : []
  const unresolved = new Set(references.map(({ path }) => path))
  for (const problem of [...references, ...[...wrong, ...cross].filter(({ path }) => !unresolved.has(path))]) {
    const variable = overridden.get(problem.path)
    const line = locate(wholePath(problem))
    if (variable !== undefined) problems.push({ path: variable, message: problem.message })
    else problems.push(line === undefined ? problem : { ...problem, line })
  }
  const warnings = configWarnings(data, fromEnv)
  if (problems.length > 0) {
    const partial = soundParts(data, broken, fromEnv, problems)
    locators.set(partial, locate)
    warned.set(partial, warnings)
    throw new ConfigError(file, sortProblems(problems), partial)
  }
  const config = finish(data as ConfigData, dataBase(file, env), fromEnv)
  locators.set(config, locate)
  warned.set(config, warnings)
  return config
}

/** Adds line numbers to problems found after loading, such as those of plugin options. */
export function withLines(config: Pick<Config, 'plugins'>, problems: readonly Problem[]): Problem[] {
  const locate = locators.get(config)
  return sortProblems(
    problems.map((problem) => {
      const line = problem.line ?? locate?.(wholePath(problem))
      return line === undefined ? problem : { ...problem, line }
    }),
  )
}

/** Problems found later, as `FILE:LINE: PATH: MESSAGE`. */
export const describedIn =
  (file: string, config: Pick<Config, 'plugins'>) =>
  (path: string, message: string): string =>
    formatProblems(file, withLines(config, [{ path, message }]))

/** The folder where the `file:` store keeps its data; undefined for other stores. */
export function dataFolder(config: Config): string | undefined {
  return config.store.startsWith('file:') ? config.store.slice('file:'.length) : undefined
}

/** `plugins:` with nothing after it means the default, not null. */
function dropEmptySections(data: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(data)) if (value === null) delete data[name]
}

/** Returns which config paths came from which variable, so that reports name the variable. */
function override(data: Record<string, unknown>, env: Env, fromEnv: Set<string>): Map<string, string> {
  const done = new Map<string, string>()
  for (const [variable, path] of Object.entries(OVERRIDES)) {
    const value = env[variable]
    if (value === undefined || value === '') continue
    const [section, member] = path
    let target = data
    if (member !== undefined) {
      const inner = data[section] ?? {}
      data[section] = inner
      if (!isObject(inner)) continue // The report says that the section is not a map.
      target = inner
    }
    // A relative folder typed in a shell refers to the working directory.
    target[member ?? section] = variable === 'SERVICE_STORE' ? absoluteStore(value, process.cwd()) : value
    fromEnv.add(`/${path.join('/')}`)
    done.set(path.join('.'), variable)
  }
  return done
}

/** Fills in dependent values, then freezes everything. */
function finish(data: ConfigData, folder: string, fromEnv: ReadonlySet<string>): Config {
  data.store = absoluteStore(data.store, folder)
  const spill = spillFolder(data, folder)
  if (spill !== undefined) data.audit.spill_folder = spill
  const { listen, log } = data
  if (log.file !== undefined) log.file = resolve(folder, log.file)
  if (listen.tls !== undefined) listen.tls = absoluteTls(listen.tls, folder)
  if (listen.socket !== undefined) listen.socket.path = resolve(folder, listen.socket.path)
  for (const upstream of Object.values(data.upstreams)) {
    if (upstream.url !== undefined) upstream.url = upstream.url.replace(/\/+$/, '')
    if (upstream.key_file !== undefined) upstream.key_file = resolve(folder, upstream.key_file)
    if (upstream.tls !== undefined) upstream.tls = absoluteTls(upstream.tls, folder)
  }
  rememberEnvironment(data.plugins, fromEnv)
  return deepFreeze(data)
}

/** With a single upstream and no routes, it gets all models. */
function addRoute(data: Record<string, unknown>): void {
  const { routes, upstreams } = data
  const names = isObject(upstreams) ? Object.keys(upstreams) : []
  const isEmpty = routes === undefined || (Array.isArray(routes) && routes.length === 0)
  if (isEmpty && names.length === 1) data.routes = [{ model: '*', to: names }]
}

/** Remembers values from the environment for a later `parseOptions`. */
function rememberEnvironment(entries: ConfigData['plugins'], fromEnv: ReadonlySet<string>): void {
  for (const [i, entry] of entries.entries()) {
    const prefix = `/plugins/${i}/options`
    const own = [...fromEnv].filter((pointer) => pointer.startsWith(`${prefix}/`))
    if (own.length > 0)
      markEnvironmentValues(entry.options, new Set(own.map((pointer) => pointer.slice(prefix.length))))
  }
}

/** Keeps the positions of entries, for the paths of further reports; disables broken parts. */
function soundParts(
  data: unknown,
  broken: readonly string[],
  fromEnv: ReadonlySet<string>,
  problems: readonly Problem[],
): PartialConfig {
  const entries = isObject(data) && Array.isArray(data.plugins) ? (data.plugins as ConfigData['plugins']) : []
  const off = { use: '', enabled: false, options: {} }
  const plugins = entries.map((entry, i) => {
    const bad = broken.some((pointer) => pointer === `/plugins/${i}` || pointer.startsWith(`/plugins/${i}/`))
    return bad ? off : entry
  })
  rememberEnvironment(plugins, fromEnv)
  const parts = (['egress', 'keys', 'upstreams'] as const).filter(
    (part) => isObject(data) && data[part] !== undefined && !problems.some(({ path }) => isWithin(path, part)),
  )
  const sound = Object.fromEntries(parts.map((part) => [part, (data as Record<string, unknown>)[part]]))
  return deepFreeze({ plugins, ...sound }) as PartialConfig
}

const isWithin = (path: string, part: string): boolean =>
  path === part || (/^[.[]/.test(path.slice(part.length)) && path.startsWith(part))

/** A store in memory needs none: it fails only together with the process. */
function spillFolder({ store, audit }: ConfigData, folder: string): string | undefined {
  if (audit.spill_folder !== undefined) return resolve(folder, audit.spill_folder)
  if (store.startsWith('file:')) return store.slice('file:'.length)
  return store === 'memory' ? undefined : resolve(folder, 'data')
}

function absoluteStore(store: string, folder: string): string {
  if (!store.startsWith('file:') || store === 'file:') return absoluteFiles(store, folder)
  return `file:${resolve(folder, store.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))}`
}
