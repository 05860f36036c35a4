import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin } from 'governed-gateway'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import flags from '../../../plugins/flags/index.ts'
import { FORMS } from '../../helpers/rounds.ts'

const none = { type: 'object', properties: {}, additionalProperties: false } as const

/** Redacts numbers as its flag says, and shows what it was told. */
const guard = definePlugin({
  name: 'guard',
  schema: { ...none, properties: { action: { type: 'string', enum: ['off', 'detect', 'redact'], default: 'redact' } } },
  flags: { guard: { values: ['off', 'detect', 'redact', 'block'], option: 'action' }, limit: { values: 'integer' } },
  create: ({ action }) => ({
    detect(view, x) {
      const wanted = x.flag('guard') ?? action
      const start = view.text.indexOf('secret')
      if (start < 0 || wanted === 'off') return
      view.report({ type: 'hidden_word', start, end: start + 6, action: wanted as 'detect' })
    },
    apply(hooks) {
      hooks.block.tap('guard', (x) => x.reply.setHeader('x-limit', String(x.flag('limit') ?? 'none')))
    },
  }),
})

const run = (header: string | undefined, more: PluginCase = {}, options: object = {}) =>
  testPlugin(flags, {
    options,
    with: [guard],
    request: 'a secret',
    variants: FORMS,
    ...(header !== undefined && { headers: { 'x-service-flags': header } }),
    ...more,
  })

describe('flags: a request', () => {
  it('has none when it sends none', async () => {
    await run(undefined, {
      expect: { outcome: 'completed', service: { mode: 'enforce' }, headers: { 'x-limit': 'none' } },
    })
  })

  it('may tighten, and only plugins that declare a flag read it', async () => {
    await run('guard=block', { expect: { outcome: 'blocked', sent: null } })
    await run('limit=5, mode=strict', {
      expect: { service: { mode: 'strict' }, headers: { 'x-limit': '5' }, events: ['!flags.loosened'] },
    })
  })

  it('may send the header twice', async () => {
    await run(undefined, {
      headers: { 'x-service-flags': 'mode=strict, limit=5' },
      expect: { headers: { 'x-limit': '5' } },
    })
  })

  it('gets an error that names the problem', async () => {
    await run('guard=maybe', {
      expect: {
        status: 400,
        outcome: 'rejected',
        error: {
          type: 'invalid_request_error',
          code: 'invalid_flag',
          param: 'X-Service-Flags',
          message: "The header X-Service-Flags takes for 'guard': off, detect, redact, block.",
        },
        events: ['request.rejected', '!flags.rejected'],
        sent: null,
      },
    })
  })

  it('may not loosen the default of the plugin or the gateway', async () => {
    const expect = {
      status: 403,
      error: { type: 'permission_error', code: 'flag_not_permitted' },
      events: ['flags.rejected', 'request.rejected'],
      sent: null,
    } as const
    await run('guard=detect', { expect })
    await run('mode=monitor', { expect })
    await run('mode=audit', {
      key: { flags_allow: ['mode=off', 'guard=*'] },
      expect,
      check: ({ events, error }) => {
        assert.match(String(error?.message), /mode=monitor: it is looser than mode=enforce/)
        const event = events.find(({ type }) => type === 'flags.rejected')
        assert.deepEqual([event?.flag, event?.value, event?.severity], ['mode', 'monitor', 'action'])
      },
    })
  })

  it('may loosen what its key allows, which is recorded', async () => {
    await run('guard=detect, mode=observe', {
      key: { flags_allow: ['mode=observe', 'guard=*'] },
      expect: {
        outcome: 'completed',
        service: { mode: 'monitor' },
        detections: { hidden_word: 1 },
        events: ['flags.loosened'],
      },
      check: ({ events }) => {
        const event = events.find(({ type }) => type === 'flags.loosened')
        assert.deepEqual(event?.flags, ['guard=detect', 'mode=monitor'])
      },
    })
    await run('mode=off', {
      key: { flags_allow: ['mode=off'] },
      expect: { detections: {}, service: { mode: 'off', warnings: ['governance_off'] } },
    })
  })
})

describe('flags: the operator', () => {
  it('sets them for all keys and for one', async () => {
    await run(undefined, { expect: { service: { mode: 'monitor' } } }, { defaults: { mode: 'monitor' } })
    await run(
      undefined,
      {
        key: { flags: { mode: 'monitor', limit: 3 } },
        expect: { service: { mode: 'monitor' }, headers: { 'x-limit': '3' } },
      },
      { defaults: { mode: 'strict', limit: 9 } },
    )
  })

  it('sets the value against which loosening is measured', async () => {
    const key = { flags: { limit: 10 } }
    await run('limit=11', { key, expect: { error: { code: 'flag_not_permitted' } } })
    await run('limit=9', { key, expect: { headers: { 'x-limit': '9' } } })
    await run('mode=enforce', { key: { flags: { mode: 'monitor' } }, expect: { service: { mode: 'enforce' } } })
  })

  it('gets an error at start for undeclared flags', async () => {
    const start = (key: object, options: object) => run(undefined, { key: { ...key }, variants: ['buffered'] }, options)
    await assert.rejects(
      start({}, { defaults: { pii: 'off' } }),
      /options\.defaults\.pii: is a flag that no enabled plugin declares/,
    )
    await assert.rejects(start({}, { defaults: { mode: 'loud' } }), /must be off, monitor, enforce, strict/)
    await assert.rejects(start({ flags: { pii: 'off' } }, {}), /keys\[0\]\.flags\.pii.*no enabled plugin declares/s)
    await assert.rejects(start({ flags: { mode: 'loud' } }, {}), /keys\[0\]\.flags\.mode.*must be off, monitor/s)
    await assert.rejects(
      testPlugin(guard, { key: { flags: { guard: 'off' } } }),
      /keys\[0\]\.flags\.guard.*needs a plugin that provides 'flags'/s,
    )
  })
})

describe('flags: dry_run', () => {
  const dry = { headers: { 'x-service-flags': 'dry_run=true' } }

  it('decides and reports without a model call', async () => {
    const { aborted } = await run(undefined, {
      ...dry,
      variants: ['buffered', 'streamed', 'bytes', 'aborted'],
      request: { messages: [{ role: 'user', content: 'a secret' }], n: 2 },
      expect: {
        outcome: 'answered',
        sent: null,
        detections: { hidden_word: 1 },
        events: ['flags.dry_run'],
        service: { dry_run: true, blocked: false },
        choices: [{ finish: 'stop' }, { finish: 'stop' }],
        text: 'Dry run: no model was called. The request would go to the model gpt-test, classified PUBLIC, in mode enforce. Found in it: 1 × hidden_word (redact).',
      },
    })
    assert.equal(aborted.outcome, 'answered')
  })

  it('reports a block as a block', async () => {
    await run(undefined, {
      headers: { 'x-service-flags': 'dry_run=true, guard=block' },
      expect: { outcome: 'blocked', status: 403, sent: null, events: ['flags.dry_run'] },
    })
  })

  it('sends usage when the client asked for it', async () => {
    const { bytes } = await run(undefined, {
      ...dry,
      request: { stream_options: { include_usage: true } },
      expect: { text: /Nothing was found in it\.$/ },
    })
    assert.deepEqual(bytes.usage, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
  })
})
