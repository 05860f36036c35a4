/**
 * Makes `dist/`: what an installed package runs, and a clone that was not edited since. A start from it needs a third less
 * CPU than one from some 500 source files. Packages stay outside; plugins stay apart, so that each loads by itself.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const OUT = 'dist'
const ENTRIES = ['core/index.ts', 'core/kit/index.ts', 'core/testing/index.ts', 'core/gateway/cli/cli.ts']
/** Loaded by URL, not by an import; also `thread.ts` of a plugin. */
const THREADS = ['core/engine/host/watchdog-thread.ts', 'core/services/store/embedded/thread.ts']
/** Runs here, once. */
const AHEAD = 'core/gateway/build-ahead.ts'

const { build, transform } = await import('esbuild').catch(() => {
  process.stdout.write('core/build.js: esbuild is not installed, so the gateway runs from its sources.\n')
  process.exit(0)
})
const plugins = readdirSync(join(ROOT, 'plugins'))
const ownThreads = plugins.map((name) => `plugins/${name}/thread.ts`).filter((file) => existsSync(join(ROOT, file)))

rmSync(join(ROOT, OUT), { recursive: true, force: true })
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: [...ENTRIES, ...THREADS, ...ownThreads, AHEAD, ...plugins.map((name) => `plugins/${name}/index.ts`)],
  outdir: OUT,
  outbase: '.',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  packages: 'external',
  // Plugins share their modules with the core by chunks, so that none of their imports needs the hooks of custom plugins.
  alias: {
    'governed-gateway': './core/index.ts',
    'governed-gateway/kit': './core/kit/index.ts',
    'governed-gateway/testing': './core/testing/index.ts',
  },
  // Keeps names and moderate line lengths, so that stack traces identify functions and places.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  metafile: true,
  logLevel: 'warning',
})
const sources = Object.keys(metafile.inputs).map((file) => {
  const { size, mtimeMs } = statSync(join(ROOT, file))
  return [file, size, mtimeMs]
})
writeFileSync(join(ROOT, OUT, 'sources.json'), JSON.stringify({ plugins: plugins.length, sources }))
const { buildAhead } = await import(pathToFileURL(join(ROOT, OUT, 'core/gateway/build-ahead.js')).href)
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
