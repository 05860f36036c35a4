import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin, type Instance, Stage } from 'governed-gateway'
import { json, startPlugin, testPlugin } from 'governed-gateway/testing'

const none = { type: 'object', properties: {}, additionalProperties: false } as const

const swearing = definePlugin({
  name: 'no-swearing',
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: { action: { type: 'string', enum: ['detect', 'redact', 'block'], default: 'redact' } },
  },
  create: ({ action }) => ({
    detect(view) {
      for (const { index } of view.text.matchAll(/damn/g)) {
        view.report({ type: 'swearing', start: index, end: index + 4, action, reason: 'Mind your language.' })
      }
    },
  }),
})

describe('testPlugin', () => {
  it('runs a case as JSON, cut at every character, cut at every byte, and aborted', async () => {
    const reply = 'Well, damn it. Damn.'
    const run = await testPlugin(swearing, {
      request: 'Say damn',
      reply,
      expect: {
        outcome: 'completed',
        status: 200,
        text: 'Well, [SWEARING] it. Damn.',
        choices: [{ finish: 'stop' }],
        detections: { swearing: 2 },
        label: 'PUBLIC',
        error: null,
        service: { action: 'redact', blocked: false },
        headers: { 'x-service-classification': 'PUBLIC' },
        events: ['request.completed', 'request.redacted', 'response.redacted', '!request.blocked'],
        sent: { messages: [{ role: 'user', content: 'Say [SWEARING]' }] },
      },
    })
    assert.equal(run.streamed.length, reply.length - 1)
    assert.equal(run.bytes.done, true)
    assert.equal(run.aborted.outcome, 'aborted')
    assert.equal(run.aborted.events.at(-1)?.type, 'stream.aborted')
  })

  it('covers several choices, reasoning and tool calls', async () => {
    const call = { name: 'say', arguments: '{"word":"damn","times":1}' }
    await testPlugin(swearing, {
      request: { n: 2 },
      reply: { choices: [{ reasoning: 'damn', content: 'ok' }, { toolCalls: [call] }] },
      expect: {
        choices: [
          { reasoning: '[SWEARING]', content: 'ok', finish: 'stop' },
          {
            toolCalls: [{ id: 'call_1_0', name: 'say', arguments: '{"word":"[SWEARING]","times":1}' }],
            finish: 'tool_calls',
          },
        ],
      },
    })
  })

  it('knows a block of the request, and of the reply before and after its first byte', async () => {
    const options = { action: 'block' }
    const expect = {
      outcome: 'blocked',
      status: 403,
      reason: 'Mind your language.',
      error: { type: 'policy_block' },
      detections: { swearing: 1 },
    } as const
    const onRequest = await testPlugin(swearing, { options, request: 'damn', expect: { ...expect, sent: null } })
    assert.equal(onRequest.aborted.outcome, 'blocked')
    await testPlugin(swearing, { options, reply: 'damn it', expect })
    const variants = ['buffered', 'bytes'] as const
    const late = await testPlugin(swearing, { options, reply: `${'so '.repeat(60)}damn it`, expect, variants })
    assert.equal(late.bytes.status, 200)
    assert.ok('so '.repeat(60).startsWith(late.bytes.text) && late.bytes.text !== '')
  })

  it('puts other plugins in front, bundled ones by name, and sets up key, provider and entry', async () => {
    const label = definePlugin({
      name: 'label',
      schema: none,
      create: () => ({
        apply: (hooks) => hooks.classify.tap('label', (x) => x.raise('RESTRICTED', 'test')),
      }),
    })
    const setup = { with: [label], entry: { mode: 'monitor' }, key: { id: 'somebody' } }
    await testPlugin(swearing, {
      options: { action: 'block' },
      ...setup,
      request: 'damn',
      expect: { label: 'RESTRICTED', outcome: 'completed', events: ['policy.would_block'] },
      check: ({ events }) => assert.equal(events[0]?.key_id, 'somebody'),
    })
    await testPlugin(swearing, {
      with: [{ use: label }],
      upstream: { max_classification: 'INTERNAL' },
      expect: { outcome: 'blocked', reason: /RESTRICTED/, sent: null },
    })
  })

  it('runs plugins that answer by themselves, and scripts of the provider', async () => {
    const cache = definePlugin({
      name: 'cache',
      schema: none,
      create: () => ({
        apply(hooks) {
          hooks.block.tap({ name: 'cache', stage: Stage.Final }, () => {
            const body = Buffer.from('{"choices":[{"index":0,"message":{"role":"assistant","content":"known"}}]}')
            return { answer: { contentType: 'application/json', body } }
          })
        },
      }),
    })
    const expect = { outcome: 'answered', text: 'known', sent: null } as const
    await testPlugin(cache, { variants: ['buffered'], expect })
    const reply = json({ error: { message: 'no' } }, { status: 400 })
    await testPlugin(swearing, {
      reply,
      variants: ['buffered', 'streamed'],
      expect: { status: 400, outcome: 'upstream_failed' },
    })
  })

  it('lets one gateway take several requests', async (t) => {
    const gateway = await startPlugin(swearing)
    t.after(() => gateway.close())
    const [one, two] = await Promise.all([gateway.send('one'), gateway.send({ model: 'x' }, { stream: true })])
    assert.deepEqual([one.text, two.text], ['Hello from the provider', 'Hello from the provider'])
    assert.equal(gateway.provider.requests.length, 2)
    assert.ok(gateway.events.some(({ type }) => type === 'service.started'))
  })
})

it('keeps failures of requests that run together apart', async (t) => {
  const [entered, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const brittle = definePlugin({
    name: 'brittle',
    schema: none,
    create: () => ({
      apply: (hooks) =>
        hooks.block.tap('brittle', async (x) => {
          const { model } = x.request
          if (model === 'bad') throw new Error('oh')
          entered.resolve()
          await goOn.promise
          if (model === 'late') throw new Error('too late')
        }),
    }),
  })
  const gateway = await startPlugin(brittle)
  t.after(() => gateway.close())
  const sendings = [gateway.send({ model: 'fine' }), gateway.send({ model: 'late' })]
  await entered.promise
  const bad = await gateway.send({ model: 'bad' })
  goOn.resolve()
  const [fine, late] = await Promise.all(sendings)
  assert.deepEqual(
    [fine, late, bad].map((result) => result?.failures),
    [[], ['brittle failed in block: too late'], ['brittle failed in block: oh']],
  )
})

describe('testPlugin finds', () => {
  const fails = (run: Promise<unknown>, pattern: RegExp) => assert.rejects(run, pattern)

  it('a detector that sees a stream piece by piece', async () => {
    const naive = definePlugin({
      name: 'naive',
      lookbehind: 0,
      schema: none,
      create: () => ({
        detect(view) {
          const start = view.text.indexOf('damn')
          if (start >= 0) view.report({ type: 'swearing', start, end: start + 4, action: 'redact' })
        },
      }),
    })
    await fails(
      testPlugin(naive, { reply: 'Well, damn it' }),
      /naive, streamed, cut after 7: other detections than buffered/,
    )
  })

  it('a schema that takes anything, refuses its own defaults, or does not compile', async () => {
    const plugin = (schema: object) => ({ name: 'schema-test', schema, create: () => ({}) })
    await fails(testPlugin(plugin({ type: 'object' })), /takes unknown options/)
    const properties = { level: { type: 'integer', minimum: 1, default: 0 } }
    const strict = { type: 'object', additionalProperties: false }
    await fails(
      testPlugin(plugin({ ...strict, properties }), { options: { level: 1 } }),
      /does not accept its own defaults/,
    )
    await fails(testPlugin(plugin({ ...strict, propertys: {} })), /the schema is not valid/)
    await fails(testPlugin(plugin(strict), { options: { level: 1 } }), /do not fit the schema/)
    await fails(testPlugin({ ...plugin(strict), name: 'Schema Test' }), /lower-case letters, digits and dashes/)
  })

  it('flags and events out of form', async () => {
    const base = { name: 'odd', schema: none, create: () => ({}) }
    await fails(
      testPlugin({ ...base, flags: { odd: { values: ['a'], aliases: { b: 'c' } } } }),
      /`flags\.odd\.aliases\.b` must be one of the flag's values; got "c"/,
    )
    await fails(
      testPlugin({ ...base, flags: { odd: { values: ['a'], option: 'gone' } } }),
      /`flags\.odd\.option` must name an option/,
    )
    await fails(testPlugin({ ...base, events: { Odd: { severity: 'info' } } }), /must be named noun\.verb/)
  })

  it('results that are not what was expected, and says which', async () => {
    const run = (expect: object) => testPlugin(swearing, { name: 'a case', variants: ['buffered'], expect })
    await fails(run({ text: 'Goodbye' }), /a case, buffered: the text is "Hello from the provider", not "Goodbye"/)
    await fails(run({ outcome: 'blocked' }), /a case, buffered: expected to be blocked; got "completed"/)
    await fails(run({ sent: null }), /a case, buffered: the provider was asked/)
    await fails(run({ sent: { model: 'other' } }), /got another body/)
    await fails(run({ events: ['request.blocked'] }), /expected request\.blocked; got request\.completed/)
    await fails(run({ events: ['!request.completed'] }), /expected no request\.completed/)
    await fails(run({ detections: { swearing: 1 } }), /other detections/)
    await fails(run({ error: { code: 'x' } }), /another error/)
    await fails(run({ status: 403 }), /expected status 403; got 200/)
    await fails(run({ headers: { 'x-missing': '1' } }), /other headers/)
    await fails(run({ service: { blocked: true } }), /another service/)
    await fails(run({ label: 'RESTRICTED' }), /expected the label RESTRICTED/)
    await fails(run({ choices: [{ content: 'x' }] }), /other choices/)
  })

  it('members that no case has, which would expect nothing', async () => {
    const run = (more: object) => testPlugin(swearing, { variants: ['buffered'], ...more })
    await fails(run({ repley: 'x' }), /`case\.repley` is no member .* Did you mean "reply"\?/)
    await fails(run({ expect: { txt: 'x' } }), /`expect\.txt` is no member .* Did you mean "text"\?/)
    await fails(run({ variants: ['bufered'] }), /The variants are buffered, streamed, bytes, aborted\./)
    await fails(startPlugin(swearing, { option: {} } as never), /`setup\.option` is no member/)
  })

  it('a plugin that fails, and says why', async () => {
    const run = (failing: Instance, more: object = {}) => {
      const plugin = definePlugin({ name: 'failing', timeoutMs: 50, schema: none, create: () => failing })
      return testPlugin(plugin, { variants: ['buffered'], ...more })
    }
    const throwing: Instance = {
      detect() {
        throw new Error('oops')
      },
    }
    await fails(
      run(throwing),
      /failing, buffered: failing failed in classify: oops\. If that is meant, expect status 503/,
    )
    await fails(run(throwing, { entry: { on_error: 'allow' } }), /oops/)
    await run(throwing, { expect: { status: 503 } })
    await run(throwing, { entry: { on_error: 'allow' }, expect: { events: ['plugin.failed'] } })
    const outOfForm: Instance = { detect: (view) => view.report({ type: 'x', start: 5, end: 2 }) }
    await fails(run(outOfForm), /failing failed in classify: .*the span 5\.\.2 of a text of 5 characters/)
    const held: Instance = {
      detect(view) {
        if (view.direction === 'output') view.hold(0, Promise.reject(new Error('no answer')))
      },
    }
    await fails(run(held), /failing failed in hold: no answer/)
    await fails(run(undefined as never), /`create` must return an object, at least \{\}/)
  })
})
