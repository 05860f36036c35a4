import assert from 'node:assert/strict'
import { it } from 'node:test'
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
  assert.deepEqual(found(plugins, BODY), ['plugins/sessions/identity.ts', 'plugins/sessions/turns.ts'])
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
