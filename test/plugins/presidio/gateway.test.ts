import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PluginCase, testPlugin } from 'governed-gateway/testing'
import presidio from '../../../plugins/presidio/index.ts'
import { sharedAnalyzer } from './analyzer.ts'

const shared = sharedAnalyzer()

const run = (plugin: typeof presidio, options: object, testCase: PluginCase = {}) =>
  testPlugin(plugin, { options, egress: { allow: [new URL(shared.server.url).host] }, ...testCase })

const quick = { variants: ['buffered'] } as const

describe('presidio in a gateway', () => {
  it('redacts request and reply, buffered and streamed', async () => {
    await run(
      presidio,
      { url: shared.server.url },
      {
        request: 'I am Ada Lovelace.',
        reply: 'Hi Ada Lovelace. Is London nice?',
        expect: {
          outcome: 'completed',
          text: 'Hi [PERSON]. Is [LOCATION] nice?',
          label: 'CONFIDENTIAL',
          detections: { person: 2, location: 1 },
          events: ['pii.detected', 'request.redacted', 'response.redacted'],
          sent: { messages: [{ role: 'user', content: 'I am [PERSON].' }] },
        },
      },
    )
  })

  it('asks once for all texts of a request', async () => {
    const messages = [
      { role: 'system', content: 'Answer for London.' },
      { role: 'user', content: 'I am Ada Lovelace.' },
    ]
    await run(
      presidio,
      { url: shared.server.url, output: 'off' },
      { ...quick, request: { messages }, expect: { detections: { location: 1, person: 1 } } },
    )
    assert.equal(shared.server.asked.length, 1)
    assert.ok(Array.isArray(shared.server.asked[0]?.text))
  })

  it('fails closed when the analyzer fails, or open when the entry says so', async () => {
    shared.server.override = (_, response) => response.writeHead(500).end()
    await run(
      presidio,
      { url: shared.server.url },
      {
        ...quick,
        request: 'I am Ada Lovelace.',
        expect: { status: 503, error: { code: 'guardrail_unavailable' }, sent: null, events: ['plugin.failed'] },
      },
    )
    await run(
      presidio,
      { url: shared.server.url },
      {
        variants: ['buffered', 'bytes'],
        entry: { on_error: 'allow' },
        request: 'I am Ada Lovelace.',
        reply: 'Hello. All is well.',
        expect: { outcome: 'completed', text: 'Hello. All is well.', events: ['plugin.failed'], detections: {} },
      },
    )
  })

  it('fails closed in requests, replies and streams when a finding lies beyond its text', async () => {
    // The analyzer is right about the request, and wrong about the reply.
    shared.server.override = (_, response, body) => {
      const end = body.includes('Hello') ? 4000 : 1
      response.end(`[{"entity_type":"PERSON","start":0,"end":${end},"score":1}]`)
    }
    const reply = 'Hello Ada Lovelace. All is well.'
    await run(
      presidio,
      { url: shared.server.url },
      { variants: ['buffered'], request: 'Hello', expect: { status: 503, sent: null } },
    )
    await run(
      presidio,
      { url: shared.server.url },
      {
        variants: ['buffered', 'streamed', 'bytes'],
        request: 'I',
        reply,
        expect: { text: '', events: ['plugin.failed'] },
      },
    )
  })

  it('does not start where the gateway may not connect to', async () => {
    await assert.rejects(
      run(presidio, { url: shared.server.url }, { ...quick, egress: { allow: [] } }),
      /did not start: options\.url is this machine \(loopback\)/,
    )
    assert.equal(shared.server.asked.length, 0)
  })

  it('gives up after timeout_ms', async () => {
    shared.server.override = () => undefined
    await run(
      presidio,
      { url: shared.server.url, timeout_ms: 60 },
      { ...quick, request: 'I am Ada Lovelace.', expect: { status: 503, sent: null } },
    )
  })
})
