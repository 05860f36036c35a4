import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { promptOf } from '../../../core/engine/dialects/chat-completions/prompt.ts'
import { imageSize } from '../../../plugins/budget/image-size.ts'
import { audioTokens, fileTokens, imageTokens } from '../../../plugins/budget/media.ts'
import { promptTokens } from '../../../plugins/budget/prompt.ts'
import { TokenMemo } from '../../../plugins/budget/token-memo.ts'
import { type Count, countAll, loadTokenizer } from '../../../plugins/budget/tokens.ts'
import { rounds } from '../../helpers/rounds.ts'
import { costOf, threadTime } from '../../helpers/thread-time.ts'

const PLAIN = { disallowedSpecial: new Set<string>() }
const SENTENCE = 'The committee approved the minutes of January, and adjourned at a quarter past four. '
let count: Count
before(async () => {
  count = await loadTokenizer()
})
const ask = (content: unknown, more: object = {}) => ({ model: 'm', messages: [{ role: 'user', content }], ...more })
const tokens = async (body: object): Promise<number> => promptTokens(promptOf(body as never), count)

/** A prompt in parts, as of a conversation that goes on: the first messages came before. */
function inParts(body: { messages: object[]; tools?: object[] }, before: number, sums: readonly Map<string, number>[]) {
  const of = (some: object) => promptOf(some as never)
  const { messages, ...rest } = body
  const [old, all] = sums as [Map<string, number>, Map<string, number>]
  const known = { prompt: of({ messages: messages.slice(0, before) }), sums: old }
  const parts = [
    { before: known, fresh: of({ messages: messages.slice(before) }), sums: all },
    { before: undefined, fresh: of(rest), sums: undefined },
  ]
  return { ...of(body), parts }
}

describe('budget: tokens of a prompt in parts', () => {
  const messages = [SENTENCE, `${SENTENCE.repeat(90)}!`, 'And now?', SENTENCE].map((content, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content,
    ...(i === 2 && { name: 'Mary' }),
  }))
  const body = { model: 'm', messages, tools: [{ type: 'function', function: { name: 'find' } }] }

  it('come to the same, and those that came before are not counted again', async () => {
    const whole = await tokens(body)
    const sums = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
    let counted = 0
    const counting: Count = (piece) => {
      counted += piece.length
      return count(piece)
    }
    assert.equal(await promptTokens(inParts(body, 2, sums), counting), whole)
    const first = counted
    assert.equal(await promptTokens(inParts(body, 4, sums.slice(1)), counting), whole)
    assert.ok(counted - first < 100, `${counted - first} characters`)
  })
})

describe('budget: tokens of a text', () => {
  it('are close to the exact count, however the text is sliced', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 400 }), (words) => {
        const text = words.join(' ')
        const exact = countTokens(text, PLAIN)
        assert.ok(Math.abs(count(text) - exact) <= 2 * Math.ceil(text.length / 256), `${count(text)} of ${exact}`)
      }),
      { numRuns: rounds(100) },
    )
  })

  it('treat special tokens of the vocabulary as ordinary text', () => {
    assert.ok(count('<|endoftext|><|im_start|>') > 2)
  })

  it('take a bounded time for a run without a space', () => {
    assert.ok(costOf(() => void [count('界'.repeat(20_000)), count('a'.repeat(20_000))]) < 2_000)
  })

  it('take a bounded time for a very long text without a space', async () => {
    const from = threadTime()
    await countAll(() => 1, ['a.<b>AA'.repeat(450_000)])
    assert.ok(threadTime() - from < 1_500)
  })

  it('are counted in turns when there are many', async () => {
    let turns = 0
    let done = false
    const tick = () => {
      turns += 1
      if (!done) setImmediate(tick)
    }
    setImmediate(tick)
    const text = '界'.repeat(40_000)
    let clock = 0
    const slow: Count = (piece) => {
      clock += 1
      return piece.length
    }
    const counted = await countAll(slow, [text], { now: () => clock })
    done = true
    assert.ok(turns >= 10, `${turns} turns`)
    assert.ok(counted >= text.length, 'what takes too long is taken for more, not for less')
    const prose = SENTENCE.repeat(2_000)
    const exact = count(prose)
    const again = await countAll(count, [prose], { now: () => 0 })
    assert.ok(Math.abs(again - exact) < exact * 0.01, `${again} of ${exact}`)
  })

  it('are counted once for a text of a key, and come to the same', async () => {
    const memo = new TokenMemo()
    let counted = 0
    const counting: Count = (piece) => {
      counted += piece.length
      return count(piece)
    }
    const texts = [SENTENCE, SENTENCE.repeat(80), 'short', `${SENTENCE}\ud800 ${SENTENCE}`]
    const ask = (keyId: string, more: string[] = []) =>
      countAll(counting, [...texts, ...more], { known: memo.of(keyId), now: () => 0 })
    const first = await ask('one')
    const all = counted
    assert.equal(await ask('one', [SENTENCE.repeat(2)]), first + count(SENTENCE.repeat(2)))
    // What has no hash, or is shorter than one, is counted again.
    assert.equal(counted - all, 'short'.length + (texts[3] as string).length + 2 * SENTENCE.length)
    const before = counted
    assert.equal(await ask('two'), first)
    assert.equal(counted - before, all, 'another key shares nothing')
  })

  it('are not remembered where they were guessed', async () => {
    const known = new TokenMemo().of('one')
    let clock = 0
    const slow: Count = () => {
      clock += 3
      return 1
    }
    const text = SENTENCE.repeat(300)
    const guessed = await countAll(slow, [text], { known, now: () => clock })
    const exact = await countAll(() => 1, [text], { known, now: () => 0 })
    assert.ok(exact < guessed, `${exact} and not ${guessed}`)
  })

  it('are exact on a busy machine, where others have the processor for most of the time', async () => {
    let clock = 0
    const paused: Count = () => {
      clock += 60
      return 1
    }
    const text = SENTENCE.repeat(100)
    const exact = await countAll(() => 1, [text], { now: () => 0 })
    assert.equal(await countAll(paused, [text], { now: () => clock }), exact)
  })

  it('are counted by samples when there are very many', async () => {
    const text = SENTENCE.repeat(20_000)
    let characters = 0
    const counted = await countAll(
      (piece) => {
        characters += piece.length
        return count(piece)
      },
      [text, SENTENCE],
      { now: () => 0 },
    )
    const exact = count(SENTENCE.repeat(100)) * 200
    assert.ok(Math.abs(counted - exact) < exact * 0.03, `${counted} of ${exact}`)
    assert.ok(characters <= 300_000, `${characters} characters were counted`)
  })
})

describe('budget: tokens of a prompt', () => {
  it('are those of OpenAI for plain messages', async () => {
    assert.equal(await tokens(ask('Hello')), 8)
    const two = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello', name: 'bob' },
      ],
    }
    assert.equal(await tokens(two), 3 + (4 + 3) + (4 + 1 + 1 + 1))
  })

  it('count all that a model reads', async () => {
    const bare = await tokens(ask('Hello'))
    const more = [
      ask('Hello', { tools: [{ type: 'function', function: { name: 'f', description: SENTENCE } }] }),
      ask('Hello', { functions: [{ name: 'f', description: SENTENCE }] }),
      ask('Hello', {
        response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' } } },
      }),
      ask('Hello', { documents: [{ text: SENTENCE }] }),
      ask([{ type: 'text', text: `Hello ${SENTENCE}` }]),
      {
        messages: [
          { role: 'assistant', content: 'Hello', tool_calls: [{ function: { name: 'f', arguments: '{"a":1}' } }] },
        ],
      },
    ]
    for (const body of more) assert.ok((await tokens(body)) > bare + 5, JSON.stringify(body))
    const vendors = [
      ask('Hello', { instructions: SENTENCE }),
      ask([
        { type: 'text', text: 'Hello' },
        { type: 'document', document: { text: SENTENCE } },
      ]),
      ask([{ type: 'text', text: { value: `Hello ${SENTENCE}` } }]),
      { messages: [{ role: 'user', content: 'Hello', documents: [{ text: SENTENCE }] }] },
      { messages: [{ role: 'assistant', content: 'Hello', thinking_blocks: [{ thinking: SENTENCE }] }] },
      { messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: { a: SENTENCE } } }] }] },
    ]
    for (const body of vendors) assert.ok((await tokens(body)) >= bare + 15, JSON.stringify(body))
    const video = `data:video/mp4;base64,${'A'.repeat(64_000)}`
    const watched = await tokens(ask([{ type: 'video_url', video_url: { url: video } }]))
    assert.ok(watched > 1500 && watched < 1600, `${watched} tokens of a video`)
    const disguised = await tokens(ask([{ type: 'text', text: `data:video/mp4;base64,${SENTENCE.repeat(100)}` }]))
    assert.ok(disguised > 1500, 'what is a text is counted as one')
    const pictured = {
      messages: [{ role: 'user', content: 'Hello', images: [{ image_url: { url: 'https://a.b/c' } }] }],
    }
    assert.equal(await tokens(pictured), bare + 1105)
    assert.equal(await tokens(ask('Hello', { user: SENTENCE, metadata: { a: SENTENCE }, stop: [SENTENCE] })), bare)
  })

  it('are a whole number whatever the request looks like', async () => {
    const messages = fc.array(fc.dictionary(fc.constantFrom('role', 'content', 'name', 'tool_calls'), fc.jsonValue()))
    const body = fc.record({ model: fc.string(), messages, tools: fc.jsonValue(), extra: fc.jsonValue() })
    await fc.assert(
      fc.asyncProperty(body, async (one) => {
        const counted = await tokens(one)
        assert.ok(Number.isSafeInteger(counted) && counted >= 3)
      }),
      { numRuns: rounds(200) },
    )
  })

  it('grow with every message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 1, maxLength: 8 }), async (contents) => {
        const messages = contents.map((content) => ({ role: 'user', content }))
        const all = await tokens({ messages })
        const fewer = await tokens({ messages: messages.slice(1) })
        assert.ok(all >= fewer + 4)
      }),
      { numRuns: rounds(100) },
    )
  })
})

describe('budget: tokens of media', () => {
  const png = (width: number, height: number): string => {
    const bytes = Buffer.alloc(64)
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
    bytes.writeUInt32BE(width, 16)
    bytes.writeUInt32BE(height, 20)
    return `data:image/png;base64,${bytes.toString('base64')}`
  }

  it('follow the tiles of an image', () => {
    assert.equal(imageTokens(png(512, 512), 'high'), 255)
    assert.equal(imageTokens(png(1024, 1024), 'high'), 765)
    assert.equal(imageTokens(png(2048, 4096), 'high'), 1105)
    assert.equal(imageTokens(png(4096, 8192), 'low'), 85)
    assert.equal(imageTokens('https://example.com/cat.png', undefined), 1105)
  })

  it('read the size from each format', () => {
    const url = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`
    const gif = Buffer.alloc(40)
    gif.write('GIF89a')
    gif.writeUInt16LE(320, 6)
    gif.writeUInt16LE(200, 8)
    const jpeg = Buffer.alloc(80)
    jpeg.set([0xff, 0xd8, 0xff, 0xe0, 0, 16], 0)
    jpeg.set([0xff, 0xc2, 0, 17, 8, 1, 0x2c, 2, 0x58], 20)
    const webp = Buffer.alloc(40)
    webp.write('RIFF')
    webp.write('WEBPVP8X', 8)
    webp.writeUIntLE(799, 24, 3)
    webp.writeUIntLE(599, 27, 3)
    assert.deepEqual(imageSize(url('gif', gif)), { width: 320, height: 200 })
    assert.deepEqual(imageSize(url('jpeg', jpeg)), { width: 600, height: 300 })
    assert.deepEqual(imageSize(url('webp', webp)), { width: 800, height: 600 })
  })

  it('never fail on other data', () => {
    const starts = fc.constantFrom('', '\x89PNG\r\n', 'GIF8', '\xff\xd8\xff', 'RIFF....WEBPVP8 ', 'RIFF....WEBPVP8L')
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest])
        const counted = imageTokens(`data:image/x;base64,${bytes.toString('base64')}`, 'auto')
        assert.ok(Number.isSafeInteger(counted) && counted >= 85)
      }),
    )
  })

  it('follow the length of audio and files', () => {
    assert.equal(audioTokens('A'.repeat(64_000), 'wav'), 10)
    assert.equal(audioTokens('A'.repeat(64_000), 'mp3'), 60)
    assert.equal(audioTokens(undefined, undefined), 300)
    assert.equal(fileTokens('A'.repeat(128_000)), 3000)
    assert.equal(fileTokens(undefined), 5000)
  })
})
