/** The old names of what a plugin keeps back mean what the new ones mean. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Late, Stage } from 'governed-gateway'
import { assertPluginSpec } from '../../../../core/engine/host/loader-contract.ts'
import { chunk } from '../../../../core/testing/provider.ts'
import { type Plugin, spec, streamOf } from '../../../helpers/core.ts'

const say = (content: string) => chunk([{ index: 0, delta: { content }, finish_reason: null }])
const detect = () => {}

/** What has left, after each of these pieces. */
async function released(plugin: Plugin): Promise<string[]> {
  const rig = await streamOf([plugin])
  return ['0123456789', 'abcdef'.repeat(60)].map((piece) => rig.say(say(piece)).text())
}

describe('names that changed', () => {
  it('holdBack is lookbehind', async () => {
    for (const lookbehind of [0, 4, 40]) {
      assert.deepEqual(await released({ detect, holdBack: lookbehind }), await released({ detect, lookbehind }))
    }
    assert.notDeepEqual(await released({ detect, holdBack: 0 }), await released({ detect, holdBack: 40 }))
  })

  it('maxHold is maxBuffered', async () => {
    const holds: Plugin['detect'] = (view) => view.hold(0)
    const blocked = async (more: Plugin) => {
      const rig = await streamOf([{ detect: holds, lookbehind: 0, ...more }])
      return rig.say(say('0123456789')).response.status
    }
    assert.deepEqual([await blocked({ maxHold: 9 }), await blocked({ maxBuffered: 9 })], [403, 403])
    assert.deepEqual([await blocked({ maxHold: 10 }), await blocked({ maxBuffered: 10 })], [0, 0])
  })

  it('Late is Stage.Final', () => {
    assert.equal(Late, Stage.Final)
  })

  it('both names of one thing are an error', () => {
    const both = (more: Plugin) => () => assertPluginSpec(spec({ detect, ...more }, 'p'))
    assert.throws(both({ holdBack: 1, lookbehind: 1 }), /`holdBack` is the old name of `lookbehind`: give one of them/)
    assert.throws(both({ maxHold: 1, maxBuffered: 1 }), /`maxHold` is the old name of `maxBuffered`: give one of them/)
    assert.doesNotThrow(both({ holdBack: 1, maxHold: 1 }))
    assert.throws(both({ holdBack: -1 }), /`holdBack` must be/)
  })
})
