/** A long frame is encoded in parts, so that other exchanges run in between. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { responses } from '../../../../core/engine/dialects/responses/dialect.ts'
import { disconnected } from '../../../../core/engine/upstreams/provider-error.ts'
import { delta } from '../../../../core/testing/provider.ts'
import { type Plugin, type StreamRig, streamOf, word } from '../../../helpers/core.ts'

const ROW = '\u0061\u0301\u{1F600}\u00e9, '
const MARKS = ROW.repeat(100_000)
const PART = 256 * 1024
const maxEvent = 32 * 1024 * 1024
const at = (content: string) => delta({ content })
const sent = [at('before '), at(MARKS), at('behind'), delta({}, 0, 'stop')]

/** A stream with a part of a long frame at the client. */
async function begun(plugins: readonly Plugin[]): Promise<StreamRig> {
  const rig = await streamOf(plugins, { maxEvent })
  rig.say(...sent)
  while (!rig.response.writes.some((write) => write.length > 1000)) await new Promise(setImmediate)
  return rig
}

describe('a frame longer than one part', () => {
  const plugins = { 'no plugins': [], 'a plugin': [word('secret')] }

  for (const [name, chain] of Object.entries(plugins)) {
    it(`is encoded in parts, each in a turn of its own, with ${name}`, async () => {
      const rig = await streamOf(chain, { maxEvent })
      rig.say(...sent, '[DONE]').end()
      await rig.over
      assert.equal(rig.text(), `before ${MARKS}behind`)
      const longest = Math.max(...rig.response.writes.map((write) => write.length))
      assert.ok(longest <= PART + 1000, `${longest} characters`)
      assert.doesNotMatch(rig.response.body, /\uFFFD/)
    })

    it(`is told to its end before the error of a provider that dies, with ${name}`, async () => {
      const rig = await begun(chain)
      rig.reply.onError(disconnected())
      await rig.over
      const [before, rest, more] = rig.response.body.split(MARKS) as [string, string, string | undefined]
      assert.match(before, /"before "/)
      assert.match(rest, /^"[^\n]*\n\n(?:data: .*\n\n)*data: \{"error":/)
      assert.equal(more, undefined)
      assert.equal(rig.x.reply.outcome, 'upstream_failed')
    })

    it(`is encoded no further when the client leaves, with ${name}`, async () => {
      const rig = await begun(chain)
      rig.response.close()
      const { length } = rig.response.writes
      for (let i = 0; i < 20; i++) await new Promise(setImmediate)
      assert.equal(rig.response.writes.length, length)
    })
  }

  it('has no sign of life inside', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const rig = await begun([])
    rig.say('[DONE]').end()
    t.mock.timers.tick(15_000)
    t.mock.timers.tick(15_000)
    await rig.over
    assert.equal(rig.text(), `before ${MARKS}behind`)
  })

  for (const kind of ['completed', 'incomplete'])
    it(`ends a stream of responses that is ${kind}`, async () => {
      const body = { model: 'm', stream: true, store: false, input: 'hi' }
      const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [] }
      const item = { id: 'r_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: MARKS }] }
      const rig = await streamOf([word('secret')], { dialect: responses, body, maxEvent })
      const last = {
        type: `response.${kind}`,
        response: { ...response, status: kind, output: [item] },
        sequence_number: 1,
      }
      rig.say({ type: 'response.created', response, sequence_number: 0 }, last).end()
      await rig.over
      while (!rig.response.closed) await new Promise(setImmediate)
      const [data] = /\{"type":"response\.(?:in)?complete.*/.exec(rig.response.body) as RegExpExecArray
      const { response: told, ...rest } = JSON.parse(data) as typeof last & { response: { service: object } }
      const { service, ...others } = told
      assert.deepEqual({ ...rest, response: others }, last)
      assert.equal(typeof service, 'object')
      assert.ok(Math.max(...rig.response.writes.map((write) => write.length)) <= PART + 1000)
    })
})
