/**
 * Custom plugins live in any folder and import from 'governed-gateway'. In this process that name always means this
 * package, whatever is installed near the plugin.
 */
import { readFileSync, statSync } from 'node:fs'
import { createRequire, type LoadHookSync, type ResolveHookSync, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { codeUrl } from '../util/package.ts'

const SELF: ReadonlyMap<string, string> = new Map([
  ['governed-gateway', codeUrl('core/index').href],
  ['governed-gateway/kit', codeUrl('core/kit/index').href],
  ['governed-gateway/testing', codeUrl('core/testing/index').href],
])
/** Marks modules of custom plugins; a new version gets a new URL and so fresh code. */
const MARK = 'gateway-plugin'
const PACKAGE = 'gateway-package:'

interface Module {
  version: number
  stamp: string
  /** Imported files and their versions. */
  readonly imports: Map<string, number>
}

const require = createRequire(import.meta.url)
const modules = new Map<string, Module>()
let installed = false

export function installHooks(): void {
  if (installed) return
  installed = true
  registerHooks({ resolve, load })
}

/**
 * Imports a file that may be edited. Unchanged code gives the same module; if the file or one of its imports changed,
 * loads new code. Changes below `node_modules` need a restart. Files required by a CommonJS file are read again only if
 * that file changes.
 */
export async function importFile(file: string): Promise<unknown> {
  installHooks()
  const version = refresh(file, new Set())
  try {
    return (await import(marked(file, version))) as unknown
  } catch (error) {
    const known = modules.get(file)
    if (known !== undefined) known.version++ // Node caches failed modules permanently: the next try needs a new name.
    throw error
  }
}

/** The URL of a package as resolved from `folder`. Throws `ERR_MODULE_NOT_FOUND`. */
export function resolvePackage(name: string, folder: string): string {
  installHooks()
  return import.meta.resolve(PACKAGE + encodeURIComponent(JSON.stringify([name, folder])))
}

const resolve: ResolveHookSync = (specifier, context, next) => {
  const self = SELF.get(specifier)
  if (self !== undefined) return { url: self, shortCircuit: true }
  if (specifier.startsWith(PACKAGE)) {
    const [name, folder] = JSON.parse(decodeURIComponent(specifier.slice(PACKAGE.length))) as [string, string]
    return next(name, { ...context, parentURL: pathToFileURL(`${folder}/config.js`).href })
  }
  if (isMarked(specifier)) return { url: specifier, shortCircuit: true }
  const { parentURL } = context
  if (parentURL === undefined || !isMarked(parentURL) || !/^\.{1,2}\/.*\.[cm]?[jt]s$/.test(specifier)) {
    return next(specifier, context)
  }
  const file = fileURLToPath(new URL(specifier, parentURL))
  if (stampOf(file) === '' || file.includes('/node_modules/')) return next(specifier, context)
  const version = refresh(file, new Set())
  modules.get(fileURLToPath(parentURL))?.imports.set(file, version)
  return { url: marked(file, version), shortCircuit: true }
}

let last: string | undefined

/** The file that was read last: the one at fault when the syntax of an ES module is wrong. */
export const lastLoaded = (): string | undefined => last

const load: LoadHookSync = (url, context, next) => {
  last = url.startsWith('file:') ? fileURLToPath(url) : undefined
  if (!isMarked(url)) return next(url, context)
  const file = fileURLToPath(url)
  const source = readFileSync(file, 'utf8')
  return { format: formatOf(file, source), source, shortCircuit: true }
}

/** Whether a module is of a custom plugin. */
export const isMarked = (url: string): boolean => url.startsWith('file:') && url.includes(`?${MARK}=`)
const marked = (file: string, version: number): string => `${pathToFileURL(file).href}?${MARK}=${version}`

/** The current version of a file; increased if it, or anything it imports, changed since it was loaded. */
function refresh(file: string, visiting: Set<string>): number {
  const stamp = stampOf(file)
  const known = modules.get(file)
  if (known === undefined) {
    modules.set(file, { version: 1, stamp, imports: new Map() })
    return 1
  }
  if (visiting.has(file)) return known.version
  visiting.add(file)
  let changed = stamp !== known.stamp
  for (const [imported, version] of known.imports) if (refresh(imported, visiting) !== version) changed = true
  if (changed) {
    known.version++
    known.stamp = stamp
    known.imports.clear()
    forgetCommonJs(file)
  }
  return known.version
}

/** CommonJS caches modules by file name, ignoring the URL. */
function forgetCommonJs(file: string): void {
  const module = require.cache[file]
  if (module === undefined || file.includes('/node_modules/')) return
  delete require.cache[file]
  for (const child of module.children) forgetCommonJs(child.filename)
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat?.isFile() ? `${stat.mtimeNs} ${stat.size} ${stat.ino}` : ''
}

/** Like Node, except that `.ts` is always an ES module. */
function formatOf(file: string, source: string): string {
  if (/\.m?ts$/.test(file)) return 'module-typescript'
  if (file.endsWith('.cts')) return 'commonjs-typescript'
  if (file.endsWith('.mjs')) return 'module'
  if (file.endsWith('.cjs')) return 'commonjs'
  const type = packageType(dirname(file))
  if (type === 'module' || type === 'commonjs') return type
  return /^\s*(?:import\s*[\w{*"']|export\s)/m.test(source) ? 'module' : 'commonjs'
}

/** `type` of the nearest package.json at or above a folder. */
function packageType(folder: string): string | undefined {
  const manifest = join(folder, 'package.json')
  if (stampOf(manifest) !== '') return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }).type
  const parent = dirname(folder)
  return parent === folder ? undefined : packageType(parent)
}
