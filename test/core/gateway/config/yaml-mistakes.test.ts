// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to the environment look like this.
/** Mistakes that people new to YAML make: each is told with line and column, and what to write instead. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, formatProblems, parseConfig } from '../../../../core/gateway/config/load.ts'

const HEAD = `upstreams: { demo: { kind: demo } }
keys: [{ id: app, key: "app-key-for-the-tour" }]
`

/** The problems of a config that begins with two good lines; `at` is what stands before the message. */
function told(text: string): string[] {
  try {
    parseConfig(HEAD + text, 'f', {})
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return formatProblems('f', error.problems).split('\n')
  }
  return []
}

const COLON = 'A text with ": " in it, or : at its end, needs quotes; a map within a map begins in a new line'
const CASES: readonly (readonly [what: string, text: string, told: string])[] = [
  [
    'an alias without its anchor',
    'plugins:\n  - { use: pii, options: *shared }\n',
    'f:4:26: YAML: there is no anchor "shared" before this alias. A text that begins with * needs quotes: "*…"',
  ],
  [
    'an alias without a name',
    'routes: [{ model: *, to: [demo] }]\n',
    'f:3:19: YAML: an alias without a name. A text that begins with * needs quotes: "*…"',
  ],
  [
    'an anchor without a value',
    'secret: &abc\n',
    'f:3:9: YAML: an anchor without a value. A text that begins with & needs quotes: "&…"',
  ],
  [
    'an anchor without a name',
    'log:\n  file: & a\n',
    'f:4:9: YAML: an anchor without a name. A text that begins with & needs quotes: "&…"',
  ],
  ['@', 'instance: @home\n', 'f:3:11: YAML: A text that begins with @ needs quotes: "@…"'],
  ['%', 'instance: %home\n', 'f:3:11: YAML: A text that begins with % needs quotes: "%…"'],
  [
    'the braces of a template',
    'secret: {{ SECRET }}\n',
    'f:3:10: YAML: {{ … }} is no reference: write ${NAME} for the environment, or put a text that begins with { in quotes',
  ],
  [
    'a list as a key',
    'instance: { [a]: b }\n',
    'f:3:13: YAML: a list or map as the name of a key. A text that begins with { or [ needs quotes',
  ],
  ['a tab', 'plugins:\n\t- use: pii\n', 'f:4:1: YAML: Tabs are not allowed as indentation. Use blanks'],
  [
    'a key twice',
    'plugins:\n  - use: pii\n    use: policy\n',
    'f:5:5: YAML: the key "use" is twice in the same map, first in line 4. Keep one of them',
  ],
  ['a colon in a text', 'secret: sk-abc: def\n', `f:3:9: YAML: a second ": " in one line. ${COLON}`],
  [
    'a colon at the end of a text in braces',
    'log: { file: sk-abc: }\n',
    `f:3:14: YAML: lines of a list or map within { … } or [ … ]. ${COLON}`,
  ],
  ['a missing quote', 'instance: "home\nlog: {}\n', 'f:3:11: YAML: the closing quote of this text is missing'],
  [
    'a text behind a quoted one',
    'instance: "home" x\n',
    'f:3:18: YAML: text behind a value that has ended. Put quotes around all of it, or is a quote missing in a line above?',
  ],
  [
    'a missing bracket',
    'plugins: [pii\nlog: {}\n',
    'f:4:1: YAML: the ] that ends a list is missing above, or needs more indentation',
  ],
  [
    'a line that belongs nowhere',
    'plugins:\n  - use: pii\n   enabled: true\n',
    'f:5:1: YAML: a line that belongs to no entry of the list. Begin it with -, or indent it like the keys of the entry above',
  ],
  [
    'an equals sign',
    'instance = x\n',
    'f:3:1: YAML: a key without a value. Write NAME: VALUE, with a blank behind the colon',
  ],
  [
    'no blank behind a colon',
    'listen:\n  port:8080\n',
    'f:3: listen: must be a map; got a string: write a blank behind the :',
  ],
  [
    'no blank behind a dash',
    'plugins:\n  -use: pii\n',
    'f:3: plugins: must be a list; got a map: write a blank behind the -',
  ],
  [
    'blanks of a page of the web',
    'listen:\n\u00a0\u00a0port: 1\n',
    'f:4:1: YAML: before this key are blanks that only look like blanks, as copied from a page. Write ordinary ones',
  ],
]

describe('a mistake in YAML', () => {
  for (const [what, text, message] of CASES) {
    it(what, () => {
      assert.ok(told(text).includes(message), told(text).join('\n'))
    })
  }

  it('tells of a tab alone, not of all that follows from it', () => {
    const entries = Array.from({ length: 20 }, (_, i) => `  - { use: pii, options: { action: redact } } # ${i}\n`).join(
      '',
    )
    const lines = told(`plugins:\n\t- use: flags\n${entries}log: { level: info }\n`)
    assert.deepEqual(lines, ['f:4:1: YAML: Tabs are not allowed as indentation. Use blanks'])
  })

  it('shows nothing of a text, which may be a secret', () => {
    const secret = 'sk-4fQ9xW2mZ7'
    for (const text of [
      `secret: *${secret}\n`,
      `secret: "a" ${secret}\n`,
      `${secret}: 1\n${secret}: 2\n`,
      `secret: ${secret}: x\n`,
    ]) {
      assert.ok(told(text).length > 0)
      assert.ok(!told(text).join().includes('4fQ9'), told(text).join())
    }
  })

  it('has the line of a key whose name is not shown', () => {
    const [line] = told('log: {}\nx4fQ9xW2mZ7a8b9c: 1\n')
    assert.match(String(line), /^f:4: has an unknown key\./)
    const [inner] = told('log:\n  level: info\n  x4fQ9xW2mZ7a8b9c: 1\n')
    assert.match(String(inner), /^f:5: log: has an unknown key\./)
  })
})

it('accepts anchors and merge keys that are meant', () => {
  const text = `plugins:
  - &one { use: pii, options: &shared { action: redact } }
  - { use: policy, enabled: false }
  - <<: *one
    enabled: false
`
  assert.deepEqual(told(text), [])
})
