import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { demoReply, demoStream, demoTokens } from '../../../../core/engine/upstreams/demo.ts'
import { demoCompletion } from '../../../../core/engine/upstreams/demo-completions.ts'
import { codePoint } from '../../../helpers/code-points.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { assertValid } from '../../../helpers/schemas.ts'

interface Chunk {
  choices: { index: number; delta: { role?: string; content?: string }; finish_reason: string | null }[]
  usage?: object | null
}
interface Completion {
  id: string
  created: number
  model: string
  choices: { index: number; message: { content: string }; finish_reason: string }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

const reply = (body: object, stamp?: object) => demoReply(body as never, stamp) as unknown as Completion
const ask = (content: unknown, more: object = {}) => ({ model: 'demo', messages: [{ role: 'user', content }], ...more })

/** The parsed chunks, after checking each against the schema and the end against `[DONE]`. */
function streamed(body: object): Chunk[] {
  const payloads = [...demoStream(body as never)]
  assert.equal(payloads.pop(), '[DONE]')
  return payloads.map((payload) => {
    assertValid('chat-completion-chunk', JSON.parse(payload))
    return JSON.parse(payload) as Chunk
  })
}

function contentOf(chunks: readonly Chunk[], index: number): string {
  const parts = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === index)
  return parts.map((choice) => choice.delta.content ?? '').join('')
}

describe('demo model', () => {
  it('says what it is and echoes the last user message', () => {
    const body = {
      model: 'gpt-x',
      messages: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: 'no' },
        { role: 'user', content: 'second' },
        { role: 'tool', tool_call_id: 'a', content: 'result' },
      ],
    }
    const answer = reply(body)
    assertValid('chat-completion', answer)
    assert.equal(answer.model, 'gpt-x')
    assert.equal(
      answer.choices[0]?.message.content,
      'This is the demo model built into governed-gateway; no provider was called. You said: second',
    )
    assert.equal(answer.choices[0]?.finish_reason, 'stop')
  })

  it('joins text parts and skips others', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const answer = reply(ask([{ type: 'text', text: 'look' }, image, { type: 'text', text: 'here' }]))
    assert.match(answer.choices[0]?.message.content ?? '', /You said: look\nhere$/)
    assert.match(reply(ask([image])).choices[0]?.message.content ?? '', /held no text\.$/)
  })

  it('answers without a user message and with shapes it does not know', () => {
    for (const body of [{ model: 'demo', messages: [] }, { messages: [null, 'x'] }, {}, ask(null), ask(17)]) {
      assertValid('chat-completion', reply(body))
      assert.ok(streamed(body).length > 0)
    }
    assert.match(reply({}).choices[0]?.message.content ?? '', /no user message to echo\.$/)
  })

  it('honours n', () => {
    const answer = reply(ask('hi', { n: 3 }))
    assert.deepEqual(
      answer.choices.map((choice) => choice.index),
      [0, 1, 2],
    )
    const chunks = streamed(ask('hi', { n: 3 }))
    for (const { index, message } of answer.choices) assert.equal(contentOf(chunks, index), message.content)
    assert.equal(reply(ask('hi', { n: 100_000 })).choices.length, 128)
  })

  it('stops at the larger of the token limits with finish_reason length', () => {
    const answer = reply(ask('hi', { max_tokens: 2, max_completion_tokens: 3 }))
    assert.equal(answer.choices[0]?.message.content, 'This is the')
    assert.equal(answer.choices[0]?.finish_reason, 'length')
    assert.equal(answer.usage.completion_tokens, 3)
    const chunks = streamed(ask('hi', { max_tokens: 3 }))
    assert.equal(contentOf(chunks, 0), 'This is the')
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'length')
    assert.equal(reply(ask('hi', { max_tokens: 10_000 })).choices[0]?.finish_reason, 'stop')
  })

  it('counts usage as documented', () => {
    const answer = reply(ask('three short words', { n: 2 }))
    const tokens = demoTokens(answer.choices[0]?.message.content ?? '').length
    assert.deepEqual(answer.usage, {
      prompt_tokens: 4 + 3,
      completion_tokens: tokens * 2,
      total_tokens: 7 + tokens * 2,
    })
  })

  it('starts a stream with the role and ends it with the finish', () => {
    const chunks = streamed(ask('hi'))
    assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '', refusal: null })
    assert.deepEqual(chunks.at(-1)?.choices[0]?.delta, {})
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop')
    assert.ok(chunks.every((chunk) => !('usage' in chunk)))
  })

  it('sends usage last, and null before, when it is asked for', () => {
    const chunks = streamed(ask('hi', { stream_options: { include_usage: true } }))
    const last = chunks.pop()
    assert.deepEqual(last?.choices, [])
    assert.deepEqual(last?.usage, reply(ask('hi')).usage)
    assert.ok(chunks.every((chunk) => chunk.usage === null))
  })

  it('takes id and time from its caller', () => {
    const answer = reply(ask('hi'), { id: 'chatcmpl-7', created: 1_800_000_000 })
    assert.equal(answer.id, 'chatcmpl-7')
    assert.equal(answer.created, 1_800_000_000)
  })

  it('bounds the echo without cutting a character', () => {
    const content = `${'x'.repeat(4095)}😀${'y'.repeat(5000)}`
    const text = reply(ask(content)).choices[0]?.message.content ?? ''
    assert.ok(text.isWellFormed())
    assert.ok(text.endsWith('x… (5002 more characters)'))
  })

  it('streams the text of the buffered reply, whatever the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 200 }), fc.integer({ min: 1, max: 3 }), (content, n) => {
        assert.equal(demoTokens(content).join(''), content)
        const whole = reply(ask(content, { n })).choices.map((choice) => choice.message.content)
        const chunks = streamed(ask(content, { n }))
        assert.deepEqual(
          whole.map((_, index) => contentOf(chunks, index)),
          whole,
        )
        assert.deepEqual([...demoStream(ask(content, { n }) as never)], [...demoStream(ask(content, { n }) as never)])
      }),
      { numRuns: rounds(50) },
    )
  })
})

describe('a completion of the demo model', () => {
  it('has 16 tokens unless the request says otherwise, also where it says null', () => {
    const complete = (more: object) =>
      demoCompletion({ model: 'demo', prompt: 'Hello', ...more } as never) as unknown as {
        choices: { text: string; finish_reason: string }[]
      }
    for (const more of [{}, { max_tokens: null }, { max_tokens: 16 }]) {
      const [choice] = complete(more).choices
      assert.deepEqual([demoTokens(choice?.text ?? '').length, choice?.finish_reason], [16, 'length'])
    }
    assert.match(complete({ max_tokens: 100 }).choices[0]?.text ?? '', /You said: Hello$/)
  })
})
