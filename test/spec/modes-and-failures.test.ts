/** Guards that fail, guards that are slow, and guards that only watch. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completion, delta, json, stream } from '../../core/testing/provider.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, bearer, post, setup, USER_KEY } from '../helpers/gateway.ts'
import { describeMatrix } from '../helpers/matrix.ts'
import { seenJson, seenStream } from '../helpers/replies.ts'

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

describe('a reply with sound or pictures in it', () => {
  const audio = {
    id: 'audio_1',
    data: 'UklGRiQAAABXQVZF'.repeat(10),
    transcript: 'All is well.',
    expires_at: 1763676000,
  }
  const { expires_at: _, ...piece } = audio
  const whole = { ...completion('x') }
  whole.choices = [{ index: 0, message: { role: 'assistant', content: null, audio }, finish_reason: 'stop' }]
  const events = [delta({ content: LONG }), delta({ audio: piece }), delta({ audio: piece }), delta({}, 0, 'stop')]
  const plugins = [{ use: 'flags' }, { use: './plugins/keyword.ts', options: { word: 'needle' } }]
  const strict = { headers: { 'x-service-flags': 'mode=strict' } }

  it('is counted in the warnings, buffered and streamed', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    provider.reply(json(whole), stream(events))
    const buffered = await post(gateway)
    assert.deepEqual(seenJson(200, await buffered.text()).service?.warnings, ['uninspected_output:audio=1'])
    const streamed = await post(gateway, asking('Hello', { stream: true }))
    const seen = seenStream(200, await streamed.events())
    assert.deepEqual(seen.service?.warnings, ['uninspected_output:audio=1'])
    assert.equal(seen.choices[0]?.content, LONG)
  })

  it('and pictures are counted too', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    const url = `data:image/png;base64,${'iVBORw0KGgo'.repeat(5000)}`
    const member = { images: [{ type: 'image_url', index: 0, image_url: { url } }] }
    const message = { role: 'assistant', content: LONG, ...member }
    provider.reply(
      json({ ...completion('x'), choices: [{ index: 0, message, finish_reason: 'stop' }] }),
      stream([delta({ content: LONG }), delta(member), delta({}, 0, 'stop')]),
    )
    const buffered = await (await post(gateway)).text()
    assert.deepEqual(seenJson(200, buffered).service?.warnings, ['uninspected_output:image_url=1'])
    const streamed = await (await post(gateway, asking('Hello', { stream: true }))).events()
    assert.deepEqual(seenStream(200, streamed).service?.warnings, ['uninspected_output:image_url=1'])
    for (const raw of [buffered, streamed.join()]) assert.ok(raw.includes(url), 'as it was sent')
  })

  it('is blocked by strict, buffered and streamed', async (t) => {
    const { provider, gateway } = await setup(t, { plugins })
    provider.reply(json(whole), stream(events, { split: 'event' }), stream(events.slice(1)))
    const buffered = await post(gateway, asking(), strict)
    assert.equal(buffered.status, 403)
    const told = seenJson(403, await buffered.text())
    assert.equal(told.error?.code, 'uninspectable_content')
    assert.match(String(told.error?.reason), /audio/)
    for (const _ of ['after text', 'from the start']) {
      const streamed = await post(gateway, asking('Hello', { stream: true }), strict)
      const raw = await streamed.text()
      assert.match(raw, /uninspectable_content/)
      assert.ok(!raw.includes('UklGR'))
    }
  })
})
