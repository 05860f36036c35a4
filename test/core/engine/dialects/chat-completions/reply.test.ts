import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../../../../../core/engine/contract/errors.ts'
import type { Json } from '../../../../../core/engine/contract/plugin.ts'
import { derivedEdits } from '../../../../../core/engine/dialects/chat-completions/derived.ts'
import { readReply, replyFields } from '../../../../../core/engine/dialects/chat-completions/reply.ts'
import { splice } from '../../../../../core/engine/json/splice.ts'
import { pathToString } from '../../../../../core/engine/json/strict.ts'
import { assertSeenAnywhere, HIDDEN, placesOf } from '../../../../helpers/places.ts'

const fields = (reply: object): string[] =>
  replyFields(readReply(JSON.stringify(reply))).fields.map(({ channel, role, choice, path, inner, place, text }) => {
    const where = pathToString(inner === undefined ? path : [...inner.path, ...path])
    return `${channel} ${role ?? '-'} ${choice} ${where} ${place} ${text}`
  })

const audio = 'UklGRiQAAABXQVZF'.repeat(10)
const token = (text: string) => ({
  token: text,
  logprob: -0.1,
  bytes: [104],
  top_logprobs: [{ token: 'other', logprob: -2, bytes: null }],
})

const full = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1763676000,
  model: 'gpt-test',
  system_fingerprint: 'fp_1',
  service_tier: 'default',
  choices: [
    {
      index: 1,
      finish_reason: 'stop',
      logprobs: { content: [token('hi')], refusal: null },
      content_filter_results: { hate: { filtered: false, severity: 'safe' } },
      message: {
        role: 'assistant',
        content: 'hi',
        refusal: 'no',
        reasoning_content: 'because',
        reasoning: 'since',
        reasoning_details: [{ type: 'reasoning.text', text: 'deep' }],
        annotations: [
          { type: 'url_citation', url_citation: { start_index: 0, end_index: 2, url: 'https://x.org', title: 'X' } },
        ],
        images: [{ type: 'image_url', index: 0, image_url: { url: `data:image/png;base64,${audio}` } }],
        audio: { id: 'audio_1', data: audio, expires_at: 1763676000, transcript: 'said' },
        tool_calls: [
          { id: 'call_1', type: 'function', index: 0, function: { name: 'send', arguments: '{"to":"Jo"}' } },
          { id: 'call_2', type: 'custom', custom: { name: 'shell', input: 'ls' } },
        ],
        function_call: { name: 'old', arguments: 'raw' },
      },
      native_finish_reason: 'completed',
    },
    {
      index: 0,
      finish_reason: 'length',
      logprobs: null,
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        audio: null,
      },
    },
  ],
  usage: {
    prompt_tokens: 12345678,
    completion_tokens: 2,
    total_tokens: 3,
    prompt_tokens_details: { cached_tokens: 0 },
  },
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: { jailbreak: { detected: false } } }],
  citations: ['https://y.org'],
}

describe('where text lives in a reply', () => {
  it('is told with channel, role and choice', () => {
    assert.deepEqual(fields(full).sort(), [
      'annotation assistant 1 choices[0].message.annotations[0].type key type',
      'annotation assistant 1 choices[0].message.annotations[0].type value url_citation',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation key url_citation',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation.end_index key end_index',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation.start_index key start_index',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation.title key title',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation.title value X',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation.url key url',
      'annotation assistant 1 choices[0].message.annotations[0].url_citation.url value https://x.org',
      'content assistant 0 choices[1].message.content[0].text value a',
      'content assistant 0 choices[1].message.content[1].text value b',
      'content assistant 1 choices[0].message.content value hi',
      'other - 0 citations key citations',
      'other - 0 citations[0] value https://y.org',
      'other - 1 choices[0].native_finish_reason key native_finish_reason',
      'other - 1 choices[0].native_finish_reason value completed',
      'other assistant 1 choices[0].message.reasoning_details key reasoning_details',
      'other assistant 1 choices[0].message.reasoning_details[0].text key text',
      'other assistant 1 choices[0].message.reasoning_details[0].text value deep',
      'other assistant 1 choices[0].message.reasoning_details[0].type key type',
      'other assistant 1 choices[0].message.reasoning_details[0].type value reasoning.text',
      'reasoning assistant 1 choices[0].message.reasoning value since',
      'reasoning assistant 1 choices[0].message.reasoning_content value because',
      'refusal assistant 1 choices[0].message.refusal value no',
      'tool_arguments assistant 1 choices[0].message.function_call.arguments value raw',
      'tool_arguments assistant 1 choices[0].message.tool_calls[0].function.arguments.to key to',
      'tool_arguments assistant 1 choices[0].message.tool_calls[0].function.arguments.to value Jo',
      'tool_arguments assistant 1 choices[0].message.tool_calls[1].custom.input value ls',
      'tool_name assistant 1 choices[0].message.function_call.name value old',
      'tool_name assistant 1 choices[0].message.tool_calls[0].function.name value send',
      'tool_name assistant 1 choices[0].message.tool_calls[1].custom.name value shell',
      'transcript assistant 1 choices[0].message.audio.transcript value said',
    ])
  })

  it('is everywhere: any text put anywhere is a view', () => {
    // The tokens of the text are told apart below.
    const plain = { ...full, choices: full.choices.map((choice) => ({ ...choice, logprobs: null })) }
    const accepted = assertSeenAnywhere(placesOf(plain as Json), fields)
    assert.ok(accepted > 300, String(accepted))
  })

  it('is in token probabilities of any other form', () => {
    const odd: Json[] = [
      HIDDEN,
      [HIDDEN],
      { tokens: [HIDDEN] },
      { content: HIDDEN },
      { content: [HIDDEN] },
      { content: [{ token: 'a', note: HIDDEN }] },
      { content: [{ token: { a: HIDDEN } }] },
      { content: [{ token: 'a', bytes: [HIDDEN] }] },
      { content: [{ token: 'a', logprob: HIDDEN }] },
      { content: [{ token: 'a', top_logprobs: { a: HIDDEN } }] },
      { content: [{ token: 'a', top_logprobs: [{ token: 'b', x: HIDDEN }] }] },
      { content: [{ token: 'a', top_logprobs: [{ token: 'b', top_logprobs: [{ token: HIDDEN }] }] }] },
    ]
    for (const logprobs of odd) {
      const found = fields({ choices: [{ index: 0, logprobs, message: {} }] })
      assert.ok(
        found.some((field) => field.endsWith(` ${HIDDEN}`)),
        JSON.stringify(logprobs),
      )
    }
  })

  it('in parts of one message, or in its content and refusal, is joined', () => {
    const { joined } = replyFields(readReply(JSON.stringify(full)))
    assert.deepEqual(
      joined.map(({ path }) => pathToString(path)),
      ['choices[0].message', 'choices[1].message.content'],
    )
  })

  it('is counted where it cannot be read', () => {
    assert.deepEqual(Object.fromEntries(replyFields(readReply(JSON.stringify(full))).uninspected), {
      image_url: 1,
      audio: 1,
    })
  })
})

describe('what repeats or points into a text', () => {
  const text = JSON.stringify(full)
  const after = (probabilities: boolean, citations: boolean) =>
    JSON.parse(
      splice(
        text,
        derivedEdits(full.choices as never, 'message', () => ({ probabilities, citations })),
      ),
    ) as typeof full

  it('goes when the text is rewritten', () => {
    const [first] = after(true, true).choices
    assert.equal(first?.logprobs, null)
    assert.deepEqual(first?.message.annotations, [])
    const odd = { choices: [{ index: 0, logprobs: ['h', 'i'], message: {} }] }
    const edits = derivedEdits(odd.choices as never, 'message', () => ({ probabilities: true, citations: true }))
    assert.equal(splice(JSON.stringify(odd), edits), '{"choices":[{"index":0,"logprobs":null,"message":{}}]}')
  })

  it('stays otherwise, but for alternatives that nobody inspected', () => {
    const [first] = after(false, false).choices
    const expected = structuredClone(full.choices[0]?.logprobs)
    for (const one of expected?.content ?? []) one.top_logprobs = []
    assert.deepEqual(first?.logprobs, expected)
    assert.equal(first?.message.annotations?.length, 1)
  })
})

describe('a body that is no completion', () => {
  it('is an invalid answer of the provider', () => {
    for (const text of ['', '{', '[]', 'null', '{}', '{"choices":{}}', '{"error":{"message":"x"}}', '<html>']) {
      assert.throws(
        () => readReply(text),
        (error) => error instanceof GatewayError && error.code === 'GW_UPSTREAM_INVALID',
        text,
      )
    }
  })

  it('is refused when it nests without end', () => {
    const deep = `{"choices":[],"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    assert.throws(() => readReply(deep), GatewayError)
    assert.throws(
      () => readReply(`{"choices":[],"choices":[],"x":${'['.repeat(1000)}${']'.repeat(1000)}}`),
      GatewayError,
    )
  })
})

describe('a reply that can be read in two ways', () => {
  it('is written anew from our reading', () => {
    const read = (text: string) => {
      const { text: own, tree, asSent } = readReply(text)
      assert.equal(asSent, false)
      assert.deepEqual(JSON.parse(own), tree)
      return own
    }
    assert.equal(read('{"choices":[1],"choices":[]}'), '{"choices":[]}')
    assert.equal(read('\ufeff{"choices":[]}'), '{"choices":[]}')
    assert.equal(read('{"choices":[],"__proto__":{"x":1}}'), '{"choices":[]}')
    assert.equal(read('{"choices":[{"constructor":{"prototype":{}}}]}'), '{"choices":[{"constructor":{}}]}')
    assert.equal(readReply('{"choices":[]}').asSent, true)
  })
})
