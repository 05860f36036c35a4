import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readRequest } from '../../../../../core/engine/dialects/chat-completions/request.ts'
import { requestFields } from '../../../../../core/engine/dialects/chat-completions/request-fields.ts'
import { originOf } from '../../../../../core/engine/dialects/place.ts'

it('the place of a text is told without the names that callers choose', () => {
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'f', arguments: '{"password":"x","list":[{"jo@x.org":"y"}]}' },
  }
  const body = {
    model: 'm',
    messages: [{ role: 'assistant', content: null, tool_calls: [call] }],
    metadata: { 'jo@x.org': 'z' },
  }
  const { fields } = requestFields(readRequest(Buffer.from(JSON.stringify(body))))
  const call0 = 'messages[0].tool_calls[0].function'
  assert.deepEqual(
    fields.map((field) => [field.text, originOf(field).path, originOf(field).member]),
    [
      ['f', `${call0}.name`, 'name'],
      ['password', `${call0}.arguments.*`, undefined],
      ['x', `${call0}.arguments.*`, 'password'],
      ['list', `${call0}.arguments.*`, undefined],
      ['jo@x.org', `${call0}.arguments.*[0].*`, undefined],
      ['y', `${call0}.arguments.*[0].*`, 'jo@x.org'],
      ['jo@x.org', 'metadata.*', undefined],
      ['z', 'metadata.*', 'jo@x.org'],
    ],
  )
})
