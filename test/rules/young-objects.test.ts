/** No object of a request may end up among the old objects before its time; see docs/decisions/0055-functions-that-keep-a-request.md. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Source, sources } from './sources.ts'

const EXCHANGES = ['dialects', 'events', 'exchange', 'host', 'http', 'json', 'pipeline', 'relay', 'text', 'upstreams']
const engine = sources(
  EXCHANGES.map((room) => `core/engine/${room}`),
  /\.ts$/,
)
const plugins = sources(['core/kit', 'plugins'], /\.ts$/).filter(({ path }) => !path.includes('/page/'))

/** A function that is made where it is assigned to a member. */
const ASSIGNED = /[\w)\]]\.#?\w+ = (?:async )?(?:function\b|\w+ =>|\([^()]*(?:\([^()]*\)[^()]*)*\)(?:: [^=]+)? =>)/
/** A generator function inside of another function; methods begin with their name. */
const INNER_GENERATOR = /^\s+.*\bfunction ?\*/
/** A getter inside of a function; those of classes stand at the first level. */
const INNER_GETTER = /^\s{4,}get #?\w+\(|[{,] get #?\w+\(/

const linesWith = (pattern: RegExp, given: readonly Source[]): string[] =>
  given.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}${line}`] : [])),
  )

it('what serves exchanges assigns no new function to a member', () => {
  assert.deepEqual(linesWith(ASSIGNED, engine), [])
})

it('no generator function is made anew for each call', () => {
  assert.deepEqual(linesWith(INNER_GENERATOR, [...engine, ...plugins]), [])
})

it('no getter is made anew for each object', () => {
  assert.deepEqual(linesWith(INNER_GETTER, [...engine, ...plugins]), [])
})

it('these rules see what they forbid', () => {
  const at = (line: string): Source => ({ path: 'a.ts', text: line })
  const assigned = [
    '  x.done = () => {}',
    '  this.#done = async (error) => fail(error)',
    '  this.done = function () {}',
    '  x.y.done = (a: () => void): void => a()',
    '  this.done = one => one',
  ]
  for (const line of assigned) assert.equal(linesWith(ASSIGNED, [at(line)]).length, 1, line)
  const fine = [
    '  readonly #done = (): void => {}',
    '  const done = () => {}',
    '  x.done = other',
    '  x.y = { done: () => {} }',
  ]
  for (const line of fine) assert.equal(linesWith(ASSIGNED, [at(line)]).length, 0, line)
  assert.equal(linesWith(INNER_GENERATOR, [at('  const some = function* () {')]).length, 1)
  assert.equal(linesWith(INNER_GENERATOR, [at('function* some() {')]).length, 0)
  assert.equal(linesWith(INNER_GETTER, [at('    get texts() {')]).length, 1)
  assert.equal(linesWith(INNER_GETTER, [at('  return { role, get texts() { return made().texts } }')]).length, 1)
  assert.equal(linesWith(INNER_GETTER, [at('  get texts(): readonly string[] {')]).length, 0)
})
