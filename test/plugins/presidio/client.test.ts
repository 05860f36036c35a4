import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isGatewayError } from 'governed-gateway'
import { Analyzer, type AnalyzerSettings, postVia } from '../../../plugins/presidio/client.ts'
import { type FakeAnalyzer, sharedAnalyzer, startAnalyzer } from './analyzer.ts'

const shared = sharedAnalyzer()

const analyzer = (settings: Partial<AnalyzerSettings> = {}): Analyzer =>
  new Analyzer(
    {
      url: shared.server.url,
      headers: {},
      language: 'en',
      entities: [],
      scoreThreshold: 0.5,
      timeoutMs: 60_000,
      batchSize: 16,
      ...settings,
    },
    postVia(shared.egress.fetch),
  )

/** An answer with the members of one entity, and a right one in front. */
const oneEntity = (members: string): FakeAnalyzer['override'] => {
  const right = '{"entity_type":"PERSON","start":0,"end":3,"score":1}'
  return (_, response) => response.end(`[${right},{"entity_type":"PERSON",${members}}]`)
}

describe('the analyzer’s client', () => {
  it('asks for one text as a string, for several as a list, and keeps their order', async () => {
    assert.deepEqual(
      (await analyzer().analyze(['Ada Lovelace'])).map((list) => list.map((one) => one.entity_type)),
      [['PERSON']],
    )
    const lists = await analyzer().analyze(['London', 'nothing', 'Ada Lovelace in London'])
    assert.deepEqual(
      lists.map((list) => list.length),
      [1, 0, 2],
    )
    assert.deepEqual(shared.server.asked, [
      { text: 'Ada Lovelace', language: 'en', score_threshold: 0.5 },
      { text: ['London', 'nothing', 'Ada Lovelace in London'], language: 'en', score_threshold: 0.5 },
    ])
  })

  it('passes language, entities, threshold and headers on', async () => {
    const own = analyzer({
      url: `${shared.server.url}/`,
      language: 'de',
      entities: ['LOCATION'],
      scoreThreshold: 0.7,
      headers: { 'x-api-key': 'k' },
    })
    assert.equal((await own.analyze(['Ada Lovelace in London']))[0]?.length, 1)
    assert.deepEqual(shared.server.asked, [
      { text: 'Ada Lovelace in London', language: 'de', score_threshold: 0.7, entities: ['LOCATION'] },
    ])
    assert.equal(shared.server.headers[0]?.['x-api-key'], 'k')
    assert.equal(shared.server.headers[0]?.['content-type'], 'application/json')
  })

  it('splits batches', async () => {
    const lists = await analyzer({ batchSize: 2 }).analyze(['London', 'a', 'London London', 'b', 'c'])
    assert.deepEqual(
      lists.map((list) => list.length),
      [1, 0, 2, 0, 0],
    )
    assert.deepEqual(
      shared.server.asked.map(({ text }) => text).sort(),
      [['London', 'a'], ['London London', 'b'], 'c'].sort(),
    )
  })

  const secret = 'Ada Lovelace'
  const failing: readonly (readonly [name: string, override: FakeAnalyzer['override'], message: RegExp])[] = [
    [
      'a status other than 200',
      (_, response) => response.writeHead(500, { 'content-type': 'application/json' }).end(`{"error":"no ${secret}"}`),
      /status 500/,
    ],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end(), /status 302/],
    ['what is not JSON', (_, response) => response.end('<html>'), /not JSON/],
    ['what is no list', (_, response) => response.end('{"entities":[]}'), /list of entities|number of texts/],
    ...(
      [
        ['reversed', '"start":5,"end":2,"score":1'],
        ['empty', '"start":5,"end":5,"score":1'],
        ['negative', '"start":-1,"end":2,"score":1'],
        ['fractional', '"start":0,"end":2.5,"score":1'],
        ['not a number', '"start":0,"end":"NaN","score":1'],
        ['null', '"start":null,"end":3,"score":1'],
        ['missing', '"end":3,"score":1'],
        ['beyond the text', '"start":0,"end":13,"score":1'],
        ['far beyond it', '"start":100,"end":200,"score":1'],
        ['too large', '"start":0,"end":1e999,"score":1'],
      ] as const
    ).map(([name, members]) => [`an offset that is ${name}`, oneEntity(members), /list of entities/] as const),
    ['a score that is none', oneEntity('"start":0,"end":3,"score":1e999'), /list of entities/],
    ['one wrong finding among right ones', oneEntity('"start":0,"end":3,"score":1},{"start":0'), /list of entities/],
    [
      'a response without end',
      (_, response) => response.end(`["${'x'.repeat(9 * 1024 * 1024)}"]`),
      /could not be reached/,
    ],
    ['a connection that breaks', (request) => request.socket.destroy(), /could not be reached/],
  ]
  for (const [name, override, message] of failing) {
    it(`fails on ${name}, without a word of the text`, async () => {
      shared.server.override = override
      await assert.rejects(analyzer().analyze([secret]), (error: unknown) => {
        assert.ok(isGatewayError(error) && error.code === 'GW_GUARDRAIL_UNAVAILABLE')
        assert.match(error.message, message)
        assert.ok(!JSON.stringify([error.message, error.stack, error.cause]).includes(secret))
        return true
      })
    })
  }

  it('takes offsets in code points up to the end of the text', async () => {
    const answer = (end: number) => `[{"entity_type":"PERSON","start":0,"end":${end},"score":1}]`
    shared.server.override = (_, response) => response.end(answer(3))
    assert.equal((await analyzer().analyze(['😀👍x']))[0]?.[0]?.end, 3)
    shared.server.override = (_, response) => response.end(answer(4))
    await assert.rejects(analyzer().analyze(['😀👍x']), /list of entities/)
  })

  it('fails when two texts get one answer', async () => {
    shared.server.override = (_, response) => response.end('[[]]')
    await assert.rejects(analyzer().analyze(['a', 'b']), /another number of texts than the 2/)
  })

  it('gives up after its time', async () => {
    shared.server.override = () => undefined
    await assert.rejects(analyzer({ timeoutMs: 50 }).analyze([secret]), /did not answer within 50 ms/)
  })

  it('fails when nobody listens', async () => {
    const gone = await startAnalyzer()
    await gone.close()
    await assert.rejects(analyzer({ url: gone.url }).analyze([secret]), /could not be reached/)
  })
})
