/**
 * Makes `dist/`: what an installed package runs, and a clone that was not edited since. A start from it needs half the CPU of
 * one from some 500 source files. Core and plugins are one script, in which each source runs when it is first needed, so that
 * `core/script.js` can keep its compiled code. Packages stay outside.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUT = 'dist'
const ENTRIES = ['core/index.ts', 'core/kit/index.ts', 'core/testing/index.ts', 'core/gateway/cli/cli.ts']
/** Loaded by URL, not by an import: modules by themselves, as are the `thread.ts` of plugins. */
const THREADS = ['core/services/store/embedded/thread.ts']
/** Runs here, once. */
const AHEAD = 'core/gateway/build-ahead.ts'
/** The script's code has another in its place. */
const BUILT = 'core/engine/util/built.ts'

const { build, transform } = await import('esbuild').catch(() => {
  process.stdout.write('core/build.js: esbuild is not installed, so the gateway runs from its sources.\n')
  process.exit(0)
})
const plugins = readdirSync(join(ROOT, 'plugins'))
const ownThreads = plugins.map((name) => `plugins/${name}/thread.ts`).filter((file) => existsSync(join(ROOT, file)))

rmSync(join(ROOT, OUT), { recursive: true, force: true })
const options = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node22',
  packages: 'external',
  // So that no import of a plugin needs the hooks of custom ones.
  alias: {
    'governed-gateway': './core/index.ts',
    'governed-gateway/kit': './core/kit/index.ts',
    'governed-gateway/testing': './core/testing/index.ts',
  },
  // Names stay, so that a stack tells functions; lines of moderate length, so that it tells places.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 320,
  metafile: true,
  logLevel: 'warning',
}
const parts = [...ENTRIES, AHEAD, ...plugins.map((name) => `plugins/${name}/index.ts`)].map(withoutEnding)
const { metafile, outputFiles } = await build({
  ...options,
  stdin: {
    contents: `module.exports = {${parts.map((name) => `'${name}': () => require('./${name}.ts')`).join()}}`,
    resolveDir: ROOT,
  },
  format: 'cjs',
  write: false,
  plugins: [{ name: 'one-script', setup: (one) => one.onLoad({ filter: /\.ts$/ }, inScript) }],
})
const threads = await build({
  ...options,
  entryPoints: [...THREADS, ...ownThreads],
  outdir: OUT,
  outbase: '.',
  format: 'esm',
})
// The whole script is strict, and stacks tell lines instead of the names of sources.
const START_OF_SOURCE = /(?<=\b__esm\(\{)"[^"]+"\(\)\{(?:"use strict";)?/g
const script = outputFiles[0].text.replaceAll(/\bimport\(/g, 'importModule(').replaceAll(START_OF_SOURCE, '_(){')
writeFileSync(join(ROOT, OUT, 'gateway.cjs'), script)
const inputs = new Set([metafile, threads.metafile].flatMap(({ inputs: files }) => Object.keys(files)))
inputs.delete('<stdin>')
const sources = Array.from(inputs, (file) => {
  const { size, mtimeMs } = statSync(join(ROOT, file))
  return [file, size, mtimeMs]
})
writeFileSync(join(ROOT, OUT, 'sources.json'), JSON.stringify({ plugins: plugins.length, sources }))
const { part } = await import('./script.js')
for (const write of [createEntry, writeEntry]) for (const entry of ENTRIES) write(withoutEnding(entry))
const { buildAhead } = part(withoutEnding(AHEAD))
const { code, data, events } = await buildAhead(ROOT, plugins)
// Ajv writes each error as an object of its own, and how it is kept; as calls, the file is a third shorter.
const MEMBERS = ['instancePath', 'schemaPath', 'keyword', 'params', 'message', 'schema', 'parentSchema', 'data']
const VALUE = '((?:(?!instancePath[:,]).)*?)'
const VALUES = MEMBERS.slice(1, -1).map((name) => `,${name}:${VALUE}`)
const ERROR = new RegExp(`\\{instancePath(?::${VALUE})?${VALUES.join('')},data(?::(\\w+))?\\};`, 'g')
const KEPT =
  /const (err\d+) = (problem\(.*?\));if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}/g
const validators = Array.from(code, ([name, text]) => {
  const short = text.replace(ERROR, (_, path = 'instancePath', ...rest) => {
    const [at = 'data', ...others] = rest.slice(0, MEMBERS.length - 1).toReversed()
    return `problem(${[path, ...others.toReversed(), at].join(',')});`
  })
  return `"${name}": ${short.replace(KEPT, 'vErrors = kept(vErrors, $2);')}`
}).join(',\n')
const problem = `const problem = (${MEMBERS.join(', ')}) => ({ ${MEMBERS.join(', ')} })`
const kept = 'const kept = (list, one) => (list === null ? [one] : (list.push(one), list))'
const { code: minified } = await transform(`${problem}\n${kept}\nmodule.exports = {\n${validators}\n}`, {
  ...{ minify: true, target: 'node22', format: 'cjs' },
})
writeFileSync(join(ROOT, OUT, 'validators.cjs'), minified)
mkdirSync(join(ROOT, OUT, 'prebuilt'))
for (const [file, bytes] of data) writeFileSync(join(ROOT, OUT, file), bytes)
writeFileSync(join(ROOT, 'docs/events.schema.json'), JSON.stringify(events))
// `prepare` runs after `prepack`, so this is the last chance: the package has its types.
if (['pack', 'publish'].includes(process.env.npm_command ?? '')) {
  execFileSync(process.execPath, [join(ROOT, 'core/types.js')], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The file that `import.meta` names: Node looks for it, and code finds its own folder by it. */
function createEntry(name) {
  const file = join(ROOT, OUT, `${name}.js`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '// Its code is in gateway.cjs.\n')
}

/** A module with the exports of a part. */
function writeEntry(name) {
  const file = join(ROOT, OUT, `${name}.js`)
  const names = Object.keys(part(name)).filter((key) => key !== 'default')
  const path = relative(dirname(file), join(ROOT, 'core/script.js'))
  writeFileSync(file, `import { part } from '${path}'\nexport const { ${names.join(', ')} } = part('${name}')\n`)
}

/** A source as it stands in the script. */
function inScript({ path }) {
  const name = relative(ROOT, path)
  if (name.startsWith('node_modules')) return undefined
  const text = readFileSync(path, 'utf8')
  if (text.includes('import.meta')) createEntry(withoutEnding(name))
  const contents =
    name === BUILT
      ? `export const BUILT = { ...script, plugins: ${JSON.stringify(plugins)} }`
      : text.replaceAll('import.meta', `metaOf('${withoutEnding(name)}.js')`)
  return { contents, loader: 'ts' }
}

function withoutEnding(file) {
  return file.replace(/\.ts$/, '')
}
