/** Answers that no provider should give: a clear error, an event, and the seat is free again. On real sockets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { apiError, bytes, hangUp, type Script } from '../../../../core/testing/provider.ts'
import { running, word } from '../../../helpers/core.ts'
import { ADMIN_KEY, asking, bearer, post } from '../../../helpers/gateway.ts'
import { send } from '../../../helpers/http.ts'
import { until } from '../../../helpers/until.ts'

const COMPLETION = JSON.stringify({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1763676000, model: 'gpt-test' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
})
const STREAM = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
  .map(
    (chunk) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk })}\n\n`,
  )
  .join('')
  .concat('data: [DONE]\n\n')

const head = (status: string, headers: readonly string[] = []): string =>
  [`HTTP/1.1 ${status}`, ...headers, '', ''].join('\r\n')
/** Bytes of a whole answer, in the form that was asked for. */
const wire =
  (make: (type: string, body: string) => string | Buffer): Script =>
  (exchange) => {
    const { stream } = exchange.request.json as { stream?: boolean }
    const made = stream === true ? make('text/event-stream', STREAM) : make('application/json', COMPLETION)
    return bytes(made)(exchange)
  }
const encoded = (body: Buffer, more: readonly string[] = []): Script =>
  wire((type) =>
    Buffer.concat([
      Buffer.from(head('200 OK', [`content-type: ${type}`, 'content-encoding: gzip', 'connection: close', ...more])),
      body,
    ]),
  )

/** With the status, and that of a stream if it differs. */
const CASES: readonly (readonly [string, Script, number, number?])[] = [
  [
    '103 before the answer',
    wire(
      (type, body) =>
        head('103 Early Hints', ['link: </x>']) +
        head('200 OK', [`content-type: ${type}`, `content-length: ${body.length}`]) +
        body,
    ),
    200,
  ],
  [
    '100, twice, and 102 before the answer',
    wire(
      (type, body) =>
        head('100 Continue') +
        head('100 Continue', ['x-any: 1']) +
        head('102 Processing') +
        head('200 OK', [`content-type: ${type}`, `content-length: ${body.length}`]) +
        body,
    ),
    200,
  ],
  ['100 and no answer', wire(() => head('100 Continue')), 502],
  [
    '101, which nobody asked for',
    wire(() => head('101 Switching Protocols', ['upgrade: x', 'connection: upgrade'])),
    502,
  ],
  [
    'trailers',
    wire(
      (type, body) =>
        `${head('200 OK', [`content-type: ${type}`, 'transfer-encoding: chunked', 'trailer: x-sum'])}${body.length.toString(16)}\r\n${body}\r\n0\r\nx-sum: 1\r\n\r\n`,
    ),
    200,
  ],
  [
    'neither length nor chunks',
    wire((type, body) => head('200 OK', [`content-type: ${type}`, 'connection: close']) + body),
    200,
  ],
  [
    'a length that is too long',
    wire((type, body) => head('200 OK', [`content-type: ${type}`, `content-length: ${body.length + 99}`]) + body),
    502,
    // The stream said that it was over.
    200,
  ],
  [
    'two lengths',
    wire(
      (type, body) =>
        head('200 OK', [`content-type: ${type}`, 'content-length: 1', `content-length: ${body.length}`]) + body,
    ),
    502,
  ],
  [
    'a chunk of no size',
    wire((type) => `${head('200 OK', [`content-type: ${type}`, 'transfer-encoding: chunked'])}xyz\r\n`),
    502,
  ],
  ['101', wire(() => head('101 Switching Protocols', ['upgrade: h2c', 'connection: upgrade'])), 502],
  ['204', wire(() => head('204 No Content')), 502],
  ['205 with a length', wire(() => head('205 Reset Content', ['content-length: 0'])), 502],
  [
    '206',
    wire(
      (type, body) =>
        head('206 Partial Content', [`content-type: text/plain`, `content-length: ${body.length}`]) +
        body +
        type.slice(0, 0),
    ),
    502,
  ],
  ['304', wire(() => head('304 Not Modified', ['etag: "x"'])), 502],
  ['302 to elsewhere', wire(() => head('302 Found', ['location: http://127.0.0.1:1/', 'content-length: 0'])), 502],
  [
    '308 to itself',
    wire(() => head('308 Permanent Redirect', ['location: /v1/chat/completions', 'content-length: 0'])),
    502,
  ],
  ['a status beyond all', wire(() => head('999 Odd', ['content-length: 0'])), 502],
  ['another protocol', bytes('SSH-2.0-OpenSSH_9.6\r\n'), 502],
  ['HTTP/2 by force', bytes(Buffer.from('000000040000000000', 'hex')), 502],
  ['a head without end', bytes(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(128 * 1024)}`), 502],
  ['a gzip bomb', encoded(gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x20))), 502],
  ['gzip that is none', encoded(Buffer.from('not gzip')), 502],
  ['half of gzip', encoded(gzipSync(Buffer.alloc(4096, 0x20)).subarray(0, 12)), 502],
  [
    'an unknown encoding',
    wire(
      (type, body) =>
        head('200 OK', [`content-type: ${type}`, 'content-encoding: zstd', `content-length: ${body.length}`]) + body,
    ),
    502,
  ],
  ['nothing but a hang-up', hangUp('close'), 502],
  ...['', '-1', '1e9', '0x10', 'soon', '99999999999999999999', 'Thu, 32 Foo 2026 00:00:00 GMT', '1, 2'].map(
    (after) => [`429 with Retry-After "${after}"`, apiError(429, {}, { 'retry-after': after }), 429] as const,
  ),
]

for (const stream of [false, true]) {
  describe(`an odd answer, ${stream ? 'streamed' : 'buffered'}`, () => {
    it('is a clear error and an event, and holds no seat', async (t) => {
      // A lost seat would refuse every later request.
      const upstream = { max_concurrent: 1, max_waiting: 0, max_response_bytes: 1_048_576, breaker: { enabled: false } }
      const parts = await running(t, [word('needle')], { upstream })
      const ask = () => post(parts.gateway, asking('Hello', { stream }))
      const open = async () => {
        const reply = await send(`${parts.gateway.url}/api/upstreams`, { headers: bearer(ADMIN_KEY) })
        const { upstreams } = (await reply.json()) as { upstreams: { open_requests: number }[] }
        return upstreams[0]?.open_requests
      }
      for (const [name, script, buffered, streamed = buffered] of CASES) {
        const status = stream ? streamed : buffered
        parts.provider.reply(script)
        const reply = await ask()
        const text = await reply.text()
        // A stream may have begun before it turned out to be odd.
        const failed = reply.status === 200 && stream && status === 502 && /"error":/.test(text)
        assert.equal(failed ? 502 : reply.status, status, `${name}: ${reply.status} ${text.slice(0, 300)}`)
        if (status !== 200) {
          assert.match(text, /"(?:message|code)":/, name)
          assert.ok(failed || Number.isFinite(Number(reply.headers['retry-after'] ?? 1)), name)
          await parts.next('upstream.failed')
        } else assert.match(text, /Hello/, name)
        await until(async () => (await open()) === 0)
      }
      assert.equal((await ask()).status, 200)
    })
  })
}
