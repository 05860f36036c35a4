import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json } from '../../../../../core/engine/contract/plugin.ts'
import { type ChatEvent, readEvent } from '../../../../../core/engine/dialects/chat-completions/event.ts'
import { EventWalker } from '../../../../../core/engine/dialects/chat-completions/event-walker.ts'
import { pathToString } from '../../../../../core/engine/json/strict.ts'
import { chunk } from '../../../../../core/testing/provider.ts'
import { hiddenForms, placesOf } from '../../../../helpers/places.ts'
import { SEAL } from '../../../../helpers/seals.ts'

const read = (event: object | string): ChatEvent =>
  readEvent(typeof event === 'string' ? event : JSON.stringify(event)) as ChatEvent

/** What a new walker finds, as `how channel choice path text`. */
function found(event: object, walker = new EventWalker()): string[] {
  const { pieces, tools, fixed } = walker.walk(read(event))
  return [
    ...pieces.map(
      ({ channel, choice, field, path, text }) => `grows ${channel} ${choice} ${field} ${pathToString(path)} ${text}`,
    ),
    ...tools.map(
      ({ choice, call, part, path, text }) => `call ${choice} ${call} ${part} ${pathToString(path)} ${text}`,
    ),
    ...(fixed?.fields ?? []).map(
      ({ channel, role, choice, path, place, text }) =>
        `${place} ${channel} ${role ?? '-'} ${choice} ${pathToString(path)} ${text}`,
    ),
  ]
}

const delta = (more: object, index = 0, rest: object = {}) =>
  chunk([{ index, delta: more, finish_reason: null, ...rest }])
const base64 = 'UklGRiQAAABXQVZF'.repeat(10)

describe('where text lives in a stream event', () => {
  const table: [string, object, string[]][] = [
    ['a role', delta({ role: 'assistant', content: '', refusal: null }), []],
    ['content', delta({ content: 'hi' }, 2), ['grows content 2 content choices[0].delta.content hi']],
    [
      'reasoning',
      delta({ reasoning_content: 'a', reasoning: 'b' }),
      [
        'grows reasoning 0 reasoning choices[0].delta.reasoning_content a',
        'grows reasoning 0 reasoning.2 choices[0].delta.reasoning b',
      ],
    ],
    ['refusal', delta({ refusal: 'no' }), ['grows refusal 0 content choices[0].delta.refusal no']],
    [
      'a transcript',
      delta({ audio: { id: 'audio_1', data: base64, transcript: 'said', expires_at: 1763676000 } }),
      ['grows transcript 0 audio.transcript choices[0].delta.audio.transcript said'],
    ],
    [
      'a tool call',
      delta(
        {
          tool_calls: [
            { index: 3, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a' } },
            { index: 4, custom: { name: 'g', input: 'ls' } },
          ],
        },
        1,
      ),
      [
        'call 1 tool_calls.3 name choices[0].delta.tool_calls[0].function.name f',
        'call 1 tool_calls.3 arguments choices[0].delta.tool_calls[0].function.arguments {"a',
        'call 1 tool_calls.4 name choices[0].delta.tool_calls[1].custom.name g',
        'call 1 tool_calls.4 input choices[0].delta.tool_calls[1].custom.input ls',
      ],
    ],
    [
      'a function call',
      delta({ function_call: { name: 'f', arguments: '{}' } }),
      [
        'call 0 function_call name choices[0].delta.function_call.name f',
        'call 0 function_call arguments choices[0].delta.function_call.arguments {}',
      ],
    ],
    [
      'annotations',
      delta({ annotations: [{ type: 'url_citation', url_citation: { title: 'X' } }] }, 1),
      [
        'key annotation assistant 1 choices[0].delta.annotations[0].url_citation url_citation',
        'key annotation assistant 1 choices[0].delta.annotations[0].url_citation.title title',
        'grows annotation 1 annotations.url_citation.title choices[0].delta.annotations[0].url_citation.title X',
      ],
    ],
    [
      'a finish, usage, padding, filter results',
      {
        ...delta({}, 0, {
          finish_reason: 'stop',
          logprobs: null,
          content_filter_results: { hate: { filtered: false, severity: 'safe' } },
          content_filter_offsets: { check_offset: 1, start_offset: 0, end_offset: 5 },
        }),
        usage: { prompt_tokens: 1234567, completion_tokens: 2 },
        obfuscation: 'abc',
        service_tier: 'default',
      },
      [],
    ],
    [
      'a vendor field of the delta, which grows',
      delta({ thought: 'deep' }, 1),
      ['grows other 1 thought choices[0].delta.thought deep', 'key other assistant 1 choices[0].delta.thought thought'],
    ],
    [
      'vendor fields deep in the delta, which grow',
      delta({
        reasoning_details: [
          { type: 'reasoning.text', text: 'first', index: 0, format: 'anthropic-claude-v1', signature: SEAL },
          { type: 'reasoning.text', text: 'second', index: 7 },
        ],
      }),
      [
        'grows other 0 reasoning_details.text@0 choices[0].delta.reasoning_details[0].text first',
        'grows other 0 reasoning_details.text@7 choices[0].delta.reasoning_details[1].text second',
        'key other assistant 0 choices[0].delta.reasoning_details reasoning_details',
        'key other assistant 0 choices[0].delta.reasoning_details[0].text text',
        'key other assistant 0 choices[0].delta.reasoning_details[1].text text',
      ],
    ],
    [
      'content in parts, which grow',
      delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }),
      [
        'grows content 0 content.thinking choices[0].delta.content[0].thinking[0].text hm',
        'key content assistant 0 choices[0].delta.content[0].thinking thinking',
        'key content assistant 0 choices[0].delta.content[0].thinking[0].text text',
      ],
    ],
    [
      'content in parts that name sources',
      delta({
        content: [
          { type: 'reference', reference_ids: [] },
          { type: 'tool_reference', title: 'A page' },
          { type: 'document_url', document_name: 'A file' },
        ],
      }),
      [
        'key content assistant 0 choices[0].delta.content[0].reference_ids reference_ids',
        'grows content 0 content.title choices[0].delta.content[1].title A page',
        'key content assistant 0 choices[0].delta.content[1].title title',
        'grows content 0 content.document_name choices[0].delta.content[2].document_name A file',
        'key content assistant 0 choices[0].delta.content[2].document_name document_name',
      ],
    ],
    [
      'vendor fields of the event',
      { ...chunk([]), provider: 'Some One', citations: ['https://x.org'] },
      [
        'key other - 0 provider provider',
        'grows other 0 event:provider provider Some One',
        'key other - 0 citations citations',
        'grows other 0 event:citations citations[0] https://x.org',
      ],
    ],
    [
      'what the provider calls an error',
      { error: { message: 'No way', code: 'x' } },
      [
        'key other - 0 error error',
        'key other - 0 error.message message',
        'grows other 0 event:error.message error.message No way',
        'key other - 0 error.code code',
        'grows other 0 event:error.code error.code x',
      ],
    ],
    [
      'pictures',
      delta({
        images: [
          { type: 'image_url', index: 0, image_url: { url: `data:image/png;base64,${'iVBORw0KGgo'.repeat(10)}` } },
        ],
      }),
      [],
    ],
  ]
  for (const [name, event, expected] of table) {
    it(name, () => assert.deepEqual(found(event).sort(), [...expected].sort()))
  }

  it('is everywhere: any text put anywhere is told', () => {
    for (const [row, put] of table.flatMap(([, event]) => placesOf(event as Json)).entries()) {
      for (const { hidden, value } of hiddenForms(row)) {
        const event = put(value)
        const parsed = readEvent(JSON.stringify(event))
        if (parsed === undefined) continue
        assert.ok(
          found(event as object).some((one) => one.endsWith(` ${hidden}`)),
          JSON.stringify(event),
        )
      }
    }
  })

  it('is told once where it repeats and was clean, and each time where it was not', () => {
    const event = { ...delta({ content: 'x' }), provider: 'Some One' }
    const walker = new EventWalker()
    const grows = () => walker.walk(read(event)).pieces.some(({ field }) => field === 'event:provider')
    // What repeats may be the first pieces of a value, until it has repeated often enough.
    for (let i = 0; i < 4; i++) assert.ok(grows())
    const first = walker.walk(read(event)).fixed?.fields ?? []
    assert.deepEqual(first.map(({ place }) => place).sort(), ['key', 'value'])
    assert.equal(walker.walk(read(event)).fixed?.fields.length, 2)
    for (const field of first) if (field.place === 'key') walker.markClean(field)
    assert.deepEqual(
      walker.walk(read(event)).fixed?.fields.map(({ place }) => place),
      ['value'],
    )
    for (const field of first) walker.markClean(field)
    assert.equal(walker.walk(read(event)).fixed, undefined)
    const other = walker.walk(read({ ...event, provider: 'Another' }))
    assert.ok(other.departs)
    assert.equal(other.pieces.length, 2)
    assert.ok(grows())
  })

  it('of an event that can be read in two ways is that of our reading, and our reading is sent', () => {
    const event = read('{"choices":[{"index":0,"delta":{"content":"a","content":"b"}}]}')
    assert.deepEqual(
      new EventWalker().walk(event).pieces.map(({ text }) => text),
      ['b'],
    )
    assert.equal(event.payload, '{"choices":[{"index":0,"delta":{"content":"b"}}]}')
  })
})

describe('a payload', () => {
  it('that is no JSON object is no event', () => {
    for (const text of ['', '[', '[]', '"x"', 'null', '7', '{"a":1', '{}x'])
      assert.equal(readEvent(text), undefined, text)
  })

  it('is read right even when a name has an escape that V8 confuses', () => {
    JSON.parse('{"choices":[],"\\\\u0065":1}')
    assert.equal(read('{"choices":[],"\\u0065rror":{"message":"x"}}').failed, true)
  })

  it('tells finish, usage and failure', () => {
    assert.equal(read(delta({})).finishes, false)
    assert.equal(read(delta({}, 0, { finish_reason: 'stop' })).finishes, true)
    assert.deepEqual(read({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }).usage, {
      prompt: 1,
      completion: 2,
      estimated: false,
    })
    assert.equal(read({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }).isUsageOnly, true)
    assert.equal(read({ choices: [], usage: null }).usage, undefined)
    assert.equal(read({ choices: [], usage: null }).isUsageOnly, false)
    assert.equal(read({ error: null }).failed, false)
    assert.equal(read({ error: {} }).failed, true)
  })

  it('loses a member service', () => {
    const event = read('{"service":{"a":1},"choices":[],"service":2}')
    event.dropService()
    assert.equal(event.payload, '{"choices":[]}')
    assert.equal(event.tree.service, undefined)
  })
})
