/** What a model reads of a request is collected alike from all shapes of conversations. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../../../core/engine/contract/plugin.ts'
import type { Dialect } from '../../../../core/engine/dialects/dialect.ts'
import { DIALECTS } from '../../../../core/engine/dialects/index.ts'
import { PromptReader } from '../../../../core/engine/dialects/prompt-reader.ts'
import type { JsonObject } from '../../../../core/engine/json/strict.ts'

const TOOL = { name: 'look_up', description: 'Looks it up.' }
const DATA = 'QUJD'.repeat(400)
/** A system prompt, a question, a tool, and members that no shape knows. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  'chat-completions': {
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Where is it?' }] },
    ],
  },
  responses: {
    instructions: 'Be kind.',
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Where is it?' }] }],
  },
  messages: { system: 'Be kind.', messages: [{ role: 'user', content: [{ type: 'text', text: 'Where is it?' }] }] },
}

const named = (name: string): Dialect => {
  const found = DIALECTS.find((dialect) => dialect.name === name)
  assert.ok(found)
  return found
}

describe('the prompt of a request', () => {
  for (const [name, body] of Object.entries(BODIES)) {
    it(`has the texts, tools and unknown members of ${name}; data is a file and no text`, () => {
      const more = { tools: [TOOL], documents: [{ title: 'A page', bytes: DATA }], blob: DATA }
      const { texts, media, tools } = named(name).promptOf({ model: 'm', ...body, ...more })
      const documents = JSON.stringify([{ title: 'A page', bytes: '' }])
      assert.deepEqual(texts, ['Be kind.', 'Where is it?', JSON.stringify(TOOL), documents])
      assert.deepEqual(media, [
        { kind: 'file', data: DATA },
        { kind: 'file', data: DATA },
      ])
      assert.equal(tools, 1)
    })
  }
})

describe('members that no shape knows', () => {
  /** Strings around the length from which one may be data: base64 or not, with quotes and backslashes, and `data:` URLs. */
  const long = fc
    .tuple(
      fc.constantFrom('', 'data:image/png;base64,', 'data:"\\\\";base64,', 'data:a,'),
      fc.constantFrom('QUJD', 'a b', '"', '\\', 'é', 'x,'),
      fc.constantFrom(255, 256, 257, 400),
      fc.constantFrom('', ' ', '"', '='),
    )
    .map(([head, unit, count, end]) => head + unit.repeat(count) + end)
  const text = fc.oneof({ weight: 3, arbitrary: long }, fc.string())
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }))

  it('are read as their JSON, in which data is empty and a file of its own', () => {
    const isData = (one: string) =>
      one.length > 1024 && /^(data:[^,]{0,200};base64,)?[\w+/=-]{512}/.test(one) && !/\s/.test(one)
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (member) => {
        const files: string[] = []
        const expected = JSON.stringify(member, (_name, inner: Json) => {
          if (typeof inner !== 'string' || !isData(inner)) return inner
          files.push(inner)
          return ''
        })
        const prompt = new PromptReader()
        prompt.addOthers({ member }, new Set())
        assert.deepEqual(prompt.texts, [expected])
        assert.deepEqual(
          prompt.media.map(({ data }) => data),
          files,
        )
      }),
    )
  })
})
