/** Members of texts in which a provider says numbers: clients join them, as `'' + 4556 + 7375`. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../../../core/engine/contract/plugin.ts'
import type { JsonObject } from '../../../../../core/engine/json/strict.ts'
import { delta } from '../../../../../core/testing/provider.ts'
import { streamOf, word } from '../../../../helpers/core.ts'
import { finish } from '../../relay/deltas.ts'

const MEMBERS: Readonly<Record<string, (value: Json) => JsonObject>> = {
  content: (value) => ({ content: value }),
  refusal: (value) => ({ refusal: value }),
  reasoning: (value) => ({ reasoning: value }),
  'arguments of a function': (value) => ({ tool_calls: [{ index: 0, function: { arguments: value } }] }),
  'name of a function': (value) => ({ tool_calls: [{ index: 0, function: { name: value } }] }),
  'input of a custom tool': (value) => ({ tool_calls: [{ index: 0, type: 'custom', custom: { input: value } }] }),
  'arguments of the older form': (value) => ({ function_call: { arguments: value } }),
  'a transcript': (value) => ({ audio: { transcript: value } }),
  'details of reasoning': (value) => ({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: value }] }),
}

describe('numbers that clients join to a text', () => {
  for (const [member, said] of Object.entries(MEMBERS)) {
    for (const [how, values] of [
      ['numbers alone', [4556, 7375, 8689]],
      ['numbers behind an empty text', ['', 4556, 7375, 8689]],
      ['a text behind numbers', [4556, 7375, '8689']],
    ] as const) {
      it(`are inspected in ${member}: ${how}`, async () => {
        const rig = await streamOf([word('455673758689', 'block')])
        for (const value of values) rig.say(delta(said(value)))
        rig.say(finish(), '[DONE]')
        assert.match(rig.response.body, /policy_block|"blocked":true/)
        assert.doesNotMatch(rig.response.body, /[:"]8689/)
      })
    }
    it(`leave as they came in ${member} if nothing is found in them`, async () => {
      const rig = await streamOf([word('secret', 'block')])
      for (const value of [4556, 7375]) rig.say(delta(said(value)))
      rig.say(finish(), '[DONE]')
      assert.match(rig.response.body, /[:[]4556[,}\]].*[:[]7375[,}\]]/s)
    })
  }
})
