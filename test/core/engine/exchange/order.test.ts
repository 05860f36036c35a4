import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Exchange, Stage } from '../../../../core/engine/contract/plugin.ts'
import { hang } from '../../../../core/testing/provider.ts'
import { type Plugin, running, word } from '../../../helpers/core.ts'
import { asking, bearer, LIMITED_KEY, post } from '../../../helpers/gateway.ts'
import { isTerminal } from '../../services/audit/faults.ts'

/** Notes every hook that runs. */
function tracer(): { calls: string[]; plugin: Plugin; outcomes: string[] } {
  const calls: string[] = []
  const outcomes: string[] = []
  const plugin: Plugin = {
    name: 'tracer',
    apply(hooks) {
      hooks.preRequest.tap('t', () => void calls.push('preRequest'))
      hooks.classify.tap('t', () => void calls.push('classify'))
      hooks.block.tap('t', () => void calls.push('block'))
      hooks.block.tap({ name: 't', stage: Stage.Final }, () => void calls.push('late'))
      hooks.onChunk.tap('t', () => void calls.push('onChunk'))
      hooks.postResponse.tap('t', (x) => {
        calls.push('postResponse')
        outcomes.push(x.reply.outcome)
      })
    },
  }
  return { calls, plugin, outcomes }
}

const at = (hook: 'preRequest' | 'classify' | 'block' | 'late', fn: (x: Exchange) => unknown): Plugin => ({
  name: 'acts',
  apply(hooks) {
    if (hook === 'late') hooks.block.tap({ name: 'a', stage: Stage.Final }, fn as never)
    else hooks[hook].tap('a', fn as never)
  },
})

describe('the order of one exchange', () => {
  it('is preRequest, classify, block, late, onChunk, postResponse', async (t) => {
    const { calls, plugin } = tracer()
    const { gateway } = await running(t, [plugin])
    await (await post(gateway)).json()
    assert.deepEqual(calls, ['preRequest', 'classify', 'block', 'late', 'onChunk', 'postResponse'])
  })

  const endings: [string, Plugin | undefined, string, string, string[]][] = [
    ['completed', undefined, 'completed', 'request.completed', ['preRequest', 'classify', 'block', 'late', 'onChunk']],
    [
      'rejected by preRequest',
      at('preRequest', () => ({ error: 'GW_RATE_LIMITED', message: 'Slow down.' })),
      'rejected',
      'request.rejected',
      [],
    ],
    [
      'blocked by a policy',
      at('block', () => ({ reason: 'No.' })),
      'blocked',
      'request.blocked',
      ['preRequest', 'classify'],
    ],
    [
      'blocked by a finding',
      { name: 'acts', ...word('Hello', 'block') },
      'blocked',
      'request.blocked',
      ['preRequest', 'classify'],
    ],
    [
      'rejected late',
      at('late', () => ({ error: 'GW_RATE_LIMITED', message: 'Slow down.' })),
      'rejected',
      'request.rejected',
      ['preRequest', 'classify', 'block'],
    ],
    [
      'answered late',
      at('late', () => ({
        answer: { contentType: 'application/json', body: Buffer.from('{"choices":[]}') },
      })),
      'answered',
      'request.completed',
      ['preRequest', 'classify', 'block', 'onChunk'],
    ],
    [
      'a failing guard',
      at('classify', () => {
        throw new Error('broken')
      }),
      'rejected',
      'request.rejected',
      ['preRequest'],
    ],
  ]
  for (const [name, plugin, outcome, event, before] of endings) {
    it(`ends once, with one terminal event: ${name}`, async (t) => {
      const traced = tracer()
      const { gateway, events } = await running(t, plugin === undefined ? [traced.plugin] : [plugin, traced.plugin])
      await (await post(gateway)).text()
      assert.deepEqual(traced.outcomes, [outcome])
      assert.deepEqual(traced.calls, [...before, 'postResponse'])
      assert.deepEqual(
        events()
          .map(({ type }) => type)
          .filter((type) => isTerminal({ type })),
        [event],
      )
    })
  }

  it('does not go on for a client that left while it was being decided, and settles afterwards', async (t) => {
    for (const hook of ['preRequest', 'classify', 'block', 'late'] as const) {
      const began = Promise.withResolvers<Exchange>()
      const go = Promise.withResolvers<void>()
      const calls: string[] = []
      const slow: Plugin = {
        ...at(hook, async (x) => {
          began.resolve(x)
          await go.promise
          calls.push(hook)
        }),
        timeoutMs: 60_000,
      }
      const traced = tracer()
      const parts = await running(t, [slow, traced.plugin])
      const client = new AbortController()
      const reply = post(parts.gateway, asking(), { signal: client.signal }).catch(() => undefined)
      const x = await began.promise
      const { signal } = x
      assert.equal(signal.aborted, false)
      const gone = new Promise((resolve) => signal.addEventListener('abort', resolve))
      client.abort()
      await gone
      assert.deepEqual(traced.outcomes, [], 'what is being decided comes to its end first')
      go.resolve()
      await parts.next('stream.aborted')
      await reply
      assert.deepEqual(calls, [hook])
      assert.deepEqual(traced.outcomes, ['aborted'])
      assert.ok(!traced.calls.includes('onChunk'))
      assert.equal(parts.provider.requests.length, 0)
    }
  })

  it('stops the provider at once when the client leaves', async (t) => {
    const traced = tracer()
    const parts = await running(t, [traced.plugin])
    parts.provider.reply(hang())
    const client = new AbortController()
    const reply = post(parts.gateway, asking(), { signal: client.signal }).catch(() => undefined)
    const request = await parts.provider.next()
    client.abort()
    assert.equal(await request.closed, 'aborted')
    await parts.next('stream.aborted')
    await reply
    assert.deepEqual(traced.outcomes, ['aborted'])
  })
})

describe('what block sees', () => {
  it('the findings of classify', async (t) => {
    let seen: unknown
    const policy = at('block', (x) => {
      seen = x.findings.map(({ plugin, type, direction, action, count }) => [plugin, type, direction, action, count])
    })
    const { gateway } = await running(t, [{ name: 'detector', ...word('secret') }, policy])
    await (await post(gateway, asking('a secret and a secret'))).json()
    assert.deepEqual(seen, [['detector', 'word', 'input', 'redact', 2]])
  })

  it('the request as received; Stage.Final sees it as it will be sent', async (t) => {
    const seen: unknown[] = []
    const look = (x: Exchange) => void seen.push((x.request.json.messages as { content: string }[])[0]?.content)
    const watch: Plugin = {
      apply(hooks) {
        hooks.block.tap('a', look)
        hooks.block.tap({ name: 'a', stage: Stage.Final }, look)
      },
    }
    const { gateway, provider } = await running(t, [word('secret'), watch])
    await (await post(gateway, asking('a secret'))).json()
    assert.deepEqual(seen, ['a secret', 'a [WORD]'])
    assert.match((await provider.next()).text, /a \[WORD\]/)
  })

  it('no way to report any more', async (t) => {
    let thrown: unknown
    const late = at('block', (x) => {
      try {
        x.request.views[0]?.report({ type: 'late', start: 0, end: 1, action: 'redact' })
      } catch (error) {
        thrown = (error as { code: string }).code
      }
    })
    const { gateway, provider } = await running(t, [word('nothing'), late])
    await (await post(gateway)).json()
    assert.equal(thrown, 'GW_STALE_HANDLE')
    assert.match((await provider.next()).text, /Hello/)
  })
})

describe('a blocked request', () => {
  it('tells what was found in it, whoever blocked it', async (t) => {
    const policy = at('block', () => ({ reason: 'No.' }))
    const detector: Plugin = {
      name: 'detector',
      ...word('secret'),
      events: { 'word.detected': { severity: 'detection' } },
    }
    const { gateway, events } = await running(t, [detector, policy])
    const body = await (await post(gateway, asking('a secret'))).json()
    assert.deepEqual((body.service as { detections: unknown }).detections, [
      { type: 'word', count: 1, action: 'redact', direction: 'input' },
    ])
    assert.deepEqual(
      events().map(({ type }) => type),
      ['word.detected', 'request.blocked'],
      'nothing was redacted: nothing was sent',
    )
  })
})

describe('a verdict from outside on the request', () => {
  const asked = (verdict: (x: Exchange) => Promise<unknown>, more: Partial<Plugin> = {}): Plugin => ({
    name: 'outside',
    ...more,
    detect(view, x) {
      if (view.direction === 'input') view.hold(0, verdict(x) as Promise<undefined>)
    },
  })

  it('is waited for', async (t) => {
    const go = Promise.withResolvers<void>()
    const { gateway, provider } = await running(t, [asked(() => go.promise)])
    const reply = post(gateway)
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(provider.requests.length, 0)
    go.resolve()
    assert.equal((await reply).status, 200)
  })

  it('blocks through x.reply.block', async (t) => {
    const plugin = asked(async (x) => x.reply.block({ reason: 'Not allowed.' }))
    const { gateway, provider, events } = await running(t, [plugin])
    const reply = await post(gateway)
    assert.equal(reply.status, 403)
    assert.equal(((await reply.json()).error as { reason: string }).reason, 'Not allowed.')
    assert.equal(provider.requests.length, 0)
    assert.deepEqual(
      events().map(({ type }) => type),
      ['request.blocked'],
    )
  })

  it('follows onError when it fails or comes too late', async (t) => {
    const failing = () => Promise.reject(new Error('down'))
    const never = () => new Promise(() => {})
    for (const verdict of [failing, never]) {
      const closed = await running(t, [asked(verdict, { timeoutMs: 20 })])
      const refused = await post(closed.gateway)
      assert.equal(refused.status, 503)
      assert.equal(closed.provider.requests.length, 0)
      const open = await running(t, [asked(verdict, { timeoutMs: 20, onError: 'allow' })])
      assert.equal((await post(open.gateway)).status, 200)
      assert.ok(open.events().some(({ type, allowed }) => type === 'plugin.failed' && allowed === true))
    }
  })
})

describe('an unreadable request', () => {
  it('is one event with the key that sent it', async (t) => {
    const bodies: [unknown, object, string][] = [
      ['{"a":', {}, 'invalid_json'],
      [asking('x', { n: 0 }), {}, 'invalid_parameter'],
      ['x'.repeat(20), { 'content-type': 'text/plain' }, 'unsupported_media_type'],
      [`"${'x'.repeat(2000)}"`, {}, 'request_too_large'],
    ]
    const { gateway, events } = await running(t, [], { config: { listen: { max_body_bytes: 1024 } } })
    for (const [body, headers] of bodies) {
      await (await post(gateway, body, { headers: { 'content-type': 'application/json', ...headers } })).text()
    }
    assert.deepEqual(
      events().map(({ type, key_id, code, severity, action }) => [type, key_id, code, severity, action]),
      bodies.map(([, , code]) => ['request.rejected', 'user', code, 'info', 'reject']),
    )
    for (const { request_id, source_ip } of events()) assert.ok(request_id && source_ip)
  })

  it('is of severity action when somebody tried what he may not', async (t) => {
    const { gateway, events } = await running(t, [])
    await (await post(gateway, { ...asking(), model: 'other' }, { headers: bearer(LIMITED_KEY) })).text()
    assert.deepEqual(
      events().map(({ type, code, severity, action }) => [type, code, severity, action]),
      [['request.rejected', 'model_not_allowed', 'action', 'reject']],
    )
  })
})
