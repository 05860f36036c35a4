/** No regular expression of the product takes time without end on some text. */
import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { describe, it } from 'node:test'
import { Linter } from 'eslint'
import regexp from 'eslint-plugin-regexp'
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

/** What is wrong with the expressions of a file, a line for each. */
const faults = (path: string, code: string): string[] =>
  linter.verify(code, CONFIG).map(({ line, message }) => `${path}:${line}: ${message}`)

describe('regular expressions', () => {
  it('finds one that can read a text in two ways', () => {
    for (const expression of ['/^(?:a+)+$/', '/^(?:[A-Z]?[a-z]+)*$/i', '/^(?:-(?:[a-z]{1,24}|[a-z0-9]{1,5}))*$/'])
      assert.equal(faults('one.ts', `export const one = ${expression}`).length, 1, expression)
    assert.deepEqual(faults('one.ts', 'export const one = /^(?:[A-Z][a-z]+)*$/'), [])
  })

  it('has none in core and plugins', () => {
    const wrong = sources(['core', 'plugins'], /\.ts$/).flatMap(({ path, text }) =>
      faults(path, stripTypeScriptTypes(text)),
    )
    assert.deepEqual(wrong, [])
  })
})
