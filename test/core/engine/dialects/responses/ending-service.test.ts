/** Where the gateway's member goes in the last event, whatever stands around the response. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withService } from '../../../../../core/engine/dialects/responses/ending.ts'
import { splice } from '../../../../../core/engine/json/splice.ts'

const RESPONSES = [
  '{"id":"r"}',
  '{ "id" : "r" , "output" : [ ] }',
  '{}',
  '{ }',
  '{"a":{}}',
  '{"a":{},"sequence_number":5}',
  '{"a":"}","sequence_number":5}',
  '{"a":[{"sequence_number":5}]}',
  `{"a":"${'x}'.repeat(200)}"}`,
  '{"a":"}}"}',
  '{"a":1}',
]
const EVENTS = [
  '{"type":"t","response":R}',
  '{"type":"t","response":R,"sequence_number":7}',
  '{ "type" : "t" , "response" : R , "sequence_number" : 7 }',
  '{"type":"t","response":R\t}\n',
  '{"response":R,"type":"t"}',
  '{"type":"t","response":R,"sequence_number":"7"}',
  '{"type":"t","response":R,"sequence_number":{"response":{}}}',
  '{"type":"t","response":R,"sequence\\u005fnumber":7}',
  '{"type":"t","sequence_number":7,"response":R}',
  '{"type":"t","response":R,"7":{}}',
  '{"type":"t","7":1,"response":R}',
  '{"type":"t","other":{"response":{}},"response":R}',
  `{"type":"t","response":R,"sequence_number":7${' '.repeat(200)}}`,
  '{"type":"t","response":R,"sequence_number":1234567890123456}',
]

it('stands at the end of the response', () => {
  const service = { outcome: 'completed' }
  for (const event of EVENTS) {
    for (const response of RESPONSES) {
      const payload = event.replace('R', () => response)
      const json = JSON.stringify(service)
      const expected = splice(payload, [{ kind: 'insert', path: ['response'], name: 'service', json }])
      const tree = JSON.parse(payload) as object
      const told = withService(payload, Object.keys(tree), service)
      assert.deepEqual(JSON.parse(told), JSON.parse(expected), payload)
      assert.equal(told.length, expected.length)
    }
  }
})
