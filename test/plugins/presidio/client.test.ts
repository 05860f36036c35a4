import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { isGatewayError } from 'governed-gateway'
import { Egress } from '../../../core/egress/egress.ts'
import { Analyzer, type AnalyzerSettings, postVia } from '../../../plugins/presidio/client.ts'
import { type FakeAnalyzer, startAnalyzer } from './analyzer.ts'

let server: FakeAnalyzer
let egress: Egress
before(async () => {
  server = await startAnalyzer()
  egress = new Egress([new URL(server.url).host])
})
beforeEach(() => {
  server.override = undefined
  server.asked.length = 0
  server.headers.length = 0
})
after(async () => {
  await egress.close()
  await server.close()
})

const analyzer = (settings: Partial<AnalyzerSettings> = {}): Analyzer =>
  new Analyzer(
    {
      url: server.url,
      headers: {},
      language: 'en',
      entities: [],
      scoreThreshold: 0.5,
      timeoutMs: 2000,
      batchSize: 16,
      ...settings,
    },
    postVia(egress.fetch),
  )

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
    assert.deepEqual(server.asked, [
      { text: 'Ada Lovelace', language: 'en', score_threshold: 0.5 },
      { text: ['London', 'nothing', 'Ada Lovelace in London'], language: 'en', score_threshold: 0.5 },
    ])
  })

  it('passes language, entities, threshold and headers on', async () => {
    const own = analyzer({
      url: `${server.url}/`,
      language: 'de',
      entities: ['LOCATION'],
      scoreThreshold: 0.7,
      headers: { 'x-api-key': 'k' },
    })
    assert.equal((await own.analyze(['Ada Lovelace in London']))[0]?.length, 1)
    assert.deepEqual(server.asked, [
      { text: 'Ada Lovelace in London', language: 'de', score_threshold: 0.7, entities: ['LOCATION'] },
    ])
    assert.equal(server.headers[0]?.['x-api-key'], 'k')
    assert.equal(server.headers[0]?.['content-type'], 'application/json')
  })

  it('splits batches', async () => {
    const lists = await analyzer({ batchSize: 2 }).analyze(['London', 'a', 'London London', 'b', 'c'])
    assert.deepEqual(
      lists.map((list) => list.length),
      [1, 0, 2, 0, 0],
    )
    assert.deepEqual(server.asked.map(({ text }) => text).sort(), [['London', 'a'], ['London London', 'b'], 'c'].sort())
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
    [
      'offsets that cannot be',
      (_, response) => response.end('[{"entity_type":"PERSON","start":5,"end":2,"score":1}]'),
      /list of entities/,
    ],
    [
      'a response without end',
      (_, response) => response.end(`["${'x'.repeat(9 * 1024 * 1024)}"]`),
      /could not be reached/,
    ],
    ['a connection that breaks', (request) => request.socket.destroy(), /could not be reached/],
  ]
  for (const [name, override, message] of failing) {
    it(`fails on ${name}, without a word of the text`, async () => {
      server.override = override
      await assert.rejects(analyzer().analyze([secret]), (error: unknown) => {
        assert.ok(isGatewayError(error) && error.code === 'GW_GUARDRAIL_UNAVAILABLE')
        assert.match(error.message, message)
        assert.ok(!JSON.stringify([error.message, error.stack, error.cause]).includes(secret))
        return true
      })
    })
  }

  it('fails when two texts get one answer', async () => {
    server.override = (_, response) => response.end('[[]]')
    await assert.rejects(analyzer().analyze(['a', 'b']), /another number of texts than the 2/)
  })

  it('gives up after its time', async () => {
    server.override = () => undefined
    await assert.rejects(analyzer({ timeoutMs: 50 }).analyze([secret]), /did not answer within 50 ms/)
  })

  it('fails when nobody listens', async () => {
    const gone = await startAnalyzer()
    await gone.close()
    await assert.rejects(analyzer({ url: gone.url }).analyze([secret]), /could not be reached/)
  })
})
