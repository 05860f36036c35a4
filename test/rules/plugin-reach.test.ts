import assert from 'node:assert/strict'
import { it } from 'node:test'
import { bundledSpecs } from '../../core/engine/host/loader.ts'
import { type Source, sources } from './sources.ts'

const plugins = sources(['plugins'], /\.ts$/)

/** Without comments. */
const codeOf = ({ text }: Source): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

const found = (files: readonly Source[], pattern: RegExp): string[] =>
  files.filter((file) => pattern.test(codeOf(file))).map(({ path }) => path)

/** The body in the API's own shape. */
const BODY = /\brequest\.json\b|\{[^{}]*\bjson\b[^{}]*\}\s*=\s*x\.request\b/
/** Members of replies, or members written as JSON. */
const REPLIES =
  /\bfinish_reason\b|\bchat\.completion\b|['"](?:choices|messages|delta|tool_calls)['"]|\.(?:delta|tool_calls)\b/

it('no plugin reads the JSON of an API: messages, prompt and answers are asked of the exchange', () => {
  // A session may be named in `metadata`, and the turn of a retry is known by the body as a whole.
  // A dry run shows admins the body as a whole.
  assert.deepEqual(found(plugins, BODY), [
    'plugins/flags/dry-run.ts',
    'plugins/sessions/identity.ts',
    'plugins/sessions/turns.ts',
  ])
  assert.deepEqual(found(plugins, REPLIES), [])
})

it('this rule sees what it forbids', () => {
  const reading = [
    'const { messages } = x.request.json',
    'const { json } = x.request',
    'const { json, model } = x.request\n',
    'f(request.json.tools)',
  ]
  for (const text of reading) assert.deepEqual(found([{ path: 'a', text }], BODY), ['a'], text)
  for (const text of ["body['choices']", 'choice.delta.content', "{ finish_reason: 'stop' }"]) {
    assert.deepEqual(found([{ path: 'a', text }], REPLIES), ['a'], text)
  }
  assert.deepEqual(found([{ path: 'a', text: 'x.request.messages.length + x.request.choices' }], BODY), [])
})

/** Names of plugins that are words of the core, too: there they mean no plugin, unless it is called one. */
const WORDS = 'flags policy sessions secrets classification injection budget keys usage console'.split(' ')
const CORE = ['core/engine', 'core/services', 'core/kit']

const specs = await bundledSpecs()
const names = specs.map(({ name }) => name)
/** `insufficient_quota` is a type of the API, too, which any verdict may have. */
const declared = new Set(
  specs.flatMap(({ events = {}, errors = {} }) => [...Object.keys(events), ...Object.keys(errors)]),
)
declared.delete('insufficient_quota')

/** What a text says of single plugins: their names, events and errors, in comments as well. */
function plugged(text: string): string[] {
  const named = names.filter((name) => {
    const word = WORDS.includes(name)
      ? `plugins? ['"\`]?${name}\\b|['"\`]${name}['"\`] plugin`
      : `(?<!x-|anthropic-)\\b${name}\\b`
    return new RegExp(word).test(text)
  })
  const told = [...declared].filter((one) => new RegExp(`\\b${one.replace('.', '\\.')}\\b`).test(text))
  return [...named, ...told]
}

it('the core knows no single plugin: neither its name, nor its events, nor its errors', () => {
  const found = sources(CORE, /\.ts$/).flatMap(({ path, text }) => plugged(text).map((what) => `${path}: ${what}`))
  assert.deepEqual(found, [])
})

it('this rule sees names, events and errors', () => {
  const text = "needs the plugin 'flags', `siem` or x-ratelimit-limit; a budget; `pii.detected`, 'budget_exceeded'"
  assert.deepEqual(plugged(text).sort(), ['budget_exceeded', 'flags', 'pii', 'pii.detected', 'siem'])
})
