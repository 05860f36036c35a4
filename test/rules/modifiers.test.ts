/**
 * No native regular expression has modifiers, such as `(?i:…)`: Node 22 does not know them, and V8 forgets them in the last
 * alternative of a group once a process has compiled many expressions, or in a very long one.
 */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sources } from './sources.ts'

const MODIFIER = /\(\?-?[ims]+(?:-[ims]+)?:/
/** `pii` has an engine of its own, which reads `(?i:…)`: files that make no expression of Node may have it. */
const OWN_ENGINE = /^plugins\/pii\//
const MAKES = /\bRegExp\(/

it('no regular expression of Node has modifiers', () => {
  const found = sources(['core', 'plugins'], /\.[jt]s$/).flatMap(({ path, text }) =>
    OWN_ENGINE.test(path) && !MAKES.test(text)
      ? []
      : text.split('\n').flatMap((line, i) => (MODIFIER.test(line) ? [`${path}:${i + 1}`] : [])),
  )
  assert.deepEqual(found, [])
})
