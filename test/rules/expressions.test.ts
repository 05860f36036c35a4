/** No regular expression of the product takes time without end on some text. */
import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Linter } from 'eslint'
import regexp from 'eslint-plugin-regexp'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { type Built, builtWhile } from './built-expressions.ts'
import { SoundCode } from './sound-code.ts'
import { sources } from './sources.ts'

/** Repeats whose parts can exchange characters, and alternatives that take the same text. */
const CONFIG: Linter.Config = {
  plugins: { regexp },
  rules: {
    'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
    'regexp/no-dupe-disjunctions': ['error', { reportExponentialBacktracking: 'potential' }],
  },
}
const linter = new Linter()
const sound = new SoundCode(JSON.stringify([Linter.version, regexp.meta, CONFIG.rules]))
after(() => sound.keep())

/** What is wrong with the expressions of some code. */
function verify(code: string, config: Linter.Config): Linter.LintMessage[] {
  const by = JSON.stringify(config.rules)
  if (sound.has(by, code)) return []
  const messages = linter.verify(code, config)
  if (messages.length === 0) sound.add(by, code)
  return messages
}

/** What is wrong with the expressions of a file, a line for each. */
const faults = (path: string, code: string): string[] =>
  verify(code, CONFIG).map(({ line, message }) => `${path}:${line}: ${message}`)

/** A repeated group. In no other do alternatives that take the same text cost more than one reading each. */
const REPEATED = /\)(?:[*+]|\{\d+(?:,\d*)?\})/

/** The same of expressions that were built, without the search for such alternatives where they do no harm. */
function builtFaults(built: readonly Built[]): string[] {
  const { 'regexp/no-dupe-disjunctions': _, ...fewer } = CONFIG.rules!
  const groups = Object.groupBy(built, ({ literal }) => (REPEATED.test(literal) ? 'all' : 'fewer'))
  return [
    { of: groups.all ?? [], config: CONFIG },
    { of: groups.fewer ?? [], config: { ...CONFIG, rules: fewer } },
  ].flatMap(({ of, config }) =>
    verify(of.map(({ literal }) => `void ${literal}`).join('\n'), config).map(
      ({ line, message }) => `${of[line - 1]!.place}: ${message.slice(0, 200)}`,
    ),
  )
}

/** Lines of a comment alone. */
const COMMENTS = /^\s*(?:\/\/|\/?\*).*$/gm
/**
 * A slash that may begin a literal: behind a sign, a keyword or nothing. Behind a word, a bracket or a quotation mark it divides or
 * stands in a text.
 */
const LITERAL =
  /(?:^|[^\w\s)\]'"`$./*]|\b(?:await|case|delete|do|else|in|instanceof|new|of|return|throw|typeof|void|yield))\s*\/(?![/*])/m
const mayHaveLiteral = (text: string): boolean => LITERAL.test(text.replace(COMMENTS, ''))

const FOLDERS = ['core', 'plugins']
const files = sources(FOLDERS, /\.ts$/)
/** Its expression is that of the model's maker, as tokens are what it says. Nothing that must follow can fail in it. */
const FOREIGN = 'plugins/budget/vocabulary.ts'
const building = files.filter(({ path, text }) => path !== FOREIGN && /\bRegExp\(/.test(text))
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(join(PACKAGE_ROOT, path)).href)) as T

/** Loads what builds expressions, creates every plugin as `config/full.yaml` has it, and uses what builds them late. */
async function buildAll(): Promise<void> {
  for (const { path } of building) await load(path)
  const { bundledPlugins, loadPlugin } = await import('../../core/engine/host/loader.ts')
  for (const name of bundledPlugins()) await loadPlugin(name, PACKAGE_ROOT)
  const { loadConfig } = await import('../../core/gateway/config/load.ts')
  const { validatePlugins } = await import('../../core/gateway/validate-plugins.ts')
  const { rehearse } = await import('../../core/gateway/rehearsal.ts')
  const env = { SERVICE_SECRET: 's'.repeat(32), OPENAI_API_KEY: 'none' }
  const config = loadConfig(join(PACKAGE_ROOT, 'config/full.yaml'), env)
  const { plugins, problems } = await validatePlugins(config, PACKAGE_ROOT, undefined, env)
  assert.deepEqual([...problems, ...(await rehearse(config, plugins, PACKAGE_ROOT, true))], [])
  const { isNational } = await import('../../plugins/pii/detectors/phone-plan.ts')
  const { default: metadata } = await import('libphonenumber-js/metadata.min')
  for (const country of Object.keys(metadata.countries)) isNational('1', country as Parameters<typeof isNational>[1])
  const { Scanner } = await import('../../plugins/pii/engine/scanner.ts')
  const { DETECTORS } = await import('../../plugins/pii/detectors/index.ts')
  new Scanner(DETECTORS).scan('', 0, true)
  const { matchTable } = await import('../../plugins/secrets/tables.ts')
  for (const head of [
    'name,password',
    'name\tpassword',
    '| name | password\n|---|---',
    'copy users (name, password) from stdin;',
  ]) {
    const at = head.indexOf('password')
    matchTable(`${head}\n`, at, at + 'password'.length, 3, true)
  }
}

describe('regular expressions', () => {
  it('finds one that can read a text in two ways', () => {
    for (const expression of ['/^(?:a+)+$/', '/^(?:[A-Z]?[a-z]+)*$/i', '/^(?:-(?:[a-z]{1,24}|[a-z0-9]{1,5}))*$/'])
      assert.equal(faults('one.ts', `export const one = ${expression}`).length, 1, expression)
    assert.deepEqual(faults('one.ts', 'export const one = /^(?:[A-Z][a-z]+)*$/'), [])
  })

  it('has none in core and plugins', () => {
    const some = files.filter(({ text }) => mayHaveLiteral(text))
    assert.ok(some.length > 200 && some.length < files.length, String(some.length))
    assert.deepEqual(
      some.flatMap(({ path, text }) => faults(path, stripTypeScriptTypes(text))),
      [],
    )
  })

  it('looks into a file wherever a literal may stand', () => {
    for (const code of [
      'const a = /x/',
      'a.b(\n  /x/)',
      '  /x/.test(a)',
      '[/x/, 1]',
      'if (!/x/.test(a)) b()',
      'return /x/',
    ])
      assert.ok(mayHaveLiteral(code), code)
    for (const code of ['/** a/b */', '  // [/x/]', 'a / b', '(a + b) / 2', "import a from './a.ts'", "b('/v1/a')"])
      assert.ok(!mayHaveLiteral(code), code)
  })

  it('finds one that is built from parts', async () => {
    const built = await builtWhile(['test'], async () => {
      for (const part of ['a+', 'a', '[A-Z]?[a-z]+']) new RegExp(`^(?:${part})+$`, 'g')
    })
    assert.deepEqual(
      builtFaults(built).map((fault) => fault.replace(/: .*/s, '')),
      [built[0]!.place, built[2]!.place],
    )
  })

  it('has none that core and plugins build', async () => {
    const built = await builtWhile(FOLDERS, buildAll)
    const known = new Set(built.map(({ place }) => place))
    const places = building.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => (/\bRegExp\(/.test(line) ? [`${path}:${i + 1}`] : [])),
    )
    const unknown = places.filter((place) => !known.has(place))
    assert.deepEqual(unknown, [], 'build them in buildAll')
    assert.deepEqual(builtFaults(built.filter(({ place }) => places.includes(place))), [])
  })
})
