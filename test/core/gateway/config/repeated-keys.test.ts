/** The same keys are found as by the YAML parser's own search, which compares each key with all before it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LineCounter, parseDocument } from 'yaml'
import { parseYaml } from '../../../../core/gateway/config/yaml.ts'

const TEXTS = [
  'a: 1\nb: 2\na: 3\n',
  'a: 1\n"a": 2\n\'a\': 3\n',
  'x: { a: 1, b: 2, a: 3 }\n',
  'x:\n  - a: 1\n    a: 2\n  - a: 3\n',
  '1: a\n1.0: b\n"1": c\n',
  '? a\n: 1\n? a\n: 2\n',
  'null: 1\n~: 2\n"": 3\n',
  'base: &b { k: 1 }\none: { <<: *b, k: 2 }\ntwo: { <<: *b, <<: *b }\n',
  'x: &n a\n*n : 1\n*n : 2\n',
  '&one a: 1\n!!str a: 2\n',
  'a: 1\nb: [1,\na: 2\n',
  'a:\n  b: 1\n  b: 2\na:\n  b: 3\n',
]

describe('keys of a map that are there twice', () => {
  for (const text of TEXTS) {
    it(JSON.stringify(text), () => {
      const lines = new LineCounter()
      const expected = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true })
        .errors.filter(({ code }) => code === 'DUPLICATE_KEY')
        .map(({ pos }) => lines.linePos(pos[0]).line)
      const told = parseYaml(text)
        .problems.filter(({ message }) =>
          / is twice in the same map, first in line \d+\. Keep one of them$/.test(message),
        )
        .map(({ line }) => line as number)
      assert.deepEqual(
        told.toSorted((a, b) => a - b),
        expected.toSorted((a, b) => a - b),
      )
    })
  }
})
