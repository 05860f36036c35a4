/** Finds, imports and validates plugins. The only part of the core that knows the plugins folder. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { GatewayError } from '../contract/errors.ts'
import type { PluginSpec } from '../contract/plugin.ts'
import { mayBeSecret, quotedWord } from '../util/outside.ts'
import { CODE_EXTENSION, CODE_ROOT } from '../util/package.ts'
import { didYouMean } from '../util/suggest.ts'
import { mistakeInModule } from './error-place.ts'
import { assertPluginSpec } from './loader-contract.ts'
import { importFile, installHooks, resolvePackage } from './self-reference.ts'
import { watch } from './watchdog.ts'

const PLUGINS = join(CODE_ROOT, 'plugins')
const INDEX = `index${CODE_EXTENSION}`
/** Time limit to import one plugin, milliseconds. */
const LOAD_DEADLINE = 10_000

/** Versions of the packages that plugins came in. */
const packaged = new WeakMap<PluginSpec, string>()

/** The plugin's own version, or that of its package. Undefined for a file that names none. */
export const versionOf = (spec: PluginSpec): string | undefined => spec.version ?? packaged.get(spec)

/** How messages name operators' own plugins: with their files. */
const own = new WeakMap<PluginSpec, string>()

/** Name and file of an operator's own plugin; undefined for a bundled one. */
export const ownPlugin = (spec: PluginSpec): string | undefined => own.get(spec)

/** Names of the bundled plugins, in alphabetical order. */
export function bundledPlugins(): string[] {
  if (!existsSync(PLUGINS)) return []
  return readdirSync(PLUGINS).filter(isBundled).toSorted()
}

/**
 * Loads the plugin named by `use`: a bundled one, a path (`./x.ts`, relative to `configDir`, or absolute) or an npm
 * package, resolved from `configDir`. An unchanged file gives the same object again. `path` is its place in the config.
 */
export async function loadPlugin(use: string, configDir: string, path = ''): Promise<PluginSpec> {
  const folder = resolve(configDir)
  if (isPath(use)) {
    const file = resolve(folder, use)
    return watchedLoad(path, `${shown(use)} (${file})`, () => loadFile(use, file))
  }
  if (!isBundled(use)) return watchedLoad(path, shown(use), () => loadPackage(use, folder))
  // Built ones import nothing from 'governed-gateway' by name.
  if (CODE_EXTENSION === '.ts') installHooks()
  const spec = await importPackaged(use, join(PLUGINS, use, INDEX))
  if (spec.name !== use) throw contractError(use, `the name is "${spec.name}" and must equal its folder`)
  return spec
}

async function watchedLoad(path: string, plugin: string, load: () => Promise<PluginSpec>): Promise<PluginSpec> {
  const end = watch({ path, plugin, what: 'the module' })
  try {
    return await load()
  } finally {
    end()
  }
}

const isPath = (use: string): boolean => /^\.{1,2}\//.test(use) || isAbsolute(use)

const isBundled = (use: string): boolean => basename(use) === use && isFile(join(PLUGINS, use, INDEX))

/** All bundled plugins, enabled or not. */
export const bundledSpecs = (): Promise<PluginSpec[]> =>
  Promise.all(bundledPlugins().map((name) => loadPlugin(name, PLUGINS)))

function loadFile(use: string, file: string): Promise<PluginSpec> {
  if (isFile(file)) return importDefault(use, file, importFile)
  const index = ['index.ts', 'index.js'].find((name) => isFile(join(file, name)))
  const near = ['.ts', '.js', '.mts', '.mjs', '.cjs'].map((ext) => file.replace(/\.[a-z]+$/, '') + ext).find(isFile)
  const other = index === undefined ? near : join(file, index)
  const shown = other === undefined ? undefined : `./${relative(resolve(file, '..'), other)}`
  throw loadError(use, `there is no file ${file}.${shown === undefined ? '' : ` There is ${shown} beside it.`}`)
}

function loadPackage(use: string, configDir: string): Promise<PluginSpec> {
  let url: string
  try {
    url = resolvePackage(use, configDir)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw loadError(use, message, error)
    const bundled = bundledPlugins()
    const hint = isFile(join(configDir, use))
      ? ` There is such a file: write ./${use}.`
      : didYouMean(use, bundled) || ` Bundled: ${bundled.join(', ') || 'none'}.`
    throw loadError(use, `neither a bundled plugin nor a package installed for ${configDir}.${hint}`, error)
  }
  if (!url.startsWith('file:')) throw loadError(use, 'part of Node.js, not a plugin')
  return importPackaged(use, fileURLToPath(url))
}

async function importPackaged(use: string, file: string): Promise<PluginSpec> {
  const { href } = pathToFileURL(file)
  const spec = await importDefault(use, file, () => import(href))
  if (packaged.has(spec)) return spec
  const manifest = findPackageJSON(href)
  const version = manifest && (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: unknown }).version
  if (typeof version === 'string') packaged.set(spec, version)
  return spec
}

async function importDefault(
  use: string,
  file: string,
  importer: (file: string) => Promise<unknown>,
): Promise<PluginSpec> {
  let module: { default?: unknown }
  try {
    module = (await withDeadline(importer(file))) as { default?: unknown }
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw loadError(use, `${file} failed to load: ${why}${await mistakeInModule(error)}${typeHint(why, file)}`, error)
  }
  if (module.default === undefined) {
    const names = Object.keys(module).filter((name) => name !== 'module.exports')
    const found = names.length === 0 ? '' : ` It exports ${names.join(', ')}.`
    throw contractError(use, `${file} has no default export: write \`export default definePlugin({ … })\`.${found}`)
  }
  const spec = checked(use, module.default, `${file}: `)
  if (!isBundled(use)) own.set(spec, `'${spec.name}' (${file})`)
  return spec
}

/** Types are removed without a look at them, so an import without `type` asks for a value. */
function typeHint(why: string, file: string): string {
  const [, name] = (/\.[cm]?ts$/.test(file) && /does not provide an export named '(\w+)'/.exec(why)) || []
  return name === undefined ? '' : `. If ${name} is a type, write: import { type ${name} }`
}

/** @throws GatewayError GW_PLUGIN_CONTRACT unless `spec` is a plugin */
export function checked(use: string, spec: unknown, where = ''): PluginSpec {
  try {
    assertPluginSpec(spec)
    return spec
  } catch (error) {
    throw contractError(use, `${where}${(error as Error).message}`, error)
  }
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `took longer than ${LOAD_DEADLINE / 1000} s to load; does it await something at its top level?`
    timer = setTimeout(() => reject(new Error(message)), LOAD_DEADLINE)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** Paths and scoped packages have digits and dots, so not only words are shown. */
const shown = (use: string): string => (/^[@./]/.test(use) && !mayBeSecret(use) ? JSON.stringify(use) : quotedWord(use))

function loadError(use: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError('GW_PLUGIN_LOAD', `${shown(use)}: ${message}`, { cause })
}

function contractError(use: string, message: string, cause?: unknown): GatewayError {
  return new GatewayError('GW_PLUGIN_CONTRACT', `${shown(use)}: ${message}`, { cause })
}
