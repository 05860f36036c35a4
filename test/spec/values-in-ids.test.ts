/** A value behind the prefix of an id is found as in a text, in every API and both directions; real ids stay. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, chunks, completion, delta, generator, json, type Raw, raw, stream } from 'governed-gateway/testing'
import { isId } from '../../core/engine/dialects/responses/shapes.ts'
import { isPadding } from '../../core/engine/dialects/shapes.ts'
import { bearer, setupForSuite, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { message, toolBlock, whole } from '../helpers/messages.ts'

const VALUES = {
  'an account': 'DE89370400440532013000',
  'an account with letters': 'GB29NWBK60161331926819',
  'an account as long as an id': 'ES9121000418450200051332',
  'a vehicle': '1HGCM82633A004352',
  'a national number of Italy': 'RSSMRA85T10A562S',
  'a national number of Mexico': 'HEGG560427MVZRRL04',
  'a national number of the UK': 'AB123456C',
  'a number of a health insurance': '1EG4-TE5-MK73',
  'a wallet of Bitcoin': '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  'a wallet of Ethereum': '0x52908400098527886E0F7030069857D21169EE3b',
}

/** The name of a type behind a prefix. */
const FOUND = /[a-z][-_]\[[A-Z_]+\]/

const called = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const user = { role: 'user', content: 'Hello' }

/** A request whose history has this id, in each API. */
const ASKED: Record<string, { path: string; prefix: string; body: (id: string) => object }> = {
  'chat completions': {
    path: '/v1/chat/completions',
    prefix: 'call_',
    body: (id) => ({
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [called(id)] },
        { role: 'tool', tool_call_id: id, content: 'ok' },
      ],
    }),
  },
  'files of chat completions': {
    path: '/v1/chat/completions',
    prefix: 'file-',
    body: (file_id) => ({ messages: [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }] }),
  },
  responses: {
    path: '/v1/responses',
    prefix: 'fc_',
    body: (id) => ({
      input: [
        { role: 'user', content: 'Hello' },
        { type: 'function_call', id, call_id: id, name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: id, output: 'ok' },
      ],
    }),
  },
  'files of responses': {
    path: '/v1/responses',
    prefix: 'file_',
    body: (file_id) => ({ input: [{ role: 'user', content: [{ type: 'input_file', file_id }] }] }),
  },
  messages: {
    path: '/v1/messages',
    prefix: 'toolu_',
    body: (id) => ({
      max_tokens: 9,
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      ],
    }),
  },
}

const event = (type: string, more: object): Raw => raw(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
const response = (id: string) => ({
  ...{ id: `resp_${id}`, object: 'response', created_at: 1, model: 'gpt-test', status: 'completed' },
  output: [{ type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, name: 'f', arguments: '{}' }],
})

/** A reply with this behind each of its ids, buffered and streamed. */
const SAID: Record<string, { path: string; buffered: (id: string) => object; streamed: (id: string) => Raw[] }> = {
  'chat completions': {
    path: '/v1/chat/completions',
    buffered: (id) => ({
      ...completion('Hello'),
      id: `chatcmpl-${id}`,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [called(`call_${id}`)] },
          finish_reason: 'tool_calls',
        },
      ],
    }),
    streamed: (id) =>
      chunks('Hello there', { usage: false } as never).map((one) => {
        const choices = (one.choices as { delta: object; finish_reason: string | null }[]).map((choice) =>
          choice.finish_reason === null
            ? { ...choice, delta: { ...choice.delta, tool_calls: [{ index: 0, ...called(`call_${id}`) }] } }
            : choice,
        )
        return raw(`data: ${JSON.stringify({ ...one, id: `chatcmpl-${id}`, choices })}\n\n`)
      }),
  },
  responses: {
    path: '/v1/responses',
    buffered: response,
    streamed: (id) => {
      const whole = response(id)
      const begun = { ...whole, status: 'in_progress', output: [] }
      return [
        event('response.created', { response: begun, sequence_number: 0 }),
        event('response.output_item.added', { output_index: 0, item: whole.output[0], sequence_number: 1 }),
        event('response.output_item.done', { output_index: 0, item: whole.output[0], sequence_number: 2 }),
        event('response.completed', { response: whole, sequence_number: 3 }),
      ]
    },
  },
  messages: {
    path: '/v1/messages',
    buffered: (id) =>
      message([{ type: 'tool_use', id: `toolu_${id}`, name: 'f', input: {} }], {
        id: `msg_${id}`,
        stop_reason: 'tool_use',
      }),
    streamed: (id) =>
      whole([toolBlock('f', ['{}'])], 'tool_use').map((one) =>
        raw(one.bytes.toString().replace(/"id":"(toolu|msg)_[^"]*"/g, `"id":"$1_${id}"`)),
      ),
  },
}

describe('values behind the prefix of an id', () => {
  const parts = setupForSuite({ plugins: [{ use: 'pii' }, { use: 'secrets' }] })
  const ask = (path: string, body: object) =>
    send(`${parts().gateway.url}${path}`, {
      method: 'POST',
      headers: { ...bearer(USER_KEY), 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-test', ...body }),
    } as never)

  for (const [what, value] of Object.entries(VALUES)) {
    for (const [name, { path, prefix, body }] of Object.entries(ASKED)) {
      it(`${what} in a request of ${name}`, async () => {
        const from = parts().provider.requests.length
        await (await ask(path, body(prefix + value))).text()
        await (await ask(path, body(prefix + value))).text()
        for (const { text } of parts().provider.requests.slice(from)) {
          assert.ok(!text.includes(value), text)
          assert.match(text, FOUND)
        }
      })
    }
    it(`${what} in an id of a call that comes in pieces`, async () => {
      for (const cut of [0, 2, 7, value.length - 1]) {
        const pieces = [`call_${value.slice(0, cut)}`, value.slice(cut)]
        const events = pieces.map((id, i) => {
          const call = i === 0 ? called(id) : { id, function: { arguments: '' } }
          return chunk([delta({ tool_calls: [{ index: 0, ...call }] })])
        })
        parts().provider.reply(stream([...events, chunk([delta({}, 0, 'tool_calls')])]))
        const body = { messages: [user], stream: true }
        const text = await (await ask('/v1/chat/completions', body)).text()
        const ids = [...text.matchAll(/"id":"(?!chatcmpl)([^"]*)"/g)].map(([, id]) => id).join('')
        assert.ok(!ids.includes(value), text)
      }
    })
    for (const [name, { path, buffered, streamed }] of Object.entries(SAID)) {
      it(`${what} in a reply of ${name}`, async () => {
        const body = ASKED[name]?.body('call_1') as object
        parts().provider.reply(json(buffered(value) as never))
        const whole = await (await ask(path, body)).text()
        assert.ok(!whole.includes(value), whole)
        assert.match(whole, FOUND)
        parts().provider.reply(stream(streamed(value) as never))
        const pieces = await (await ask(path, { ...body, stream: true })).text()
        assert.ok(!pieces.includes(value), pieces)
        assert.match(pieces, FOUND)
      })
    }
  }
})

const next = generator(7)
const drawn = (alphabet: string, length: number) =>
  Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
const DIGITS = '0123456789'
const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const BASE62 = DIGITS + SMALL + SMALL.toUpperCase()
const BASE58 = BASE62.replace(/[0OIl]/g, '')
const HEX = `${DIGITS}abcdef`
const uuid = () => `${drawn(HEX, 8)}-${drawn(HEX, 4)}-4${drawn(HEX, 3)}-a${drawn(HEX, 3)}-${drawn(HEX, 12)}`

/** How providers write ids, and how many of a hundred at least pass without a look. */
const REAL: Record<string, { least: number; make: () => string }> = {
  'call_ of OpenAI': { least: 95, make: () => `call_${drawn(BASE62, 24)}` },
  'chatcmpl- of OpenAI': { least: 90, make: () => `chatcmpl-${drawn(BASE62, 29)}` },
  'chatcmpl- of vLLM': { least: 80, make: () => `chatcmpl-${drawn(HEX, 32)}` },
  'call_ of LiteLLM': { least: 99, make: () => `call_${uuid()}` },
  'resp_ of OpenAI': { least: 80, make: () => `resp_${drawn(HEX, 48)}` },
  'msg_ of OpenAI': { least: 80, make: () => `msg_0${drawn(HEX, 49)}` },
  'toolu_ of Anthropic': { least: 99, make: () => `toolu_01${drawn(BASE58, 22)}` },
  'toolu_bdrk_ of Bedrock': { least: 99, make: () => `toolu_bdrk_01${drawn(BASE58, 22)}` },
  'file- of OpenAI': { least: 90, make: () => `file-${drawn(BASE62, 22)}` },
  'eight digits': { least: 100, make: () => `call_${drawn(DIGITS, 8)}` },
}

describe('ids that providers draw', () => {
  for (const [name, { least, make }] of Object.entries(REAL)) {
    it(`${name} cost no look`, () => {
      const exempt = Array.from({ length: 2000 }, make).filter((id) => isId(id)).length
      assert.ok(exempt >= least * 20, `${exempt} of 2000`)
    })
  }

  it('no value is an id or padding', () => {
    for (const value of Object.values(VALUES)) {
      for (const form of [value, value.toLowerCase()]) {
        for (const before of ['call_', 'call_00_', 'chatcmpl-tool-', 'toolu_bdrk_', 'call_1_', 'fc_', 'file-'])
          assert.ok(!isId(before + form), before + form)
      }
      assert.ok(!isPadding(value), value)
    }
  })

  it('no card is the beginning of a UUID', () => {
    for (const before of ['', 'call_', 'chatcmpl-']) {
      assert.ok(!isId(`${before}41111111-1111-1111-8abc-abcdefabcdef`))
      assert.ok(isId(`${before}4111111a-1111-1111-8abc-abcdefabcdef`))
    }
  })

  it('padding passes', () => {
    for (let i = 0; i < 200; i++) assert.ok(isPadding(`${drawn(BASE62, 3 + (i % 13))}a`.replace(/\d{3}/g, 'x')))
  })
})
