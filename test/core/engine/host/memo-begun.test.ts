/** The messages of earlier turns are known together, and nothing comes out otherwise because of it. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import type { PluginSetup } from '../../../../core/testing/index.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { ANSWER, call, finder, QUESTION, type Reading, remembering, tool, user, WORD, WORDS } from './finder.ts'

async function open(t: TestContext, memo_bytes: number, more: Reading, setup: PluginSetup = {}) {
  const { plugin, take } = finder(more)
  const rig = await remembering(t, plugin, memo_bytes, setup)
  const send = async (body: Parameters<typeof rig.send>[0], headers = {}) => {
    const { status, error, detections, sent, service } = await rig.send(body, { headers })
    const { warnings } = (service ?? {}) as { warnings?: unknown }
    return structuredClone({ status, message: error?.message, detections, body: sent?.body, warnings })
  }
  return { send, take }
}

/** Too long to be shown whole between two others. */
const LONG = 'so on '.repeat(30).trim()

const reads = (keyOf?: 'header'): Reading =>
  keyOf === undefined ? { pure: true } : { memoKey: (x) => x.request.headers['x-kind'] ?? '' }

/** A plugin that wants every text after the others. */
const all = finder({ name: 'all' })

const result = (content: string) => ({ role: 'tool', tool_call_id: 'call_1', content })
const TOOLS = ['Finds.', 'Looks.'].map(tool)

describe('elements that are known together', () => {
  it('are not shown again', async (t) => {
    const { send, take } = await open(t, 1e6, reads())
    const messages: object[] = [{ role: 'system', content: 'Be brief.' }]
    for (let i = 0; i < 5; i++) {
      messages.push(user(`Question ${i}.`), call(`src/${i}.ts`), result(`Result ${i}.`))
      await send({ messages, tools: TOOLS })
      const shown = take()
      assert.ok(shown.includes(`Question ${i}.`))
      assert.deepEqual(
        shown.filter((text) => text.includes(String(i - 1)) || (i > 0 && /brief|Finds/.test(text))),
        [],
      )
    }
  })

  for (const [what, more] of [
    ['remembered', reads()],
    ['replaced by a token', { ...reads(), replace: () => '<bird>' }],
  ] as const) {
    it(`are not shown again around a finding that is ${what}`, async (t) => {
      const on = await open(t, 1e6, more)
      const off = await open(t, 0, more)
      const part = (text: string) => ({ type: 'text', text })
      const messages: object[] = [
        { role: 'system', content: 'Be brief.' },
        user(`It is ${WORD}`),
        user('is what I said.'),
        user([part('Part f4l'), part('c0n.')]),
        result('Hidden \u{e0041}.'),
      ]
      for (let i = 0; i < 5; i++) {
        messages.push(user(`Question ${i}.`), call(i === 2 ? WORD : `src/${i}.ts`), result(`Result ${i}.`))
        const body = { messages: [...messages], tools: TOOLS }
        assert.deepEqual(await on.send({ ...body }), await off.send({ ...body }))
        const shown = on.take()
        assert.ok(shown.includes(`Question ${i}.`))
        const known = /Question|Result|src|brief|Finds/
        const isNew = (text: string) => text.includes(`n ${i}.`) || text.includes(`t ${i}.`) || text.includes(`/${i}.`)
        if (i > 0)
          assert.deepEqual(
            shown.filter((text) => known.test(text) && !isNew(text)),
            [],
          )
      }
    })
  }

  it('are not shown again at their borders', async (t) => {
    const { send, take } = await open(t, 1e6, reads())
    const long = (what: string) => `${what} and ${LONG}`
    const messages: object[] = []
    const before = new Set<string>()
    for (let i = 0; i < 5; i++) {
      messages.push(user(long(`Question ${i}`)), call(`src/${i}.ts`), result(long(`Result ${i}`)))
      await send({ messages })
      const shown = take()
      assert.ok(shown.some((text) => text.includes(`so on Result ${i}`)))
      assert.ok(i === 0 || shown.some((text) => text.includes(`so on Question ${i}`)))
      assert.deepEqual(
        shown.filter((text) => before.has(text)),
        [],
      )
      for (const text of shown) if (text.length > 8) before.add(text)
    }
  })

  it('are not shown again in a large request', async (t) => {
    const on = await open(t, 1e6, reads('header'))
    const off = await open(t, 0, reads('header'))
    const messages: object[] = [{ role: 'system', content: 'Be brief.' }, user(`It is ${WORD}`)]
    for (let i = 0; i < 12; i++) messages.push(user(`Long ${i}. ${'lorem ipsum dolor '.repeat(1000)}`))
    for (let i = 0; i < 4; i++) {
      messages.push(user(`Question ${i}.`), call(`src/${i}.ts`), result(`Result ${i}.`))
      const body = { messages: [...messages], tools: TOOLS }
      const headers = { 'x-kind': i === 3 ? 'other' : '' }
      assert.deepEqual(await on.send({ ...body }, headers), await off.send({ ...body }, headers))
      const shown = on.take()
      assert.equal(shown.includes('Long 1.'), false)
      assert.equal(shown.filter((text) => text.startsWith('Long ')).length, i === 0 || i === 3 ? 12 : 0)
    }
  })

  it('become single ones for what was not told of them', async (t) => {
    const on = await open(t, 1e6, reads('header'))
    const off = await open(t, 0, reads('header'))
    const messages = [user('One f4l'), user('then.'), call('src/a.ts'), result('Two.')]
    await on.send({ messages, tools: TOOLS })
    const more = { messages: [...messages, user('Three.')], tools: TOOLS }
    on.take()
    assert.deepEqual(await on.send(more, { 'x-kind': 'other' }), await off.send(more, { 'x-kind': 'other' }))
    assert.deepEqual(on.take(), off.take())
  })

  /** Each chat grows by a message a turn: with the memo and without, the same is found. How often a value is. */
  async function grow(t: TestContext, chats: readonly (readonly object[])[]): Promise<number> {
    const on = await open(t, 1e6, reads())
    const off = await open(t, 0, reads())
    let found = 0
    for (const [i, chat] of chats.entries()) {
      const messages = [user(`Hello ${i}.`), call(`src/${i}.ts`), ...chat]
      for (let n = 3; n <= messages.length; n++) {
        const body = { messages: messages.slice(0, n), tools: TOOLS }
        const expected = await off.send(body)
        assert.deepEqual(await on.send({ ...body }), expected, `${i}: ${n}`)
        if (JSON.stringify(expected.detections).includes('bird')) found++
      }
    }
    return found
  }

  it('are gone on from: a value is found that ends in a later turn', async (t) => {
    const model = (content: string) => ({ role: 'assistant', content })
    const cuts = [
      [user('it is f4l'), user('c0n is')],
      [user('it is f4l'), model('so'), user('c0n is')],
      [user('it is f4'), user('lc'), user('0n is')],
      [user('it is f4'), model('so'), user('lc'), model('no'), user('0n is')],
      [{ role: 'system', content: 'it is f4l' }, user('c0n is')],
      [user('it is f4l'), model('c0n is')],
      [result('it is f4l'), result('c0n is')],
      [result('it is f4l'), model('so'), result('c0n is')],
      [result('it is f4'), model('so'), result('lc'), model('no'), result('0n is')],
      [user('Say'), user(`${LONG} f4l`), user('c0n is')],
      [result('Say'), result(`${LONG} f4l`), model('so'), result(`c0n ${LONG}`)],
    ]
    assert.equal(await grow(t, cuts), 8)
  })

  it('are gone on from: a later turn answers a question', async (t) => {
    const model = (content: string) => ({ role: 'assistant', content })
    const chats = [
      [model(QUESTION), user(ANSWER), model('Thanks.'), user(`${LONG} and so on`)],
      [result(`${LONG} says. ${QUESTION}`), user(ANSWER), user(ANSWER)],
      [user('no.'), user(QUESTION), model(ANSWER), user('What?'), model(ANSWER)],
      [{ role: 'system', content: QUESTION }, user(ANSWER)],
    ]
    assert.equal(await grow(t, chats), 8)
  })

  const other = finder({ name: 'other', ...reads(), replace: () => '<bird>' })
  for (const [what, setup] of [
    ['alone', {}],
    ['before one that wants every text', { with: [all.plugin] }],
    ['before one that replaces by tokens', { with: [other.plugin] }],
  ] as const) {
    it(`change nothing, however a conversation grows, with a plugin ${what}`, async (t) => {
      const on = await open(t, 1e6, reads('header'), setup)
      const off = await open(t, 0, reads('header'), setup)
      const text = fc.constantFrom(
        ...WORDS,
        QUESTION,
        ANSWER,
        'A \u{e0041}',
        '',
        `${LONG} f4l`,
        `c0n ${LONG}`,
        `c0n ${LONG} f4l`,
      )
      const part = text.map((one) => ({ type: 'text', text: one }))
      const message = fc.oneof(
        {
          weight: 3,
          arbitrary: fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'x'), content: text }),
        },
        fc.array(part, { minLength: 1, maxLength: 2 }).map(user),
        text.map(result),
        text.map(call),
      )
      const conversation = fc.record({
        messages: fc.array(message, { minLength: 2, maxLength: 9 }),
        step: fc.integer({ min: 1, max: 3 }),
        kinds: fc.array(fc.constantFrom('', 'other'), { minLength: 1, maxLength: 3 }),
      })
      await fc.assert(
        fc.asyncProperty(conversation, async ({ messages, step, kinds }) => {
          for (let n = 1, turn = 0; n <= messages.length; n += step, turn++) {
            const body = { messages: messages.slice(0, n), tools: TOOLS }
            const headers = { 'x-kind': kinds[turn % kinds.length] ?? '' }
            assert.deepEqual(await on.send({ ...body }, headers), await off.send({ ...body }, headers), `turn ${turn}`)
          }
        }),
        { numRuns: rounds(30) },
      )
    })
  }
})
