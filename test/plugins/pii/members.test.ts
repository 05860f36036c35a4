import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import plugin from '../../../plugins/pii/index.ts'
import { harness } from '../../helpers/detector.ts'

describe('names of members in arguments of tools', () => {
  const pii = harness(plugin as never, {}, {}, { subkey: () => Buffer.alloc(32) })
  const at = (member: string, more: object = {}) => ({ channel: 'tool_arguments' as const, member, ...more })

  it('are context of the value, whole and streamed', async () => {
    for (const [text, place] of [
      ['12.03.1985', at('date_of_birth')],
      ['12.03.1985', at('дата_рождения')],
      ['123456789', at('value', { beside: 'ssn' })],
      ['4509123456', at('number', { within: ['passport'] })],
      ['AE1234567', at('αριθμός_διαβατηρίου')],
    ] as const) {
      assert.match((await pii.input(text, place)).text, /^\[[A-Z_]+\]$/, text)
      assert.match((await pii.output([...text], place)).text, /^\[[A-Z_]+\]$/, text)
    }
  })

  it('of something else, and names of messages, are none', async () => {
    assert.equal((await pii.input('12.03.1985', at('due_date'))).text, '12.03.1985')
    assert.equal((await pii.input('4509123456', at('number', { within: ['order'] }))).text, '4509123456')
    assert.equal((await pii.input('12.03.1985', { member: 'date_of_birth' })).text, '12.03.1985')
  })

  it('never excuse a value', async () => {
    for (const [text, member] of [
      ['gpt I note 4606885841315181 for later', 'model'],
      ['I note 81.134.122.137 for later', 'version'],
      ['4111111111111111', 'order_id'],
    ] as const) {
      for (const channel of ['tool_arguments', 'metadata', 'other', 'tool_result'] as const) {
        assert.match((await pii.input(text, { channel, member })).text, /\[[A-Z_]+\]/, `${channel} ${member}`)
        assert.match((await pii.output([...text], { channel, member })).text, /\[[A-Z_]+\]/, `${channel} ${member}`)
      }
    }
  })
})
