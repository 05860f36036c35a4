import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import plugin from '../../../plugins/presidio/index.ts'
import { chunk, harness, splits } from '../../helpers/detector.ts'
import { part } from '../../helpers/rounds.ts'
import { sharedAnalyzer } from './analyzer.ts'

const shared = sharedAnalyzer()

const make = (options: object = {}) =>
  harness(plugin as never, { url: shared.server.url, ...options }, {}, { fetch: shared.egress.fetch })

describe('presidio on whole texts', () => {
  it('redacts names and places, also behind characters that Python counts otherwise', async () => {
    const { text, findings, level } = await make().input('😀👍 Ada Lovelace met Alan Turing in London 🎉 on Tuesday.')
    assert.equal(text, '😀👍 [PERSON] met [PERSON] in [LOCATION] 🎉 on Tuesday.')
    assert.deepEqual(
      findings.map(({ type, count }) => [type, count]),
      [
        ['person', 2],
        ['location', 1],
      ],
    )
    assert.equal(level, 'CONFIDENTIAL')
  })

  it('maps types, labels, actions and scores', async () => {
    const types = {
      PERSON: { type: 'name', level: 'INTERNAL', action: 'detect' },
      LOCATION: { action: 'off' },
      DATE_TIME: { action: 'redact', level: 'PUBLIC' },
      NRP: { min_score: 0.9 },
    }
    const { text, findings } = await make({ types }).input('Ada Lovelace saw a Mayan in London on Tuesday.')
    assert.equal(text, 'Ada Lovelace saw a Mayan in London on [DATE_TIME].')
    assert.deepEqual(
      findings.map(({ type, action }) => [type, action]),
      [
        ['name', 'detect'],
        ['date_time', 'redact'],
      ],
    )
  })

  it('blocks, and the reason names the type only', async () => {
    const { blocked } = await make({ input: 'block' }).input('Ada Lovelace')
    assert.equal(blocked?.reason, 'The request holds personal data (person).')
  })

  it('is silent in a direction that is off, on allowed values, on names of tools and on texts without letters', async () => {
    assert.deepEqual((await make({ input: 'off' }).input('Ada Lovelace')).findings, [])
    assert.deepEqual((await make({ allow: ['ada lovelace'] }).input('Ada Lovelace')).findings, [])
    assert.deepEqual((await make().input('Ada Lovelace', { channel: 'tool_name' })).findings, [])
    shared.server.asked.length = 0
    await make().input('--- !!!')
    assert.deepEqual(shared.server.asked, [])
  })

  it('cuts texts that are too long and maps the findings back', async () => {
    const filler = 'Nothing to see here. '.repeat(40)
    const { text } = await make({ max_text_length: 500 }).input(`${filler}Ada Lovelace. ${filler}London.`)
    assert.equal(text, `${filler}[PERSON]. ${filler}[LOCATION].`)
    assert.equal(shared.server.asked.length, 1)
    assert.ok((shared.server.asked[0]?.text.length ?? 0) >= 3)
  })

  it('an entity type that nobody knows is other: an analyzer may say anything, and the name is in events', async () => {
    const found = async (type: string, options?: object) => {
      shared.server.override = (_, response) =>
        response.end(JSON.stringify([{ entity_type: type, start: 0, end: 3, score: 0.9 }]))
      return (await make(options).input('T-1 is open')).text
    }
    for (const type of ['ACME Ticket/42', 'ACME_TICKET', 'ada lovelace'])
      assert.equal(await found(type), '[OTHER] is open')
    assert.equal(await found('US_NPI'), '[US_NPI] is open')
    assert.equal(await found('ACME_TICKET', { entities: ['ACME_TICKET'] }), '[ACME_TICKET] is open')
    assert.equal(await found('ACME_TICKET', { types: { ACME_TICKET: { level: 'INTERNAL' } } }), '[ACME_TICKET] is open')
  })

  it('a failure is an error of the tap, so that onError decides', async () => {
    shared.server.override = (_, response) => response.writeHead(503).end()
    await assert.rejects(make().input('Ada Lovelace'), /The Presidio analyzer answered with status 503\./)
  })
})

describe('presidio on streams', () => {
  const reply = 'Hello. Yesterday Ada Lovelace met Dr. Alan Turing in London! They talked. And 😀 Ada Lovelace left'

  it('comes out as buffered, however the stream is cut', async () => {
    const want = (await make().output([reply])).text
    assert.equal(want, 'Hello. Yesterday [PERSON] met Dr. [PERSON] in [LOCATION]! They talked. And 😀 [PERSON] left')
    for (const pieces of part(splits(reply), 7, 3))
      assert.equal((await make().output(pieces)).text, want, JSON.stringify(pieces[0]))
  })

  it('asks sentence by sentence and holds what is not answered yet', async () => {
    const { held } = await make().output(['One is done. Two is ', 'not', ' yet. ', 'Three', '.'])
    assert.deepEqual(
      shared.server.asked.map(({ text }) => text),
      ['One is done.', ' Two is not yet.', ' Three.'],
    )
    // The first call cannot know anything; later ones know what was answered in between, at the latest at the end.
    assert.equal(held[0], 'One is done. Two is '.length)
  })

  it('waits for the analyzer when too much is pending, and never lets text out unseen', async () => {
    const sentence = 'Here is Ada Lovelace again, in one more sentence of some length. '
    const text = sentence.repeat(30)
    const { text: out, held, blocked } = await make({ max_pending: 200 }).output(chunk(text, 16))
    assert.equal(out, text.replaceAll('Ada Lovelace', '[PERSON]'))
    assert.equal(blocked, undefined)
    assert.ok(Math.max(...held) <= 200 + 16 + sentence.length, String(Math.max(...held)))
  })

  it('an endless sentence is bounded', async () => {
    const text = `${'and so on '.repeat(150)}with Ada Lovelace ${'and more '.repeat(50)}`
    const { text: out, blocked } = await make({ max_pending: 200 }).output(chunk(text, 32))
    assert.equal(out, text.replace('Ada Lovelace', '[PERSON]'))
    assert.equal(blocked, undefined)
  })

  it('a failure comes up in a later call or at the end, never as an unhandled rejection', async () => {
    shared.server.override = (_, response) => response.writeHead(500).end()
    await assert.rejects(make().output(['One is done. ', 'Two is done. ', 'End']), /status 500/)
  })
})
