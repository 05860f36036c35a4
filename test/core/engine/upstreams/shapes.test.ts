import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { completion, json, startProvider } from 'governed-gateway/testing'
import { DIALECTS } from '../../../../core/engine/dialects/index.ts'
import { SHAPES } from '../../../../core/engine/dialects/names.ts'
import { shapesOf } from '../../../../core/engine/upstreams/kinds.ts'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { assertError } from '../../../helpers/errors.ts'
import { bearer, setup, USER_KEY } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'

/** Two providers behind one route, a third behind another. */
async function running(t: TestContext, shapes: readonly (readonly string[] | undefined)[]) {
  const [first, second] = [await startProvider(), await startProvider()]
  t.after(async () => void (await Promise.all([first.close(), second.close()])))
  const { gateway } = await setup(t, {
    config: {
      upstreams: {
        scripted: { url: first.url, shapes: shapes[0], models: ['both', 'one'] },
        second: { url: second.url, shapes: shapes[1], models: ['both'] },
        demo: { kind: 'demo' },
      },
      routes: [
        { model: 'one', to: ['scripted'] },
        { model: 'both', to: ['scripted', 'second'] },
        { model: 'demo', to: ['demo'] },
      ],
    },
  })
  const ask = (path: string, body: object) => send(`${gateway.baseURL}${path}`, { body, headers: bearer(USER_KEY) })
  const list = async (headers: Record<string, string> = {}, path = '') => {
    const reply = await send(`${gateway.baseURL}/models${path}`, { headers: { ...bearer(USER_KEY), ...headers } })
    return { reply, text: await reply.text() }
  }
  return { ask, list, first, second }
}

const chat = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] })
const inputs = (model: string) => ({ model, input: 'Hi' })

describe('routes by shape', () => {
  it('go to the upstream that serves the shape, in order', async (t) => {
    const { ask, first, second } = await running(t, [['embeddings'], ['chat-completions', 'embeddings']])
    const vector = json({ object: 'list', data: [], model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } })
    first.reply(vector)
    assert.equal((await ask('/embeddings', inputs('both'))).status, 200)
    assert.equal((await first.next()).url, '/v1/embeddings')
    second.reply(json(completion('Hi')))
    assert.equal((await ask('/chat/completions', chat('both'))).status, 200)
    assert.equal((await second.next()).url, '/v1/chat/completions')
    assert.equal(first.requests.length, 1)
  })

  it('fall back among those that serve the shape', async (t) => {
    const { ask, first, second } = await running(t, [undefined, ['moderations']])
    first.reply(json({}, { status: 500 }))
    const failed = await ask('/chat/completions', chat('both'))
    assert.equal(failed.status, 500)
    assert.equal(second.requests.length, 0)
    first.reply(json({}, { status: 500 }))
    second.reply(json({ id: 'modr-1', model: 'both', results: [] }))
    assert.equal((await ask('/moderations', inputs('both'))).status, 200)
  })

  it('tell where else the model is served, and ask nobody', async (t) => {
    const { ask, first, second } = await running(t, [['embeddings', 'completions'], undefined])
    const error = await assertError(await ask('/chat/completions', chat('one')), 'GW_SHAPE_NOT_SERVED')
    assert.match(error.message, /'one' is not served here, only at \/v1\/completions, \/v1\/embeddings\.$/)
    assert.equal(error.param, 'model')
    const other = await assertError(await ask('/embeddings', inputs('demo')), 'GW_SHAPE_NOT_SERVED')
    assert.match(other.message, /'demo' is not served here, only at \/v1\/chat\/completions, \/v1\/completions/)
    await assertError(await ask('/embeddings', inputs('none')), 'GW_MODEL_NOT_FOUND')
    assert.equal(first.requests.length + second.requests.length, 0)
  })

  it('tell that no API of the gateway serves the model', async (t) => {
    const unserved = SHAPES.find((shape) => !DIALECTS.some((dialect) => dialect.name === shape))
    if (unserved === undefined) return
    const { ask } = await running(t, [[unserved], undefined])
    const error = await assertError(await ask('/chat/completions', chat('one')), 'GW_SHAPE_NOT_SERVED')
    assert.match(error.message, /not served anywhere in this gateway/)
  })

  it('have a default by kind', () => {
    const names: string[] = DIALECTS.map(({ name }) => name)
    assert.deepEqual(shapesOf({ kind: 'anthropic' }), ['messages'])
    assert.deepEqual([...shapesOf({ kind: 'openai' }), 'messages'].sort(), [...SHAPES].sort())
    for (const shape of shapesOf({ kind: 'demo' })) assert.ok(names.includes(shape))
    assert.deepEqual(shapesOf({ kind: 'demo', shapes: ['completions'] }), ['completions'])
  })

  it('name known shapes, and of demo what it answers', () => {
    const problem = (upstream: string) => {
      try {
        parseConfig(`upstreams: { one: ${upstream} }`, 'g.yaml', {})
      } catch (error) {
        return (error as Error).message
      }
      return ''
    }
    assert.match(problem('{ url: "http://h/v1", shapes: [chat] }'), /upstreams\.one\.shapes\[0\]/)
    assert.match(problem('{ url: "http://h/v1", shapes: [] }'), /upstreams\.one\.shapes/)
    assert.match(
      problem('{ kind: demo, shapes: [embeddings] }'),
      /shapes\[0\]: is not answered by demo, only chat-comp/,
    )
    assert.equal(problem('{ kind: demo, shapes: [completions] }'), '')
    assert.equal(problem('{ url: "http://h/v1", shapes: [messages, responses] }'), '')
  })
})

describe('the list of models', () => {
  it('tells the shapes of each', async (t) => {
    const { list } = await running(t, [['embeddings', 'completions'], ['chat-completions']])
    const { data } = JSON.parse((await list()).text) as { data: { id: string; shapes: string[] }[] }
    const shapes = Object.fromEntries(data.map((model) => [model.id, model.shapes]))
    assert.deepEqual(shapes.one, ['completions', 'embeddings'])
    assert.deepEqual(shapes.both, ['chat-completions', 'completions', 'embeddings'])
    assert.deepEqual(shapes.demo?.slice(0, 2), ['chat-completions', 'completions'])
    assert.deepEqual(JSON.parse((await list({}, '/one')).text).shapes, ['completions', 'embeddings'])
  })

  it("has Anthropic's form for its clients", async (t) => {
    const { list } = await running(t, [undefined, undefined])
    const version = { 'anthropic-version': '2023-06-01' }
    const all = JSON.parse((await list(version)).text)
    const model = (id: string, shapes: unknown) => {
      return { type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z', shapes }
    }
    const known = (id: string) => model(id, all.data.find((one: { id: string }) => one.id === id)?.shapes)
    assert.deepEqual(all, {
      data: ['both', 'demo', 'one'].map(known),
      has_more: false,
      first_id: 'both',
      last_id: 'one',
    })
    const one = JSON.parse((await list(version, '/one')).text)
    assert.deepEqual([one.type, one.id, one.display_name], ['model', 'one', 'one'])
    assert.equal((await list(version, '/none')).reply.status, 404)
  })

  it("has Anthropic's pages", async (t) => {
    const { list } = await running(t, [undefined, undefined])
    const version = { 'anthropic-version': '2023-06-01' }
    const page = async (query: string) => {
      const { reply, text } = await list(version, query)
      if (reply.status !== 200) return [reply.status, JSON.parse(text).error.details.param]
      const { data, has_more, first_id, last_id } = JSON.parse(text)
      return [data.map(({ id }: { id: string }) => id).join(' '), has_more, first_id, last_id]
    }
    assert.deepEqual(await page('?limit=1000'), ['both demo one', false, 'both', 'one'])
    assert.deepEqual(await page('?limit=2'), ['both demo', true, 'both', 'demo'])
    assert.deepEqual(await page('?limit=2&after_id=demo'), ['one', false, 'one', 'one'])
    assert.deepEqual(await page('?limit=1&before_id=one'), ['demo', true, 'demo', 'demo'])
    assert.deepEqual(await page('?after_id=one'), ['', false, null, null])
    for (const [query, param] of [
      ['?limit=0', 'limit'],
      ['?limit=1001', 'limit'],
      ['?limit=-1', 'limit'],
      ['?limit=many', 'limit'],
      ['?after_id=none', 'after_id'],
      ['?before_id=', 'before_id'],
    ] as const) {
      assert.deepEqual(await page(query), [400, param], query)
    }
  })
})
