/** Guards that fail, guards that are slow, and guards that only watch. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertError } from '../helpers/errors.ts'
import { asking, bearer, post, setup, USER_KEY } from '../helpers/gateway.ts'
import { describeMatrix } from '../helpers/matrix.ts'

const LONG = 'A quiet text without anything in it that anyone could mind. '.repeat(10)

for (const how of ['throw', 'reject', 'hang'] as const) {
  for (const on of ['input', 'output'] as const) {
    const faulty = { use: './plugins/faulty.ts', options: { how, on } }

    describeMatrix(`a detector that fails (${how}) on ${on} fails closed`, { plugins: [faulty] }, async (run) => {
      const seen = await run.ask(LONG)
      assert.doesNotMatch(seen.raw, /marker/)
      for (const choice of seen.choices) assert.equal(choice.content, '', 'text left without being looked at')
      if (on === 'input') assert.equal(run.provider.requests.length, 0)
      if (run.kind === 'aborted' && on === 'output') return
      assert.equal(seen.error?.type, 'server_error')
      assert.equal(seen.error?.code, 'guardrail_unavailable')
      if (run.kind === 'buffered') assert.equal(seen.status, 503)
      assert.doesNotMatch(JSON.stringify(run.gateway.log), /marker/)
    })

    const tolerated = { plugins: [{ ...faulty, on_error: 'allow' as const }] }
    describeMatrix(`a detector that fails (${how}) on ${on} is left out on request`, tolerated, async (run) => {
      const seen = await run.ask(LONG, {}, { pieces: (text) => [text.slice(0, 300), text.slice(300)] })
      if (run.kind === 'aborted') return
      assert.equal(seen.status, 200)
      assert.equal(seen.choices[0]?.content, LONG)
      assert.ok(seen.done)
    })
  }
}

describeMatrix('an asynchronous verdict is awaited', { plugins: [{ use: './plugins/async-deny.ts' }] }, async (run) => {
  const seen = await run.ask('Hello')
  assert.equal(seen.status, 403)
  assert.equal(seen.error?.reason, 'Denied after a while')
  assert.equal(run.provider.requests.length, 0)
})

const watching = {
  plugins: [{ use: './plugins/keyword.ts', options: { word: 'needle', action: 'block' }, mode: 'monitor' as const }],
}
describeMatrix('a plugin in monitor mode records and lets pass', watching, async ({ kind, ask, provider }) => {
  const text = `${LONG} a needle, ${LONG}`
  const seen = await ask(text, { messages: [{ role: 'user', content: 'a needle' }] })
  assert.deepEqual(((await provider.next()).json as { messages: unknown }).messages, [
    { role: 'user', content: 'a needle' },
  ])
  if (kind === 'aborted') return
  assert.equal(seen.status, 200)
  assert.equal(seen.choices[0]?.content, text)
  assert.equal(seen.error, undefined)
  assert.equal(seen.service?.blocked, false)
  assert.deepEqual(seen.service?.detections, [
    { type: 'keyword', count: 1, action: 'detect', direction: 'input' },
    { type: 'keyword', count: 1, action: 'detect', direction: 'output' },
  ])
})

describe('modes of a request', () => {
  const keys = [{ id: 'user', key: USER_KEY, flags_allow: ['mode=*'] }]
  const blocking = {
    plugins: [{ use: 'flags' }, { use: './plugins/keyword.ts', options: { word: 'needle', action: 'block' } }],
    config: { keys },
  }
  const ask = (flags: string) => ({ headers: { ...bearer(USER_KEY), 'x-service-flags': flags } })

  it('enforce blocks, monitor records, off does not look', async (t) => {
    const { provider, gateway } = await setup(t, blocking)
    await assertError(await post(gateway, asking('a needle'), ask('mode=enforce')), 'GW_POLICY_BLOCK')
    assert.equal(provider.requests.length, 0)
    for (const [mode, detections] of [
      ['monitor', 1],
      ['off', 0],
    ] as const) {
      const reply = await post(gateway, asking('a needle'), ask(`mode=${mode}`))
      assert.equal(reply.status, 200)
      const { service } = (await reply.json()) as { service: Record<string, unknown> }
      assert.equal(service.mode, mode)
      assert.equal(service.blocked, false)
      assert.equal((service.detections as unknown[]).length, detections)
      if (mode === 'off') assert.deepEqual(service.warnings, ['governance_off'])
    }
  })

  it('strict refuses what cannot be inspected, enforce does not', async (t) => {
    const { provider, gateway } = await setup(t, blocking)
    const image = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }]
    await assertError(await post(gateway, asking(image), ask('mode=strict')), 'GW_UNINSPECTABLE')
    assert.equal(provider.requests.length, 0)
    assert.equal((await post(gateway, asking(image), ask('mode=enforce'))).status, 200)
  })
})
