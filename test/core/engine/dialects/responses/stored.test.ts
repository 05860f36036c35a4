/** Responses that the provider keeps: asked for, listed, cancelled and deleted by the key that made them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiError, json, stream, text } from '../../../../../core/testing/provider.ts'
import { type Running, running, word } from '../../../../helpers/core.ts'
import { ADMIN_KEY, bearer, USER_KEY } from '../../../../helpers/gateway.ts'
import { type Reply, type SendOptions, send } from '../../../../helpers/http.ts'
import { eventsOf, message, respond, response, said, together, USAGE } from './responding.ts'

const SECRET = 'swordfish'
const detector = word(SECRET)

const ROUTES = [
  ['GET', ''],
  ['GET', '?stream=true'],
  ['DELETE', ''],
  ['POST', '/cancel'],
  ['GET', '/input_items'],
] as const

const ask = ({ gateway }: Running, method: string, path: string, more: SendOptions & { key?: string } = {}) => {
  const { key = USER_KEY, ...options } = more
  return send(`${gateway.baseURL}/responses/${path}`, { method, headers: bearer(key), ...options })
}

const bodyOf = async (reply: Reply) => JSON.parse(await reply.text())

/** A gateway where the user's key made a response. */
async function made(...args: Parameters<typeof running>): Promise<Running> {
  const parts = await running(...args)
  parts.provider.reply(json(response({ output: [said('ok')], usage: USAGE })))
  await (await respond(parts.gateway)).text()
  await parts.provider.next()
  return parts
}

const deleted = { id: 'resp_a1', object: 'response', deleted: true }
const page = (...data: object[]) => ({ object: 'list', data, first_id: 'msg_u1', last_id: 'msg_u1', has_more: false })
const asked = (text: string) => ({
  id: 'msg_u1',
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

describe('stored responses', () => {
  it('are 502, and an event, if the provider answers without a body', async (t) => {
    const parts = await made(t, [])
    for (const [method, path] of ROUTES) {
      for (const status of [204, 304]) {
        parts.provider.reply(text(status, '', 'application/json'))
        const reply = await ask(parts, method, `resp_a1${path}`)
        const body = await reply.text()
        assert.equal(reply.status, 502, body)
        assert.match(body, new RegExp(`The provider answered ${status}\\b`))
        const event = parts.events().at(-1)
        assert.deepEqual([event?.type, event?.code], ['upstream.failed', 'upstream_invalid_response'])
      }
    }
  })

  it('go to the provider by their method and path, without a body, with known options alone', async (t) => {
    const parts = await made(t, [])
    for (const [method, path, url, reply] of [
      ['GET', '', '', response({ output: [said('ok')] })],
      ['GET', '?beta=true', '', response()],
      [
        'GET',
        '?include=reasoning.encrypted_content&include_obfuscation=false',
        '?include[]=reasoning.encrypted_content&include_obfuscation=false',
        response(),
      ],
      [
        'GET',
        '?include[]=file_search_call.results&include[1]=code_interpreter_call.outputs',
        '?include[]=file_search_call.results&include[]=code_interpreter_call.outputs',
        response(),
      ],
      ['DELETE', '', '', deleted],
      ['POST', '/cancel', '/cancel', response({ status: 'cancelled' })],
      ['GET', '/input_items', '/input_items', page(asked('Hi'))],
      [
        'GET',
        '/input_items?limit=2&order=asc&after=msg_u1&note=x',
        '/input_items?limit=2&order=asc&after=msg_u1',
        page(),
      ],
    ] as const) {
      parts.provider.reply(json(reply))
      const got = await ask(parts, method, `resp_a1${path}`)
      assert.deepEqual([got.status, await bodyOf(got)], [200, reply])
      const sent = await parts.provider.next()
      assert.deepEqual(
        [sent.method, sent.url, sent.body.length, sent.headers['content-type']],
        [method, `/v1/responses/resp_a1${url}`, 0, undefined],
      )
    }
    const operations = parts.events().map(({ operation }) => operation)
    assert.deepEqual(
      [...new Set(operations)].sort(),
      [
        'DELETE /v1/responses/{id}',
        'GET /v1/responses/{id}',
        'GET /v1/responses/{id}/input_items',
        'POST /v1/responses',
        'POST /v1/responses/{id}/cancel',
      ].sort(),
    )
  })

  it('are not found by other keys, as if nobody had made them', async (t) => {
    const parts = await made(t, [])
    for (const [method, path] of ROUTES) {
      const told = []
      for (const [id, key] of [
        ['resp_a1', ADMIN_KEY],
        ['resp_nobody1', ADMIN_KEY],
        ['resp_nobody1', USER_KEY],
      ] as const) {
        const reply = await ask(parts, method, id + path, { key })
        const { error } = await bodyOf(reply)
        told.push({ status: reply.status, error: { ...error, request_id: undefined } })
      }
      assert.equal(told[0]?.status, 404)
      assert.equal(told[0]?.error.code, 'reference_not_found')
      assert.deepEqual([told[1], told[2]], [told[0], told[0]])
    }
    assert.equal(parts.provider.requests.length, 1)
    const { operation, key_id: keyId, status } = await parts.next('request.rejected')
    assert.deepEqual([operation, keyId, status], ['GET /v1/responses/{id}', 'admin', 404])
  })

  it('are refused with options that no provider takes', async (t) => {
    const parts = await made(t, [])
    for (const [path, param] of [
      ['?include=everything', 'include'],
      ['?include=', 'include'],
      ['?stream=yes', 'stream'],
      ['?stream=true&stream=false', 'stream'],
      ['?starting_after=-1', 'starting_after'],
      ['/input_items?limit=0', 'limit'],
      ['/input_items?limit=101', 'limit'],
      ['/input_items?order=up', 'order'],
      ['/input_items?after=4111111111111111', 'after'],
    ]) {
      const reply = await ask(parts, 'GET', `resp_a1${path}`)
      const { error } = await bodyOf(reply)
      assert.deepEqual([reply.status, error.param], [400, param], path)
    }
    assert.equal(parts.provider.requests.length, 1)
  })

  it('have no other methods, and no paths below', async (t) => {
    const parts = await made(t, [])
    for (const [method, path, status] of [
      ['POST', 'resp_a1', 405],
      ['GET', 'resp_a1/cancel', 405],
      ['DELETE', 'resp_a1/input_items', 405],
      ['GET', 'resp_a1/', 404],
      ['GET', 'resp_a1/output', 404],
      ['GET', '%2e%2e', 404],
      ['GET', 'resp_a1%2f..%2fresp_b1', 404],
    ] as const) {
      const body = method === 'POST' ? {} : undefined
      assert.equal((await ask(parts, method, path, { body })).status, status, `${method} ${path}`)
    }
    assert.equal(parts.provider.requests.length, 1)
  })

  it('that were not kept, or are unknown to the provider too, are not found', async (t) => {
    const parts = await running(t, [])
    parts.provider.reply(json(response({ id: 'resp_c1' })))
    await (await respond(parts.gateway, { store: false })).text()
    assert.equal((await ask(parts, 'GET', 'resp_c1')).status, 404)
    parts.provider.reply(json(response()), apiError(404, { message: 'Response not found.' }))
    await (await respond(parts.gateway)).text()
    const reply = await ask(parts, 'GET', 'resp_a1')
    assert.deepEqual([reply.status, (await bodyOf(reply)).error.message], [404, 'Response not found.'])
  })

  it('can be asked for when only a stream told their id', async (t) => {
    const parts = await running(t, [])
    const [, ...events] = message(['ok'])
    const queued = { type: 'response.queued', response: response({ status: 'queued' }), sequence_number: 0 }
    parts.provider.reply(stream([queued, ...events], { done: false }), json(response()))
    await (await respond(parts.gateway, { stream: true })).text()
    assert.equal((await ask(parts, 'GET', 'resp_a1')).status, 200)
  })
})

describe('what comes back of stored responses', () => {
  it('is inspected wherever it stands', async (t) => {
    const parts = await made(t, [detector])
    const call = { id: 'fc_a1', type: 'function_call', call_id: 'call_1', name: 'x', arguments: `{"a":"${SECRET}"}` }
    for (const [method, path, reply] of [
      ['GET', '', response({ output: [said(`a ${SECRET}`), call], instructions: SECRET, metadata: { a: SECRET } })],
      ['GET', '', response({ output: [said('a sword', 'fish')], output_text: 'a swordfish' })],
      ['POST', '/cancel', response({ status: 'cancelled', output: [said(SECRET)] })],
      ['DELETE', '', { ...deleted, note: SECRET }],
      ['GET', '/input_items', page(asked(SECRET), { ...call, call_id: SECRET }, said('sword'), said('fish'))],
      ['GET', '/input_items', { ...page({ type: 'message', role: 'user', content: SECRET }), first_id: SECRET }],
    ] as const) {
      parts.provider.reply(json(reply))
      const got = await ask(parts, method, `resp_a1${path}`)
      const text = await got.text()
      assert.equal(got.status, 200)
      assert.ok(!text.includes(SECRET), text)
      const told = JSON.parse(text)
      assert.ok(told.service.detections[0].count > 0)
      assert.equal(told.service.detections[0].direction, 'output')
      const parties = (told.output ?? told.data ?? []).flatMap(({ content = [] }) => content)
      const shown = parties.map((part: { text?: string } | string) => (typeof part === 'string' ? part : part.text))
      assert.ok(!shown.join('').includes(SECRET))
    }
  })

  it('is blocked by what a policy forbids now', async (t) => {
    const parts = await made(t, [word(SECRET, 'block')])
    for (const [method, path, reply] of [
      ['GET', '', response({ output: [said(SECRET)] })],
      ['GET', '/input_items', page(asked(SECRET))],
    ] as const) {
      parts.provider.reply(json(reply))
      const got = await ask(parts, method, `resp_a1${path}`)
      assert.equal(got.status, 403)
      assert.ok(!(await got.text()).includes(SECRET))
    }
  })

  const deltas = ['a sw', 'ord', 'fi', 'sh b']
  it('is inspected in a stream that is cut anywhere, in every copy', async (t) => {
    const parts = await made(t, [detector])
    parts.provider.reply(stream(message(deltas), { split: 'byte', done: false }))
    const reply = await ask(parts, 'GET', 'resp_a1?stream=true')
    const text = await reply.text()
    assert.ok(!text.includes(SECRET))
    const { deltas: told, items, output, service } = together(eventsOf(text))
    assert.equal([...told.values()].join(''), items[0].content[0].text)
    assert.deepEqual(items, output)
    assert.equal(service.detections[0].count, 1)
    assert.equal((await parts.provider.next()).url, '/v1/responses/resp_a1?stream=true')
  })

  it('goes on after any event, with nothing of a value whose beginning the client has', async (t) => {
    const parts = await made(t, [detector])
    const events = message(deltas)
    for (let after = 0; after < events.length; after++) {
      parts.provider.reply(stream(events, { done: false }))
      const reply = await ask(parts, 'GET', `resp_a1?stream=true&starting_after=${after}`)
      const told = eventsOf(await reply.text())
      assert.equal((await parts.provider.next()).url, '/v1/responses/resp_a1?stream=true')
      const numbers = told.map(({ sequence_number: number }) => number)
      assert.equal(numbers.at(-1), events.length - 1)
      assert.ok(
        numbers.every((number) => number >= Math.min(after, events.length - 1)),
        `${after}: ${numbers}`,
      )
      const said = told.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('')
      for (const part of ['ord', 'fi', 'sh']) assert.ok(!said.includes(part), `${after}: ${said}`)
    }
  })

  it('goes on after any event without plugins too', async (t) => {
    const parts = await made(t, [])
    const events = message(deltas)
    for (const after of [0, 4, 8]) {
      parts.provider.reply(stream(events, { done: false }))
      const reply = await ask(parts, 'GET', `resp_a1?stream=true&starting_after=${after}`)
      assert.deepEqual(eventsOf(await reply.text()), events.slice(after + 1))
    }
  })

  it('ends when the client leaves', async (t) => {
    const parts = await made(t, [detector])
    for (const path of ['resp_a1', 'resp_a1?stream=true', 'resp_a1/input_items']) {
      const leave = new AbortController()
      parts.provider.reply(async ({ request }) => {
        leave.abort()
        await request.closed
      })
      await ask(parts, 'GET', path, { signal: leave.signal }).catch(() => undefined)
      assert.equal(await (await parts.provider.next()).closed, 'aborted')
      await parts.next('stream.aborted')
    }
  })

  it('records the ids of responses, but none of a list of items, which clients may have chosen', async (t) => {
    const parts = await made(t, [])
    parts.provider.reply(json(response({ output: [{ ...said('later'), id: 'msg_later1' }] })), json(page(asked('Hi'))))
    await (await ask(parts, 'GET', 'resp_a1')).text()
    await (await ask(parts, 'GET', 'resp_a1/input_items')).text()
    const refer = (id: string) => respond(parts.gateway, { input: [{ type: 'item_reference', id }] })
    parts.provider.reply(json(response({ id: 'resp_d1' })))
    assert.equal((await refer('msg_later1')).status, 200)
    assert.equal((await refer('msg_u1')).status, 404)
  })

  it('is invalid if it is no response, list or deletion', async (t) => {
    const parts = await made(t, [])
    for (const [method, path, reply] of [
      ['GET', '', page()],
      ['GET', '/input_items', response()],
      ['DELETE', '', []],
    ] as const) {
      parts.provider.reply(json(reply as never))
      assert.equal((await ask(parts, method, `resp_a1${path}`)).status, 502)
    }
  })
})

describe('requests beside responses', () => {
  const post = ({ gateway }: Running, path: string, body: object, key = USER_KEY) =>
    send(`${gateway.baseURL}/responses/${path}`, {
      body: { model: 'gpt-test', input: 'Hello', ...body },
      headers: bearer(key),
    })
  const sealed =
    'rC2XUfOcYiIZNgZpggGmXqNIHeeuZRw7gacQzDb3eRwJ3ALjIDlE04PRTffAgEObCg1KIK7Ombm/pQL+o+iE64iw70vVrCezauMLU8ft'
  const compacted = (...output: object[]) => ({
    id: 'resp_k1',
    object: 'response.compaction',
    created_at: 1793000000,
    output: [...output, { id: 'cmp_k1', type: 'compaction', encrypted_content: sealed }],
    usage: USAGE,
  })

  it('count tokens and compact, inspected both ways', async (t) => {
    const parts = await running(t, [detector])
    parts.provider.reply(json({ object: 'response.input_tokens', input_tokens: 9, note: SECRET }))
    const counted = await bodyOf(await post(parts, 'input_tokens', { instructions: SECRET }))
    assert.equal(counted.input_tokens, 9)
    assert.ok(!JSON.stringify(counted).includes(SECRET))
    parts.provider.reply(json(compacted(said(SECRET))))
    const { output, service } = await bodyOf(await post(parts, 'compact', { input: [asked(`a ${SECRET}`)] }))
    assert.equal(output[1].encrypted_content, sealed)
    assert.ok(!JSON.stringify(output).includes(SECRET))
    assert.equal(service.warnings, undefined)
    const sent = [await parts.provider.next(), await parts.provider.next()]
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['/v1/responses/input_tokens', '/v1/responses/compact'],
    )
    for (const { body } of sent) assert.ok(!body.toString().includes(SECRET))
    const tokens = parts.events().filter(({ type }) => type === 'request.completed')
    assert.deepEqual(
      tokens.map(({ operation }) => operation),
      ['POST /v1/responses/input_tokens', 'POST /v1/responses/compact'],
    )
  })

  it('name only what is the key’s own, and make no ids its own', async (t) => {
    const parts = await made(t, [])
    for (const path of ['input_tokens', 'compact']) {
      const before = parts.provider.requests.length
      for (const id of ['resp_a1', 'resp_nobody1']) {
        const reply = await post(parts, path, { previous_response_id: id }, ADMIN_KEY)
        assert.equal(reply.status, 404)
      }
      assert.equal(parts.provider.requests.length, before)
      parts.provider.reply(json(path === 'compact' ? compacted() : { input_tokens: 9 }))
      assert.equal((await post(parts, path, { previous_response_id: 'resp_a1' })).status, 200)
    }
    assert.equal((await ask(parts, 'GET', 'resp_k1')).status, 404)
  })

  it('have no stream, and are invalid where the reply is another', async (t) => {
    const parts = await running(t, [])
    for (const path of ['input_tokens', 'compact']) {
      const { error } = await bodyOf(await post(parts, path, { stream: true }))
      assert.equal(error.param, 'stream')
      parts.provider.reply(json({ object: 'response' }))
      assert.equal((await post(parts, path, {})).status, 502)
      assert.equal((await ask(parts, 'GET', path)).status, 405)
    }
  })
})
