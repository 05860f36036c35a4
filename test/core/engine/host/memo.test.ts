/** What a plugin found in a text of a request is remembered, and nothing comes out otherwise because of it. */
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { definePlugin, type Exchange, type Finding, type Instance, type TextView } from 'governed-gateway'
import { parseConfig } from '../../../../core/gateway/config/load.ts'
import { startGateway } from '../../../../core/gateway/gateway.ts'
import { createLogger } from '../../../../core/services/logger.ts'
import {
  type PluginRig,
  type PluginSetup,
  startPlugin,
  startProvider,
  testPlugin,
} from '../../../../core/testing/index.ts'

const ALL = { memo_from_bytes: 0 }

/** A detector of the word "falcon" that notes each text it is shown. */
function spy(how: Omit<Instance, 'detect'> = { pure: true }, more: (view: TextView) => Partial<Finding> = () => ({})) {
  const seen: string[] = []
  const plugin = definePlugin({
    name: 'spy',
    schema: {
      type: 'object',
      properties: { word: { type: 'string', default: 'falcon' } },
      additionalProperties: false,
    },
    flags: { spy: { values: ['redact', 'block'], default: 'redact' } },
    lookbehind: 0,
    create: ({ word }) => ({
      ...how,
      detect(view, x) {
        if (view.direction === 'output' || view.channel !== 'content') return
        if (view.reading === undefined) seen.push(view.text)
        const start = view.text.indexOf(word)
        if (start < 0) return
        const action = how.memoKey === undefined ? 'redact' : (x.flag('spy') as 'redact' | 'block')
        view.report({ type: 'bird', start, end: start + word.length, action, ...more(view) })
      },
    }),
  })
  return { plugin, seen, take: () => seen.splice(0) }
}

async function open(t: TestContext, plugin: Parameters<typeof startPlugin>[0], setup: PluginSetup = {}) {
  const rig = await startPlugin(plugin, { ...setup, config: { inspection: ALL, ...setup.config } })
  t.after(() => rig.close())
  return rig
}

const say = (rig: PluginRig, ...texts: string[]) =>
  rig.send({ messages: texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })) })

const sentTexts = ({ sent }: Awaited<ReturnType<typeof say>>) =>
  ((sent?.body.messages ?? []) as { content: string }[]).map(({ content }) => content)

it('shows a plugin the new texts of a conversation alone', async (t) => {
  const { plugin, take } = spy()
  const rig = await open(t, plugin)
  await say(rig, 'First.', 'Second.')
  assert.deepEqual(take(), ['First.', 'Second.'])
  await say(rig, 'First.', 'Second.', 'Third.')
  assert.deepEqual(take(), ['Third.'])
  await say(rig, 'Another.', 'Second.')
  assert.deepEqual(take(), ['Another.'])
})

it('knows the texts of one message or tool together', async (t) => {
  const { plugin, take } = spy()
  const rig = await open(t, plugin)
  const ask = (...parts: string[]) =>
    rig.send({ messages: [{ role: 'user', content: parts.map((text) => ({ type: 'text', text })) }] })
  await ask('One.', 'Two.')
  take()
  await ask('One.', 'Two.')
  assert.deepEqual(take(), [])
  await ask('One.', 'Three.')
  assert.deepEqual(take(), ['One.', 'Three.', 'One.Three.'])
})

it('sees a value that is split over long parts of a message, whichever of them is new', async (t) => {
  const { plugin } = spy()
  const rig = await open(t, plugin)
  const filler = 'words and '.repeat(4500)
  const ask = async (second: string) => {
    const content = [`${filler}fal`, `${second}${filler}`].map((text) => ({ type: 'text', text }))
    return JSON.stringify((await rig.send({ messages: [{ role: 'user', content }] })).sent?.body)
  }
  assert.doesNotMatch(await ask('low '), /BIRD/)
  assert.match(await ask('con '), /BIRD/)
  assert.match(await ask('con '), /BIRD/)
})

it('reports what was found again', async (t) => {
  const { plugin, take } = spy()
  const rig = await open(t, plugin)
  const first = await say(rig, 'The falcon.', 'Fine.')
  const second = await say(rig, 'The falcon.', 'Fine.', 'Go on.')
  assert.deepEqual(take(), ['The falcon.', 'Fine.', 'Go on.'])
  assert.deepEqual(sentTexts(first), ['The [BIRD].', 'Fine.'])
  assert.deepEqual(sentTexts(second), ['The [BIRD].', 'Fine.', 'Go on.'])
  assert.deepEqual(second.detections, first.detections)
})

it('knows a text by its role and channel, too', async (t) => {
  const { plugin, take } = spy()
  const rig = await open(t, plugin)
  await say(rig, 'One.')
  await rig.send({ messages: [{ role: 'system', content: 'One.' }] })
  assert.deepEqual(take(), ['One.', 'One.'])
})

it('remembers nothing of a plugin that does not say it may', async (t) => {
  const { plugin, take } = spy({})
  const rig = await open(t, plugin)
  await say(rig, 'One.')
  await say(rig, 'One.')
  assert.deepEqual(take(), ['One.', 'One.'])
})

it('asks again when what the answer depends on is another', async (t) => {
  const { plugin, take } = spy({ memoKey: (x: Exchange) => String(x.flag('spy')) })
  const rig = await open(t, plugin, { with: ['flags'] })
  const ask = (spy: string) => rig.send('A falcon.', { headers: { 'x-service-flags': `spy=${spy}` } })
  assert.equal((await ask('redact')).outcome, 'completed')
  assert.equal((await ask('block')).outcome, 'blocked')
  assert.equal(take().length, 2)
  assert.equal((await ask('redact')).outcome, 'completed')
  assert.equal((await ask('block')).outcome, 'blocked')
  assert.equal(take().length, 0)
})

it('remembers nothing where a plugin says so for an exchange', async (t) => {
  const { plugin, take } = spy({ memoKey: () => undefined })
  const rig = await open(t, plugin)
  await say(rig, 'One.')
  await say(rig, 'One.')
  assert.equal(take().length, 2)
})

it('names the place where the text stands now', async (t) => {
  const { plugin, take } = spy({ pure: true }, ({ path }) => ({ action: 'block', reason: `Look at ${path}.` }))
  const rig = await open(t, plugin)
  assert.equal((await say(rig, 'A falcon.')).error?.message, 'Blocked by policy: Look at messages[0].content.')
  assert.equal((await say(rig, 'A falcon.', 'So.')).error?.message, 'Blocked by policy: Look at messages[0].content.')
  assert.deepEqual(take(), ['A falcon.', 'So.'])
  assert.equal(
    (await say(rig, 'So.', 'Yes.', 'A falcon.')).error?.message,
    'Blocked by policy: Look at messages[2].content.',
  )
})

/** Finds each "falcon" in steps; the first text takes the most. */
const slow = definePlugin({
  name: 'slow',
  schema: { type: 'object', properties: {}, additionalProperties: false },
  lookbehind: 0,
  create: () => ({
    pure: true,
    detects: 'input',
    async detect(view, x) {
      const steps = view.text.includes('long') ? 4 : 1
      for (let step = 0; step < steps; step++) await x.nextTurn()
      steppedThrough.push(view.text)
      if (view.text.includes('fails')) throw new Error('no')
      const start = view.text.indexOf('falcon')
      const reason = `Look at ${view.path}.`
      const action = view.text.includes('block') ? 'block' : 'redact'
      if (start >= 0) view.report({ type: 'bird', start, end: start + 6, action, reason })
    },
  }),
})
const steppedThrough: string[] = []

it('remembers what was found in steps, in the order of the texts', async (t) => {
  const blocks: unknown[][] = []
  for (const memo_bytes of [1e6, 0]) {
    const rig = await open(t, slow, { config: { inspection: { ...ALL, memo_bytes } } })
    steppedThrough.length = 0
    const texts = ['A long falcon.', 'A falcon.', 'None, but long.']
    const cold = await say(rig, ...texts)
    assert.deepEqual(steppedThrough, texts)
    const warm = await say(rig, ...texts)
    assert.equal(steppedThrough.length, memo_bytes > 0 ? 3 : 6)
    for (const { sent, detections } of [cold, warm]) {
      assert.deepEqual(sent?.body, cold.sent?.body)
      assert.deepEqual(detections, cold.detections)
    }
    assert.deepEqual(sentTexts(cold), ['A long [BIRD].', 'A [BIRD].', 'None, but long.'])
    // The first finding that blocks tells why, however long each takes.
    const said = ['A long falcon, block it.', 'Another falcon, block it.']
    blocks.push([(await say(rig, ...said)).error?.message, (await say(rig, ...said)).error?.message])
  }
  const [one] = blocks[0] ?? []
  assert.match(String(one), /messages\[0\]/)
  assert.deepEqual(blocks, [
    [one, one],
    [one, one],
  ])
})

it('looks at further texts when one could not be read', async (t) => {
  const rig = await open(t, { ...slow, onError: 'allow' })
  steppedThrough.length = 0
  for (let i = 0; i < 2; i++)
    assert.deepEqual(sentTexts(await say(rig, 'This fails.', 'A falcon.')), ['This fails.', 'A [BIRD].'])
  assert.deepEqual(steppedThrough, ['This fails.', 'A falcon.', 'This fails.', 'A falcon.'])
})

it('does not remember findings with a replacement', async (t) => {
  for (const replace of ['bird', () => 'bird']) {
    const { plugin, take } = spy({ pure: true }, () => ({ replace }))
    const rig = await open(t, plugin)
    for (let i = 0; i < 2; i++) assert.deepEqual(sentTexts(await say(rig, 'A falcon.')), ['A bird.'])
    assert.equal(take().length, 2)
  }
})

it('does not remember what waits for a verdict from outside', async (t) => {
  const { plugin, take } = spy({ pure: true }, (view) => {
    view.hold(0, Promise.resolve({ reason: 'No.' }))
    return {}
  })
  const rig = await open(t, plugin)
  for (let i = 0; i < 2; i++) assert.equal((await say(rig, 'A falcon.')).outcome, 'blocked')
  assert.equal(take().length, 2)
})

it('applies the mode of the exchange that asks', async (t) => {
  const { plugin } = spy()
  const rig = await open(t, plugin, { with: ['flags'], key: { flags_allow: ['mode=monitor'] } })
  assert.deepEqual(sentTexts(await say(rig, 'A falcon.')), ['A [BIRD].'])
  const headers = { 'x-service-flags': 'mode=monitor' }
  assert.deepEqual(sentTexts(await rig.send('A falcon.', { headers })), ['A falcon.'])
  assert.deepEqual(sentTexts(await say(rig, 'A falcon.')), ['A [BIRD].'])
})

it('takes out hidden text that it remembers', async (t) => {
  const hidden = String.fromCodePoint(...[...'ignore'].map((char) => 0xe0000 + char.charCodeAt(0)))
  const { plugin, take } = spy()
  const rig = await open(t, plugin)
  for (let i = 0; i < 2; i++) {
    const { detections, ...result } = await say(rig, `Hello${hidden} there`)
    assert.deepEqual(sentTexts({ detections, ...result }), ['Hello there'])
    assert.deepEqual(
      detections.map(({ type }) => type),
      ['hidden_text'],
    )
  }
  assert.equal(take().length, 1)
})

it('finds a value over the border of two messages, and again', async (t) => {
  const { plugin } = spy()
  const rig = await open(t, plugin)
  const messages = ['it is fal', 'con is it'].map((content) => ({ role: 'user', content }))
  const [cold, warm] = [await rig.send({ messages }), await rig.send({ messages })]
  assert.deepEqual(warm.sent?.body, cold.sent?.body)
  assert.deepEqual(warm.detections, cold.detections)
})

it('tells two halves of characters apart', async (t) => {
  const { plugin, take } = spy()
  const rig = await open(t, plugin)
  await say(rig, 'x\ud800')
  await say(rig, 'x\ud801')
  assert.equal(take().length, 2)
})

it('inspects small requests anew, and remembers nothing when told so', async (t) => {
  for (const inspection of [{}, { memo_from_bytes: 0, memo_bytes: 0 }]) {
    const { plugin, take } = spy()
    const rig = await open(t, plugin, { config: { inspection } })
    await say(rig, 'One.')
    await say(rig, 'One.')
    assert.equal(take().length, 2)
  }
})

it('forgets what was not used for longest', async (t) => {
  const { plugin, take } = spy()
  const rig = await open(t, plugin, { config: { inspection: { ...ALL, memo_bytes: 4096 } } })
  await say(rig, 'One.')
  for (let i = 0; i < 20; i++) await say(rig, `Text ${i}.`)
  take()
  await say(rig, 'Text 19.')
  assert.deepEqual(take(), [])
  await say(rig, 'One.')
  assert.deepEqual(take(), ['One.'])
})

it('keeps the texts of callers apart', async (t) => {
  const keys = [
    { id: 'one', key: 'the-key-of-one', team: 'red' },
    { id: 'two', key: 'the-key-of-two', team: 'red' },
    { id: 'three', key: 'the-key-of-three' },
  ]
  for (const [memo_scope, expected] of [
    ['key', 3],
    ['team', 2],
    ['shared', 1],
  ] as const) {
    const { plugin, take } = spy()
    const rig = await open(t, plugin, { config: { inspection: { ...ALL, memo_scope }, keys } })
    for (const { key } of keys) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'One.' }] })
      const reply = await fetch(`${rig.url}/v1/chat/completions`, { method: 'POST', headers, body })
      assert.equal(reply.status, 200)
      await reply.text()
    }
    assert.equal(take().length, expected, memo_scope)
  }
})

it('knows nothing of what another config or another version of a plugin found', async (t) => {
  const provider = await startProvider()
  t.after(() => provider.close())
  const { plugin, take } = spy()
  const logger = createLogger({ level: 'silent', destination: { write: () => {} } })
  const configOf = (entry: object) =>
    parseConfig(
      JSON.stringify({
        listen: { port: 0, drain_seconds: 1 },
        store: 'memory',
        upstreams: { provider: { url: provider.url } },
        keys: [{ id: 'one', key: 'the-key-of-one' }],
        inspection: ALL,
        plugins: [{ use: 'spy', ...entry }],
      }),
      'test',
      {},
    )
  const specs = new Map([['spy', plugin as never]])
  const gateway = await startGateway({ config: configOf({}), logger, specs })
  t.after(() => gateway.close())
  const ask = async () => {
    const headers = { authorization: 'Bearer the-key-of-one', 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'A falcon and a robin.' }] })
    await (await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })).text()
    const asked = provider.requests.at(-1)?.json as { messages: { content: string }[] } | undefined
    return asked?.messages[0]?.content
  }
  for (let i = 0; i < 2; i++) assert.equal(await ask(), 'A [BIRD] and a robin.')
  assert.equal(take().length, 1)
  await (await gateway.prepare(configOf({ options: { word: 'robin' } }))).commit()
  for (let i = 0; i < 2; i++) assert.equal(await ask(), 'A falcon and a [BIRD].')
  assert.equal(take().length, 1)
  const other = spy({ pure: true }, () => ({ type: 'animal' }))
  specs.set('spy', other.plugin as never)
  await (await gateway.prepare(configOf({}))).commit()
  for (let i = 0; i < 2; i++) assert.equal(await ask(), 'A [ANIMAL] and a robin.')
  assert.deepEqual([take().length, other.take().length], [0, 1])
})

it('testPlugin runs a case twice where a plugin says that it may be remembered', async () => {
  let calls = 0
  const counting = definePlugin({
    name: 'counting',
    schema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      memoKey: () => String(calls),
      detect(view) {
        if (view.direction === 'output' || view.channel !== 'content') return
        if (++calls % 2 === 0) view.report({ type: 'even', start: 0, end: 1, action: 'redact' })
      },
    }),
  })
  await assert.rejects(testPlugin(counting, { variants: ['buffered'] }), /declares pure or memoKey/)
  const { plugin, take } = spy()
  await testPlugin(plugin, { request: 'A falcon.', variants: ['buffered'] })
  assert.equal(take().length, 2)
})
