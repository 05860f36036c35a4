/** Only the folder of an API shape knows its wire format; the rest of the engine goes by the interface. */
import assert from 'node:assert/strict'
import { dirname, join, normalize } from 'node:path'
import { it } from 'node:test'
import { importsOf, type Source, sources } from './sources.ts'

const files = sources(['core', 'plugins'], /\.ts$/)
const DIALECTS = 'core/engine/dialects/'
const REGISTRY = `${DIALECTS}index.ts`

/** Folder of the dialect that a file is in. */
const folderOf = (path: string): string | undefined =>
  path.startsWith(DIALECTS) && path.slice(DIALECTS.length).includes('/') ? path.split('/')[3] : undefined

/** A dialect that is made of the parts of another one. */
const BUILT_ON: Readonly<Record<string, string>> = { completions: 'chat-completions' }

const byName = (given: readonly Source[]): string[] =>
  given.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => normalize(join(dirname(file.path), specifier)))
      .filter((target) => folderOf(target) !== undefined && folderOf(target) !== folderOf(file.path))
      .filter((target) => file.path !== REGISTRY && BUILT_ON[folderOf(file.path) ?? ''] !== folderOf(target))
      .map((target) => `${file.path} -> ${target}`),
  )

const ROOMS = /^core\/engine\/(?:relay|exchange|pipeline)\//
const WORDS =
  /chat[-/ ]completions?|chat\.completion|'(?:choices|delta|messages?)'|\bchoices\[\$|\[DONE\]|\b(?:tool_calls|function_call|logprobs)\b/

const inWords = (given: readonly Source[]): string[] =>
  given.flatMap(({ path, text }) =>
    ROOMS.test(path)
      ? text.split('\n').flatMap((line, i) => (WORDS.test(line) ? [`${path}:${i + 1}${line}`] : []))
      : [],
  )

it('a dialect is imported by its own folder, by the registry and by what is built on it alone', () => {
  assert.deepEqual(byName(files), [])
})

it('relay, exchange and pipeline name no member of a wire format', () => {
  assert.deepEqual(inWords(files), [])
})

it('these rules see what they forbid', () => {
  const file = (path: string, text: string): Source => ({ path, text })
  const wrong = [
    file('core/engine/relay/a.ts', "import { x } from '../dialects/chat-completions/event.ts'\n"),
    file('core/engine/dialects/other/a.ts', "import { x } from '../chat-completions/event.ts'\nimport './b.ts'\n"),
    file('core/engine/dialects/completions/a.ts', "import { x } from '../embeddings/reply.ts'\n"),
    file('core/engine/dialects/completions/a.ts', "import { x } from '../chat-completions/event.ts'\n"),
    file('core/engine/http/a.ts', "import type { Dialect } from '../dialects/dialect.ts'\n"),
  ]
  assert.deepEqual(byName(wrong), [
    'core/engine/relay/a.ts -> core/engine/dialects/chat-completions/event.ts',
    'core/engine/dialects/other/a.ts -> core/engine/dialects/chat-completions/event.ts',
    'core/engine/dialects/completions/a.ts -> core/engine/dialects/embeddings/reply.ts',
  ])
  const spoken = ["if (path[0] === 'choices')", 'const path = `choices[$', "data === '[DONE]'", 'x.tool_calls']
  assert.equal(inWords(spoken.map((text) => file('core/engine/relay/a.ts', text))).length, spoken.length)
  assert.deepEqual(inWords([file('core/engine/relay/a.ts', 'x.request.choices')]), [])
})
