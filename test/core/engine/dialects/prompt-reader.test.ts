/** What a model reads of a request is collected alike from all shapes of conversations. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Dialect } from '../../../../core/engine/dialects/dialect.ts'
import { DIALECTS } from '../../../../core/engine/dialects/index.ts'
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
