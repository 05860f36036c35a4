import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { it } from 'node:test'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { importsOf, sources } from './sources.ts'

const core = sources(['core'], /\.(ts|js)$/)
/** Without what makes `dist` and what starts it. */
const running = core.filter(({ path }) => path !== 'core/build.js' && path !== 'core/bin.js')
const plugins = sources(['plugins'], /\.ts$/)
const manifest = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** Path in the package that a relative import leads to. */
const target = (path: string, specifier: string): string => normalize(join(dirname(path), specifier))
const isRelative = (specifier: string): boolean => specifier.startsWith('.')

function broken(files: typeof core, rule: (path: string, specifier: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => rule(file.path, specifier))
      .map((specifier) => `${file.path} imports ${specifier}`),
  )
}

it('finds the imports it judges', () => {
  const text = `import { a,\n  b } from './x.ts'\nexport * from "y"\nimport 'z'\n// import 'no'\nconst m = await import('./w.ts')\n`
  assert.deepEqual(importsOf({ path: '', text }), ['./x.ts', 'y', 'z', './w.ts'])
  assert.ok(core.length > 30)
})

it('the core never imports plugins, nor itself by name', () => {
  const rule = (path: string, specifier: string) =>
    /^governed-gateway(\/|$)/.test(specifier) ||
    (isRelative(specifier) && target(path, specifier).startsWith('plugins'))
  assert.deepEqual(broken(core, rule), [])
  const knowing = running.filter(({ text }) => /\.\.\/plugins\/|_ROOT, 'plugins'/.test(text)).map(({ path }) => path)
  assert.deepEqual(knowing, ['core/engine/host/loader.ts'], 'only the loader knows the plugins folder')
})

it('a plugin imports the package by name and stays in its folder, so that a copy of it works anywhere', () => {
  const rule = (path: string, specifier: string) => {
    const [, folder] = path.split('/')
    return isRelative(specifier) && !target(path, specifier).startsWith(`plugins/${folder}/`)
  }
  assert.deepEqual(broken(plugins, rule), [])
  assert.deepEqual(
    broken(plugins, (_, specifier) => specifier.startsWith('governed-gateway/') && !/\/(kit|testing)$/.test(specifier)),
    [],
  )
})

it('relative imports name their file with its extension', () => {
  // A clone may be without `dist/`, which `core/build.js` makes.
  const rule = (path: string, specifier: string) =>
    isRelative(specifier) &&
    !target(path, specifier).startsWith('dist/') &&
    !existsSync(join(PACKAGE_ROOT, target(path, specifier)))
  assert.deepEqual(broken([...core, ...plugins], rule), [])
})

it('what runs in production imports only dependencies', () => {
  const known = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies ?? {})])
  const rule = (_: string, specifier: string) => {
    if (isRelative(specifier) || /^governed-gateway(\/|$)/.test(specifier)) return false
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    return (
      !known.has(name) && !(specifier.startsWith('node:') && builtinModules.includes(specifier.slice(5).split('/')[0]!))
    )
  }
  const optional = new Set(['@redis/client']) // Imported lazily, by the store that needs it.
  const found = broken([...running, ...plugins], (path, specifier) => !optional.has(specifier) && rule(path, specifier))
  assert.deepEqual(
    found.filter((line) => !line.includes(' imports node:sqlite')),
    [],
  )
})

it('folders are made by makeFolder, which returns on every file system', () => {
  const makers = [...core, ...plugins].filter(({ text }) => /\bmkdir(?:Sync)?\(/.test(text)).map(({ path }) => path)
  assert.deepEqual(makers, ['core/build.js', 'core/engine/util/make-folder.ts'])
})
