/** Messages and tools that were seen before have no views, and nothing comes out otherwise because of it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { elementRanges } from '../../../../core/engine/json/elements.ts'
import { type AnyPlugin, startPlugin } from '../../../../core/testing/index.ts'
import { rounds } from '../../../helpers/rounds.ts'
import { call, finder, remembering, tool, user } from './finder.ts'

const known = () => finder({ pure: true, whole: true })
const each = (word?: string) => finder({ whole: true, ...(word !== undefined && { word }) })

describe('elements that the memo knows', () => {
  it('are not shown again, beside those that are new', async (t) => {
    const { plugin, take } = known()
    const rig = await remembering(t, plugin)
    const messages = [user('One.'), call('src/a.ts')]
    const tools = [tool('Finds.')]
    await rig.send({ messages, tools })
    assert.ok(take().length > 8)
    await rig.send({ messages: [...messages, user('Two.')], tools: [...tools, tool('Looks.')] })
    const fresh = take()
    assert.ok(fresh.some((text) => text.endsWith('messages[2].content Two.')))
    assert.ok(fresh.some((text) => text.endsWith('tools[1].function.description Looks.')))
    assert.ok(!fresh.some((text) => /messages\[[01]\]|tools\[0\]/.test(text)))
  })

  it('have the ids and places that they would have if they were new', async (t) => {
    const pure = known()
    const every = each()
    const request = { messages: [user('One.'), call('src/a.ts'), user('The f4lc0n.')], tools: [tool('Finds.')] }
    const rig = await remembering(t, pure.plugin)
    await rig.send({ messages: request.messages.slice(0, 2), tools: request.tools })
    pure.take()
    const warm = await rig.send(request)
    const cold = await (await remembering(t, every.plugin)).send(request)
    assert.deepEqual(warm.sent?.body, cold.sent?.body)
    const all = every.take()
    for (const text of pure.take()) assert.ok(all.includes(text), text)
  })

  it('are all there for a plugin that wants every text', async (t) => {
    const { plugin } = known()
    const other = each('osprey')
    const reader = { ...other.plugin, name: 'reader' } as AnyPlugin
    const rig = await remembering(t, plugin, 1e6, { with: [reader] } as never)
    const request = { messages: [user('One.'), call('an osprey'), user('Two.')], tools: [tool('Finds.')] }
    const first = await rig.send(request)
    const cold = other.take()
    const second = await rig.send(request)
    assert.deepEqual(other.take(), cold)
    assert.deepEqual(second.sent?.body, first.sent?.body)
    assert.deepEqual(second.detections, first.detections)
  })

  it('are seen at their borders', async (t) => {
    const { plugin } = known()
    const rig = await remembering(t, plugin)
    await rig.send({ messages: [user('it is f4l')] })
    await rig.send({ messages: [user('c0n is it')] })
    const { detections, sent } = await rig.send({ messages: [user('it is f4l'), user('c0n is it')] })
    assert.deepEqual(
      detections.map(({ type }) => type),
      ['bird'],
    )
    assert.doesNotMatch(JSON.stringify(sent?.body), /f4l|c0n/)
  })

  it('count what cannot be inspected each time', async (t) => {
    const { plugin } = known()
    const rig = await remembering(t, plugin)
    const image = { type: 'image_url', image_url: { url: 'https://x.example/y' } }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'See.' }, image] }, user('So.')]
    for (let i = 0; i < 2; i++) {
      const { service } = await rig.send({ messages })
      assert.deepEqual((service as { warnings?: string[] }).warnings, ['uninspected:image_url=1'])
    }
  })

  it('are those of one spelling, member and API', async (t) => {
    const { plugin, take } = known()
    const rig = await remembering(t, plugin)
    await rig.send({ messages: [user('One.')] })
    take()
    await rig.send({ messages: [{ ...user('One.'), name: 'jo' }] })
    assert.ok(take().some((text) => text.endsWith('One.')))
  })

  it('change nothing, however conversations grow', async (t) => {
    const on = await remembering(t, known().plugin)
    const off = await remembering(t, known().plugin, 0)
    const text = fc.constantFrom(
      'f4lc0n',
      'it is f4l',
      'c0n is',
      'x\ud800',
      'ü',
      'A \u{e0041}\u{e0042}',
      'a "b" \\',
      '{"x":[1]}',
      '',
    )
    const part = fc.oneof(
      text.map((one) => ({ type: 'text', text: one })),
      fc.constant({ type: 'image_url', image_url: { url: 'https://x.example/y' } }),
    )
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'other'), content: text }),
      fc.record({ role: fc.constant('user'), content: fc.array(part, { minLength: 1, maxLength: 2 }) }),
      fc.record({ role: fc.constant('tool'), tool_call_id: fc.constant('call_1'), content: text }),
      text.map(call),
    )
    const request = fc.record({
      messages: fc.array(message, { minLength: 1, maxLength: 5 }),
      tools: fc.array(text.map(tool), { minLength: 1, maxLength: 2 }),
    })
    const told = ({ status, error, detections, sent, service }: Awaited<ReturnType<typeof on.send>>) =>
      structuredClone({ status, message: error?.message, detections, body: sent?.body, warnings: service?.warnings })
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const expected = told(await off.send({ ...body }))
        assert.deepEqual(told(await on.send({ ...body })), expected, 'first')
        assert.deepEqual(told(await on.send({ ...body })), expected, 'second')
      }),
      { numRuns: rounds(80), seed: 17 },
    )
  })
})

it('tells admins what is remembered, and how often it helped', async (t) => {
  const { plugin } = known()
  const admin = { id: 'admin', key: 'the-key-of-an-admin', admin: true }
  const keys = [admin, { id: 'user', key: 'the-key-of-a-user' }]
  const rigOf = async (memo_bytes: number) => {
    const rig = await startPlugin(plugin, { config: { inspection: { memo_bytes, memo_from_bytes: 0 }, keys } } as never)
    t.after(() => rig.close())
    return (key: string, path = '/api/inspection', body?: object) =>
      fetch(`${rig.url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
  }
  const ask = await rigOf(4096)
  assert.equal((await ask('the-key-of-a-user')).status, 403)
  const memo = async () => ((await (await ask(admin.key)).json()) as { memo: Record<string, number> }).memo
  assert.deepEqual(await memo(), { entries: 0, bytes: 0, limit_bytes: 4096, hits: 0, misses: 0, evictions: 0 })
  const say = async (text: string) =>
    (await ask(admin.key, '/v1/chat/completions', { model: 'm', messages: [user(text)] })).text()
  for (let i = 0; i < 2; i++) await say('One.')
  const { bytes = 0, ...counts } = await memo()
  assert.deepEqual(counts, { entries: 2, limit_bytes: 4096, hits: 1, misses: 1, evictions: 0 })
  assert.ok(bytes > 100 && bytes < 4096)
  for (let i = 0; i < 9; i++) await say(`Text ${i}.`)
  assert.ok(((await memo()).evictions ?? 0) > 0)
  assert.deepEqual(await (await (await rigOf(0))(admin.key)).json(), { memo: null })
})

it('finds the elements of arrays in any JSON text', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(fc.dictionary(fc.string(), json), fc.constantFrom(undefined, 1, '\t'), (object, indent) => {
      const text = JSON.stringify(object, undefined, indent)
      const found = elementRanges(text)
      const arrays = Object.entries(JSON.parse(text) as object).filter(([, value]) => Array.isArray(value))
      assert.deepEqual([...found.keys()].sort(), arrays.map(([name]) => name).sort())
      for (const [name, value] of arrays as [string, unknown[]][]) {
        const ranges = found.get(name) as readonly number[]
        const read = value.map((_, i) => JSON.parse(text.slice(ranges[2 * i], ranges[2 * i + 1])) as unknown)
        assert.deepEqual(read, value)
        assert.equal(ranges.length, 2 * value.length)
      }
    }),
    { numRuns: rounds(300), seed: 17 },
  )
})
