/** Some providers send events without data as keep-alives. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NumbersAsText } from '../../../../core/engine/dialects/numbers-as-text.ts'
import { delta } from '../../../../core/testing/provider.ts'
import { streamOf, word } from '../../../helpers/core.ts'
import { finish } from './deltas.ts'

describe('events without data', () => {
  for (const [name, plugins] of [
    ['inspected', [word('secret')]],
    ['not inspected', []],
  ] as const)
    it(`do not reach the client: ${name}`, async () => {
      const rig = await streamOf(plugins)
      for (const empty of ['data:\n\n', 'data: \n\n', 'data:\ndata:\n\n', 'data:\t\n\n']) rig.feed(empty)
      rig
        .say(delta({ content: 'Hello' }))
        .feed('data:\n\n')
        .say(finish(), '[DONE]')
      await rig.over
      assert.equal(rig.text(), 'Hello')
      assert.ok(rig.done)
    })

  it('are not parsed, since an exception costs a hundred times the rest', (t) => {
    const parse = t.mock.method(JSON, 'parse')
    const events = new NumbersAsText()
    for (const empty of ['', ' ', '\n\t\r ']) assert.equal(events.read(empty), undefined)
    assert.equal(parse.mock.callCount(), 0)
    assert.deepEqual(events.read(' {"a":1}'), { a: 1 })
  })
})
