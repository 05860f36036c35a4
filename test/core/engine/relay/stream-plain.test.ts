import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chunk, chunks, delta } from '../../../../core/testing/provider.ts'
import { streamOf } from '../../../helpers/core.ts'
import { rounds } from '../../../helpers/rounds.ts'

const frame = (payload: string, eol = '\n', space = ' ') => `data:${space}${payload}${eol}${eol}`
const text = (content: string) => JSON.stringify(delta({ content }))
const finish = JSON.stringify(delta({}, 0, 'stop'))

/** Feeds the bytes of one stream in reads cut at these places. */
async function through(bytes: Buffer, cuts: readonly number[]) {
  const rig = await streamOf([])
  let at = 0
  for (const cut of [...cuts, bytes.length].sort((a, b) => a - b)) {
    if (cut > at) rig.feed(bytes.subarray(at, cut))
    at = Math.max(at, cut)
  }
  rig.end()
  return rig
}

describe('a stream with no plugins', () => {
  it('gives every payload as it came, each as soon as its event is whole', async () => {
    const rig = await streamOf([])
    const said = chunks({ choices: [{ content: 'one two three' }, { content: 'un deux trois' }] }).map((event) =>
      JSON.stringify(event),
    )
    said.forEach((payload, i) => {
      rig.feed(frame(payload))
      assert.deepEqual(rig.payloads, said.slice(0, i + 1))
    })
    rig.feed('data: [DONE]\n\n')
    assert.deepEqual(rig.payloads, [...said, '[DONE]'])
  })

  it('gives payloads as spelled: white space, escapes, repeated names, long numbers, unknown members', async () => {
    const odd = [
      '{ "choices" : [ { "index":0 , "delta":{ "content" : "\\u0041" } } ] }',
      '{"choices":[{"index":0,"delta":{"content":"a"},"delta":{"content":"b"}}]}',
      '{"choices":[],"n":1234567890123456789012345678901234567890,"x":1e400}',
      '{"choices":[{"index":0,"delta":{"content":"\\ud800 \\" \\\\ \u2028"}}],"provider":{"a":[1,{}]}}',
    ]
    const rig = await streamOf([])
    for (const payload of [...odd, finish, '[DONE]']) rig.feed(frame(payload))
    assert.deepEqual(rig.payloads, [...odd, finish, '[DONE]'])
  })

  it('gives the same payloads however the bytes are cut and framed', async () => {
    const word = fc.oneof(fc.constantFrom('a', 'ab cd', 'é', '漢字', '😀', 'data: x', '\n', '\\', '"'), fc.string())
    const padding = fc.constantFrom({}, { obfuscation: 'abc' }, { usage: null })
    const event = fc.tuple(word, padding).map(([content, more]) => JSON.stringify({ ...delta({ content }), ...more }))
    const framing = fc.record({
      eol: fc.constantFrom('\n', '\n', '\n', '\r\n', '\r'),
      space: fc.constantFrom(' ', ' ', ' ', ''),
      before: fc.constantFrom('', '', '', ': comment\n\n', 'event: x\n', '\n'),
    })
    const property = fc.asyncProperty(
      fc.array(fc.tuple(event, framing), { maxLength: 8 }),
      fc.array(fc.nat({ max: 2000 }), { maxLength: 12 }),
      async (events, cuts) => {
        const said = [...events.map(([payload]) => payload), finish]
        const wire = events.map(([payload, { eol, space, before }]) => before + frame(payload, eol, space)).join('')
        const rig = await through(Buffer.from(`${wire}${frame(finish)}data: [DONE]\n\n`), cuts)
        assert.deepEqual(rig.payloads, [...said, '[DONE]'])
      },
    )
    await fc.assert(property, { numRuns: rounds(300) })
  })

  it('passes comments of the provider where they came, however the bytes are cut', async () => {
    const bytes = Buffer.from(
      `: OPENROUTER PROCESSING\n\n:\r\n${frame(text('a'))}: zwei\ndata: ${text('é')}\n: in it\n\n${frame(finish)}data: [DONE]\n\n: late\n\n`,
    )
    const expected = `: OPENROUTER PROCESSING\n\n: \n\n${frame(text('a'))}: zwei\n\n: in it\n\n${frame(text('é'))}${frame(finish)}data: [DONE]\n\n`
    for (let cut = 0; cut <= bytes.length; cut++)
      assert.equal((await through(bytes, [cut])).response.body, expected, `cut at ${cut}`)
    const each = Array.from(bytes, (_, at) => at)
    assert.equal((await through(bytes, each)).response.body, expected)
  })

  it('passes a comment at once, before any event', async () => {
    const rig = await streamOf([])
    rig.feed(': OPENROUTER PROCESSING\n')
    assert.equal(rig.response.body, ': OPENROUTER PROCESSING\n\n')
    rig.response.close()
    assert.equal(rig.x.reply.outcome, 'aborted')
  })

  it('drops comments where a plugin runs, in every mode: nobody inspects them', async () => {
    for (const plugin of [{}, { detect: () => {} }]) {
      const rig = await streamOf([plugin])
      rig.feed(`: secret\n\n${frame(text('a'))}: secret\n\n${frame(finish)}data: [DONE]\n\n`)
      await rig.over
      assert.doesNotMatch(rig.response.body, /secret/)
      assert.ok(rig.done)
    }
  })

  it('never takes a read for whole events that only has their length', async () => {
    const rig = await streamOf([])
    rig.feed(frame(text('teaches the spelling')))
    const cut = frame(text('bcdef ghi'))
    const start = cut.slice(0, cut.indexOf('bcdef'))
    // As many bytes as both events have characters, and a space where a frame has one.
    const accents = text('é'.repeat(start.length))
    const read = cut.slice(start.length) + frame(accents)
    assert.equal(Buffer.byteLength(read), cut.length + frame(accents).length)
    rig.feed(start).feed(read)
    assert.deepEqual(rig.payloads.slice(1), [text('bcdef ghi'), accents])
  })

  it('writes no byte that is not UTF-8', async () => {
    const rig = await streamOf([])
    rig.feed(frame(text('abc')))
    const bytes = Buffer.from(frame(text('a?c')))
    bytes[bytes.indexOf('?')] = 0xff
    rig.feed(bytes)
    assert.equal(rig.payloads.at(-1), text('a\ufffdc'))
  })

  it('a client that closes after the finish has the whole answer', async () => {
    const rig = await streamOf([])
    rig.feed(frame(text('a'))).feed(frame(finish))
    rig.response.close()
    assert.equal(rig.x.reply.outcome, 'completed')
    assert.ok(rig.source.aborted)
    assert.deepEqual(
      rig.events.map(({ type }) => type),
      ['request.completed'],
    )
  })

  it('a client that closes before the finish has not', async () => {
    for (const last of [
      [],
      [JSON.stringify(chunk([{ index: 1, delta: { content: 'b' }, finish_reason: null }])), finish],
    ]) {
      const rig = await streamOf([])
      for (const payload of [text('a'), ...last]) rig.feed(frame(payload))
      rig.response.close()
      assert.equal(rig.x.reply.outcome, 'aborted')
      assert.equal(rig.events.at(-1)?.type, 'stream.aborted')
    }
  })

  it('takes out a member service: only the gateway speaks under that name', async () => {
    const rig = await streamOf([])
    rig.feed(frame('{"service":{"blocked":false},"choices":[{"index":0,"delta":{"content":"a"}}],"service":1}'))
    assert.deepEqual(rig.payloads, ['{"choices":[{"index":0,"delta":{"content":"a"}}]}'])
  })
})
