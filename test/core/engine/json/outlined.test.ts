import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { GatewayError } from '../../../../core/engine/contract/errors.ts'
import type { Caller, Json, Prompt } from '../../../../core/engine/contract/plugin.ts'
import type { RequestDocument } from '../../../../core/engine/dialects/dialect.ts'
import { DIALECTS as dialects } from '../../../../core/engine/dialects/index.ts'
import { Memo } from '../../../../core/engine/text/memo.ts'
import { allSteps } from '../../../../core/engine/util/steps.ts'
import { sumOfPrompt } from '../../../../core/kit/index.ts'
import { rounds } from '../../../helpers/rounds.ts'

const chat = dialects.find(({ name }) => name === 'chat-completions')
assert.ok(chat)
const caller = { keyId: 'one', team: undefined } as unknown as Caller
const newMemo = () => new Memo({ bytes: 1 << 20, scope: 'key', leastBody: 0 })

type Read = { readonly document: RequestDocument } | { readonly error: unknown }

/** More than is read at once. */
const LARGE = 128 * 1024

function read(body: Buffer, memo?: Memo, by = caller): Read {
  try {
    const beginnings = memo?.beginningsOf(by, chat!.name, body)
    if (body.length > LARGE) return { document: allSteps(chat!.readRequestInSteps(body, 1e6, beginnings)) }
    return { document: chat!.readRequest(body, memo?.beginningsOf(by, chat!.name, body)) }
  } catch (error) {
    assert.ok(error instanceof GatewayError)
    return { error: [error.code, error.message, error.param] }
  }
}

function shown(one: Read): unknown {
  if ('error' in one) return one
  const { document } = one
  const list = document.text.length > LARGE ? allSteps(document.fieldsInSteps()) : document.fields()
  const { fields, sequence, joined, uninspected } = list
  const { model, stream, choices, maxOutputTokens, includeUsage, text, tree } = document
  const json = document.frozen ?? tree
  return structuredClone({
    members: { model, stream, choices, maxOutputTokens, includeUsage, text },
    tree: JSON.parse(JSON.stringify(tree)),
    json: JSON.parse(JSON.stringify(json)),
    messages: (document.messages?.() ?? chat!.messagesOf(json)).map((message) => ({ ...message })),
    prompt: promptOf(document, json),
    walked: { fields, sequence, joined, uninspected },
  })
}

/** The prompt, and what its parts come to, with what is remembered of them and without. */
function promptOf(document: RequestDocument, json: Readonly<Record<string, Json>>): unknown {
  const prompt = document.prompt?.() ?? chat!.promptOf(json)
  const { texts, messages, names, tools, media } = prompt
  const weigh = (one: Prompt) => {
    const other = 1e3 * one.messages + 1e5 * one.names + 1e7 * one.tools + 1e9 * one.media.length
    return one.texts.join('').length + other
  }
  const all = weigh(prompt)
  assert.equal(sumOfPrompt(prompt, 'test', weigh), all)
  assert.equal(sumOfPrompt(prompt, 'another', weigh), all)
  return { texts, messages, names, tools, media }
}

/** Both readings of a body are the same; `times` for the second one. */
function assertSame(body: Buffer, memo: Memo): void {
  assert.deepEqual(shown(read(body, memo)), shown(read(body)))
}

const long = (text: string) => `${text} ${'lorem ipsum "dolor" \\ sit amet '.repeat(40)}`
const turn = (i: number, text = long(`turn ${i}`)) => [
  { role: 'user', content: text },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 'f', arguments: '{"a":[1,2],"b":"x"}' } }],
  },
  { role: 'tool', tool_call_id: `c${i}`, content: [{ type: 'text', text: `${text} 漢字 ünï 😀` }] },
]
const TOOLS = Array.from({ length: 4 }, (_, i) => ({
  type: 'function',
  function: { name: `tool_${i}`, description: long('tool'), parameters: { type: 'object', properties: { a: {} } } },
}))
const system = { role: 'system', content: long('You are a guide.').repeat(4) }
const bodyOf = (turns: number, more: object = {}, space?: number) =>
  Buffer.from(
    JSON.stringify(
      {
        model: 'm',
        messages: [system, ...Array.from({ length: turns }, (_, i) => turn(i)).flat()],
        tools: TOOLS,
        ...more,
      },
      null,
      space,
    ),
  )

describe('a body that begins as an earlier one', () => {
  for (const space of [0, 2]) {
    it(`reads as if nothing were known, with ${space} spaces`, () => {
      const memo = newMemo()
      for (let i = 1; i < 8; i++) {
        assertSame(bodyOf(i, {}, space), memo)
        assertSame(bodyOf(i, {}, space), memo)
      }
      const again = read(bodyOf(8, {}, space), memo)
      assert.ok('document' in again)
      // Known messages are not even parsed.
      assert.ok(again.document.messages?.()?.length === 25)
      const weighed: number[] = []
      sumOfPrompt(again.document.prompt?.() as Prompt, 'test', ({ texts }) => weighed.push(texts.length))
      // The texts of the new turn and of its call; no tool is new, nor anything else.
      assert.deepEqual(weighed, [4, 0, 0])
    })
  }

  it('is refused for the same reason at the same place', () => {
    const memo = newMemo()
    const good = bodyOf(3).toString()
    assertSame(Buffer.from(good), memo)
    const broken = [
      good.slice(0, -1),
      `${good}x`,
      good.replace('],"tools"', ',],"tools"'),
      good.replace('],"tools"', ',{}],"tools"'),
      good.replace('],"tools"', ',{"role":"user","role":"tool"}],"tools"'),
      good.replace('],"tools"', ',{"role":"user","__proto__":1}],"tools"'),
      good.replace('],"tools"', ',{"role":"user","Content":"a"}],"tools"'),
      good.replace('],"tools"', ',5],"tools"'),
      good.replace('],"tools"', ' {}],"tools"'),
      good.replace('"tools":', '"messages":[],"tools":'),
      good.replace('"tools":', '"mess\\u0061ges":[],"tools":'),
      good.replace('{"model"', '{"messages":[],"model"'),
      good.replace('"model":"m"', '"model":5'),
      good.replace('"model":"m"', '"model":"m","x":{"messages":[{'),
      good.replace('"model":"m"', '"model":"m","x":"'),
      `\ufeff${good}`,
      `[${good}]`,
    ]
    for (const text of broken) {
      const one = read(Buffer.from(text), memo)
      assert.ok('error' in one, text.slice(-80))
      assert.deepEqual(one, read(Buffer.from(text)))
    }
    const bytes = Buffer.concat([
      Buffer.from(good.slice(0, -1)),
      Buffer.from([0x2c, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ])
    assert.deepEqual(read(bytes, memo), read(bytes))
  })

  it('of another key, member or API is not known', () => {
    const memo = newMemo()
    const body = bodyOf(3)
    read(body, memo)
    const knownTo = (by: Caller) => {
      const one = read(body, memo, by)
      return 'document' in one && one.document.messages?.() !== undefined
    }
    assert.equal(knownTo(caller), true)
    assert.equal(knownTo({ ...caller, keyId: 'two' }), false)
  })

  it('differs in one byte anywhere', () => {
    const memo = newMemo()
    const body = bodyOf(4)
    read(body, memo)
    const bytes = fc.record({ at: fc.nat(body.length - 1), byte: fc.integer({ min: 0x20, max: 0xff }) })
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = Buffer.from(body)
        for (const { at, byte } of changes) changed[at] = byte
        assertSame(changed, memo)
      }),
      { numRuns: rounds(300) },
    )
  })

  it('is known when it is large, too', () => {
    const memo = newMemo()
    const parts = (i: number) => ({ role: 'user', content: long(`${i} ü`).repeat(16) })
    const large = (count: number, last = 'end') => {
      const messages = [system, ...Array.from({ length: count }, (_, i) => parts(i)), { role: 'user', content: last }]
      return Buffer.from(JSON.stringify({ model: 'm', messages, tools: TOOLS }))
    }
    const knownIn = (body: Buffer) => {
      const one = read(body, memo)
      return 'document' in one && one.document.messages?.() !== undefined
    }
    assert.ok(large(8).length > LARGE)
    for (const count of [7, 8, 9, 12]) {
      const body = large(count)
      assertSame(body, memo)
      assert.ok(knownIn(body))
    }
    assert.ok(!knownIn(large(12, 'x'.repeat(LARGE))))
    const wrong = large(12, '\\"}],').toString().replace('"model":"m"', '"model":5')
    assert.deepEqual(read(Buffer.from(wrong), memo), read(Buffer.from(wrong)))
    assert.ok('error' in read(Buffer.from(wrong), memo))
  })

  it('is forgotten when others need the memory', () => {
    const memo = new Memo({ bytes: 16 * 1024, scope: 'key', leastBody: 0 })
    for (let i = 0; i < 30; i++) assertSame(bodyOf(2, { messages: [system, ...turn(i)] }), memo)
    assert.ok(memo.stats.bytes <= memo.stats.limit_bytes)
  })
})
