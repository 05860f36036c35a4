/** A streamed message is inspected, held and rewritten as chat is, and its blocks stay what they were. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { raw } from '../../../../../core/testing/provider.ts'
import { type Plugin, redacting, running, word } from '../../../../helpers/core.ts'
import {
  begin,
  blockStart,
  blockStop,
  delta,
  end,
  event,
  finish,
  SIGNATURE,
  said,
  textBlock,
  thinkingBlock,
  toolBlock,
  whole,
} from '../../../../helpers/messages.ts'
import { some } from '../../../../helpers/rounds.ts'
import { cuts } from '../../../../helpers/text.ts'
import { fixture, inTwo, streamed, together, WORD } from './messaging.ts'

const FIXTURES = ['text', 'tools', 'thinking', 'server-tools', 'unicode', 'refusal']
const blocksOf = (text: string) => together(text).blocks

describe('a streamed message', () => {
  for (const [row, name] of FIXTURES.entries()) {
    for (const split of some(['event', 'byte', 'whole'] as const, 3, row)) {
      it(`passes unchanged without plugins: ${name}, read by ${split}`, async () => {
        const { raw: text } = await streamed(await redacting(), [raw(fixture(`${name}.sse`))], {}, split)
        assert.equal(text, fixture(`${name}.sse`))
      })

      it(`is redacted and otherwise the same: ${name}, read by ${split}`, async () => {
        const {
          raw: text,
          blocks,
          stop,
          usage,
        } = await streamed(await redacting(WORD), [raw(fixture(`${name}.sse`))], {}, split)
        const from = together(fixture(`${name}.sse`))
        assert.doesNotMatch(text, /anna\.berg/)
        assert.equal(stop, from.stop)
        assert.deepEqual(usage, from.usage)
        assert.equal(blocks.length, from.blocks.length)
        for (const [i, block] of from.blocks.entries()) {
          const { json: _, ...given } = block
          const { json: __, ...got } = blocks[i] as typeof block
          const dirty = JSON.stringify(given).match(/anna|\u200b/) !== null
          if (!dirty) assert.deepEqual(got, given)
          else assert.deepEqual([got.type, got.signature], [given.type, given.signature])
        }
      })
    }
  }

  it('is redacted wherever a value is cut, in CRLF too', async () => {
    const parts = await redacting('secret')
    for (const [a, b] of some(cuts('the secret is out'), 3)) {
      const steps = whole([textBlock([a, b])])
      const { text, raw: bytes, service } = await streamed(parts, steps)
      assert.deepEqual([text, service?.action], ['the [WORD] is out', 'redact'])
      assert.doesNotMatch(bytes, /secret/)
    }
    const crlf = whole([textBlock(['a sec', 'ret'])])
      .map(({ bytes }) => bytes.toString())
      .join('')
      .replaceAll('\n', '\r\n')
    assert.equal((await streamed(parts, [raw(crlf)], {}, 'byte')).text, 'a [WORD]')
  })

  it('is redacted over the border of two blocks', async () => {
    const parts = await redacting('secret')
    for (const [a, b] of some(cuts('the secret is out'), 3)) {
      const { blocks, text } = await streamed(parts, whole([textBlock([a]), textBlock([b], 1)]))
      assert.deepEqual([text, blocks.length], ['the [WORD] is out', 2])
    }
  })

  it('sends what is safe while the rest waits', async () => {
    const parts = await redacting('secret')
    const begun = [begin(), blockStart(0, { type: 'text', text: '' }), said('clear '), said('sec')]
    const [early, all] = await inTwo(parts, begun, [said('ond'), blockStop(0), finish(), end()])
    assert.equal(together(early).text, 'clear ')
    assert.equal(together(all).text, 'clear second')
  })

  it('sends the safe start of a long delta, and the rest later', async () => {
    const parts = await redacting('secret')
    const long = 'All is well here. '.repeat(40)
    const { text, events } = await streamed(parts, whole([textBlock([`${long}sec`, 'ret'])]))
    assert.equal(text, `${long}[WORD]`)
    assert.ok(events.filter(({ type }) => type === 'content_block_delta').length >= 2)
  })

  it('keeps an emptied block', async (t) => {
    const replaces: Plugin = {
      detect: (view) => {
        const at = view.text.indexOf('gone')
        if (at !== -1) view.report({ type: 'word', start: at, end: at + 4, action: 'redact', replace: '' })
      },
    }
    const { blocks } = await streamed(
      await running(t, [replaces]),
      whole([textBlock(['gone']), textBlock(['here'], 1)]),
    )
    assert.deepEqual(
      blocks.map(({ text }) => text),
      ['', 'here'],
    )
  })

  it('without governance is read again after a delta that looks like none', async () => {
    const parts = await redacting()
    const odd = raw('data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}}\n\n')
    const { text } = await streamed(parts, [
      ...[begin(), blockStart(0, { type: 'text', text: '' }), said('a'), odd, odd],
      ...[blockStop(0), finish(), end()],
    ])
    assert.equal(text, 'abb')
  })
})

describe('a call of a tool in a stream', () => {
  it('is inspected decoded, wherever its input is cut', async () => {
    const parts = await redacting(WORD)
    const input = `{"to":"anna.b\\u0065rg@example.com","note":"caf\\u00e9 \\"N\\"","n":[1,{"a":null}]}`
    for (const [a, b] of some(cuts(input), 5)) {
      const { blocks, raw: text } = await streamed(parts, whole([toolBlock('send', ['', a, b])], 'tool_use'))
      assert.deepEqual(blocks[0]?.input, { to: '[WORD]', note: 'café "N"', n: [1, { a: null }] })
      assert.doesNotMatch(text, /anna/)
    }
  })

  it('leaves unchanged if it is clean, and without input', async () => {
    const parts = await redacting(WORD)
    const steps = whole([toolBlock('a', ['', '{"b"', ':"c"}']), toolBlock('d', [], 1)], 'tool_use')
    const { raw: text } = await streamed(parts, steps)
    const events = steps
      .slice(0, -2)
      .map(({ bytes }) => bytes.toString())
      .join('')
    assert.ok(text.startsWith(events))
  })

  it('leaves when its block ends, before the message does', async () => {
    const parts = await redacting(WORD)
    const begun = [
      ...[begin(), ...textBlock(['I look.']), ...toolBlock('a', ['{"b":', '1}'], 1)],
      ...[blockStart(2, { type: 'tool_use', id: 'toolu_01B2', name: 'c', input: {} })],
      delta(2, { type: 'input_json_delta', partial_json: '{"d":' }),
    ]
    const rest = [delta(2, { type: 'input_json_delta', partial_json: '2}' }), blockStop(2), finish('tool_use'), end()]
    const [early, all] = await inTwo(parts, begun, rest)
    const { blocks } = together(early)
    assert.deepEqual([blocks[0]?.text, blocks[1]?.input, blocks.length], ['I look.', { b: 1 }, 2])
    assert.deepEqual(blocksOf(all)[2]?.input, { d: 2 })
  })

  it('that is blocked ends the stream, and nothing of it leaves; an earlier one did', async (t) => {
    const parts = await running(t, [word('secret', 'block')])
    const {
      blocks,
      error,
      raw: text,
    } = await streamed(
      parts,
      whole([toolBlock('a', ['{"b":1}']), toolBlock('c', ['{"d":"sec', 'ret"}'], 1)], 'tool_use'),
    )
    assert.deepEqual([blocks.length, blocks[0]?.input], [1, { b: 1 }])
    assert.equal(error?.type, 'permission_error')
    assert.doesNotMatch(text, /secret|toolu_01A1/)
  })

  it('cut by the token limit passes, or is blocked if it cannot be redacted', async () => {
    const parts = await redacting('secret')
    const cut = (input: string) => [begin(), ...toolBlock('a', [input]).slice(0, -1), finish('max_tokens'), end()]
    const steps = cut('{"b":"cl')
    const { raw: text, stop } = await streamed(parts, steps)
    assert.ok(
      text.startsWith(
        steps
          .slice(0, 3)
          .map(({ bytes }) => bytes.toString())
          .join(''),
      ),
    )
    assert.equal(stop, 'max_tokens')
    const dirty = await streamed(parts, cut('{"b":"secret'))
    assert.doesNotMatch(dirty.raw, /secret/)
  })

  it('is redacted in its name', async () => {
    const { blocks } = await streamed(await redacting('secret'), whole([toolBlock('secret', ['{}'])], 'tool_use'))
    assert.equal(blocks[0]?.name, '[WORD]')
  })
})

describe('thinking in a stream', () => {
  it('that is clean leaves with its signature, byte for byte', async () => {
    const steps = whole([thinkingBlock(['I ', 'think.'], SIGNATURE), textBlock(['Yes.'], 1)])
    const { raw: text } = await streamed(await redacting('secret'), steps)
    assert.ok(
      text.startsWith(
        steps
          .slice(0, -2)
          .map(({ bytes }) => bytes.toString())
          .join(''),
      ),
    )
  })

  it('with a finding is emptied and keeps its signature, wherever the value is cut', async () => {
    const parts = await redacting('secret')
    for (const [a, b] of some(cuts('the secret is out'), 3)) {
      const { blocks, raw: text } = await streamed(
        parts,
        whole([thinkingBlock([a, b], SIGNATURE), textBlock(['Yes.'], 1)]),
      )
      assert.deepEqual([blocks[0]?.thinking, blocks[0]?.signature, blocks[1]?.text], ['', SIGNATURE, 'Yes.'])
      assert.doesNotMatch(text, /secret/)
    }
  })

  it('without a signature is redacted as text is', async () => {
    const { blocks } = await streamed(await redacting('secret'), whole([thinkingBlock(['the sec', 'ret'], '')]))
    assert.equal(blocks[0]?.thinking, 'the [WORD]')
  })

  it('keeps the tokens that text gets restored', async (t) => {
    const restores: Plugin = {
      apply: (hooks) =>
        hooks.onChunk.tap('r', (views, x) => {
          for (const view of views) {
            const at = view.text.indexOf('<T1>')
            if (at !== -1) x.reply.restore(view, at, at + 4, 'Anna')
          }
        }),
    }
    const { blocks } = await streamed(
      await running(t, [restores]),
      whole([thinkingBlock(['Ask <T1>.'], SIGNATURE), textBlock(['Ask <T1>.'], 1)]),
    )
    assert.deepEqual([blocks[0]?.thinking, blocks[1]?.text], ['Ask <T1>.', 'Ask Anna.'])
  })
})

describe('other texts of a stream', () => {
  it('hold back nothing, though an unknown member is beside each', async () => {
    const parts = await redacting('secret')
    const told = (text: string) =>
      event('content_block_delta', { index: 0, provider: 'Acme', delta: { type: 'text_delta', text } })
    const begun = [begin(), blockStart(0, { type: 'text', text: '' }), told('clear ')]
    const [early, all] = await inTwo(parts, begun, [told('too'), blockStop(0), finish(), end()])
    assert.equal(together(early).text, 'clear ')
    assert.equal(together(all).text, 'clear too')
  })

  const citation = (cited_text: string) => ({
    type: 'char_location',
    cited_text,
    document_index: 0,
    document_title: null,
  })
  for (const [name, steps] of [
    [
      'a citation',
      whole([
        [
          blockStart(0, { type: 'text', text: '' }),
          delta(0, { type: 'citations_delta', citation: citation('secret') }),
          said('a'),
          blockStop(0),
        ],
      ]),
    ],
    [
      'a delta that nobody knows',
      whole([
        [
          blockStart(0, { type: 'text', text: '' }),
          delta(0, { type: 'new_delta', words: 'sec' }),
          delta(0, { type: 'new_delta', words: 'ret' }),
          blockStop(0),
        ],
      ]),
    ],
    [
      'an event that nobody knows',
      [
        begin(),
        event('new_event', { words: 'sec' }),
        event('new_event', { words: 'ret' }),
        ...textBlock(['a']),
        finish(),
        end(),
      ],
    ],
    [
      'a whole result',
      whole([
        [
          blockStart(0, {
            type: 'web_search_tool_result',
            tool_use_id: 'srvtoolu_01A',
            content: [{ type: 'web_search_result', title: 'secret' }],
          }),
          blockStop(0),
        ],
      ]),
    ],
    [
      'a block that nobody knows',
      whole([[blockStart(0, { type: 'new_block', deep: [{ er: 'secret' }] }), blockStop(0)]]),
    ],
    [
      'a text that is there at the start',
      whole([[blockStart(0, { type: 'text', text: 'sec' }), said('ret'), blockStop(0)]]),
    ],
    [
      'a message that is there at the start',
      [begin({ content: [{ type: 'text', text: 'sec' }] }), ...textBlock(['ret'], 1), finish(), end()],
    ],
    [
      'an explanation',
      [
        begin(),
        ...textBlock(['a']),
        event('message_delta', {
          delta: {
            stop_reason: 'refusal',
            stop_sequence: null,
            stop_details: { type: 'refusal', category: null, explanation: 'secret' },
          },
        }),
        end(),
      ],
    ],
    [
      'a stop sequence',
      [
        begin(),
        ...textBlock(['a']),
        event('message_delta', { delta: { stop_reason: 'stop_sequence', stop_sequence: 'secret' } }),
        end(),
      ],
    ],
    [
      'a member of a delta',
      whole([
        [
          blockStart(0, { type: 'text', text: '' }),
          delta(0, { type: 'text_delta', text: 'a', note: 'secret' }),
          blockStop(0),
        ],
      ]),
    ],
    ['a member of an event', [begin(), event('ping', { secret: 1 }), ...textBlock(['a']), finish(), end()]],
    ['a signature that is none', whole([thinkingBlock(['a'], 'the secret')])],
  ] as const) {
    it(`are redacted: ${name}`, async () => {
      const { raw: text, status } = await streamed(await redacting('secret'), steps)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /secret/)
      assert.match(text, /\[WORD\]|"sec/)
      assert.ok(!/"sec"[\s\S]*"ret"/.test(text), text)
    })
  }
})
