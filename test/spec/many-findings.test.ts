/** More findings than the limit: the request is refused, the reply ends, in every mode; nothing found leaves. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chat } from '../../core/testing/provider.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, type Owner, post, setup } from '../helpers/gateway.ts'

const WORD = 'needle'
const MOST = 1000
const many = (count: number): string => `${WORD} `.repeat(count)

const start = (t: Owner, action: string) =>
  setup(t, {
    plugins: [{ use: './plugins/keyword.ts', options: { word: WORD, action } }],
    config: { inspection: { max_findings: MOST } },
  })

describe('a request with as many findings as the limit', () => {
  const bodies: Readonly<Record<string, (count: number) => object>> = {
    'in one text': (count) => asking(many(count)),
    'in many texts': (count) => asking('x', { metadata: Array.from({ length: count }, () => `a ${WORD}`) }),
    'as keys': (count) =>
      asking('x', { metadata: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${WORD} ${i}`, 'b'])) }),
  }
  for (const [name, body] of Object.entries(bodies)) {
    it(`passes, and one with more does not: ${name}`, async (t) => {
      const parts = await start(t, 'redact')
      const fits = await post(parts.gateway, body(MOST))
      assert.equal(fits.status, 200)
      await fits.text()
      const sent = parts.provider.requests[0]?.text ?? ''
      assert.equal(sent.split('[KEYWORD]').length - 1, MOST)
      assert.doesNotMatch(sent, /needle/)
      await assertError(await post(parts.gateway, body(MOST + 1)), 'GW_TOO_MANY_FINDINGS')
      assert.equal(parts.provider.requests.length, 1)
    })
  }

  it('is refused although findings are only counted', async (t) => {
    const parts = await start(t, 'detect')
    await assertError(await post(parts.gateway, asking(many(MOST + 1))), 'GW_TOO_MANY_FINDINGS')
  })
})

describe('a reply with more findings than the limit', () => {
  it('is an error when it is buffered', async (t) => {
    const parts = await start(t, 'redact')
    parts.provider.reply(chat(many(MOST)), chat(many(MOST + 1)))
    const fits = await post(parts.gateway)
    assert.equal(fits.status, 200)
    await fits.text()
    const error = await assertError(await post(parts.gateway), 'GW_UPSTREAM_INVALID')
    assert.match(error.message, /inspection\.max_findings/)
  })

  it('ends a stream, with nothing of what was found', async (t) => {
    const parts = await start(t, 'redact')
    for (const pieces of [(text: string) => [text], (text: string) => text.match(/.{1,9}/g) ?? []]) {
      parts.provider.reply(chat(many(2 * MOST), { pieces }))
      const reply = await post(parts.gateway, asking('x', { stream: true }))
      const text = await reply.text()
      assert.match(text, /inspection\.max_findings/)
      assert.doesNotMatch(text, /needle/)
    }
  })
})
