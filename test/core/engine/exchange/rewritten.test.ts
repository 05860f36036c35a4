/** What plugins see of a large request whose texts were rewritten. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { ChatExchange } from '../../../../core/engine/exchange/exchange.ts'
import { chainOf, exchangeOf } from '../../../helpers/core.ts'

const turn = async () => {}
const body = {
  model: 'm',
  messages: Array.from({ length: 3000 }, (_, i) => ({
    role: 'user',
    content: `${i}: secret. ${'More text. '.repeat(20)}`,
  })),
  metadata: { secret: 'secret' },
}

/** A request in which a plugin redacts a word, before it is rewritten. */
async function redacted(): Promise<ChatExchange> {
  const assembly = await chainOf([
    {
      detect: (view) => {
        for (let start = view.text.indexOf('secret'); start >= 0; start = view.text.indexOf('secret', start + 1))
          view.report({ type: 'word', start, end: start + 6, action: 'redact', replace: () => '[WORD]' })
      },
    },
  ])
  const x = exchangeOf(assembly, body)
  assert.ok(x.request.isLarge)
  await x.chain.hooks.classify.promise(x)
  await x.request.closeInput(turn)
  return x
}

/** The length of the longest text that is parsed at once. */
function longestParsed(t: TestContext): () => number {
  const { parse } = JSON
  let longest = 0
  const mocked = t.mock.method(JSON, 'parse', (text: string) => {
    longest = Math.max(longest, text.length)
    return parse(text)
  })
  return () => {
    mocked.mock.restore()
    return longest
  }
}

describe('a large request with new texts', () => {
  it('is shown as it is sent, and no turn parses all of it', async (t) => {
    const x = await redacted()
    const longest = longestParsed(t)
    await x.request.close(turn)
    const { json } = x.request
    assert.ok(longest() < 160 * 1024)
    const sent = JSON.parse((await x.request.bodyFor(false, 'm', turn)).toString('utf8'))
    assert.deepEqual(json, sent)
    assert.equal(sent.messages[2999].content.slice(0, 14), '2999: [WORD]. ')
    assert.ok(Object.isFrozen(json) && Object.isFrozen(sent) === false)
    assert.equal(x.request.json, json)
    assert.ok(x.request.prompt.texts.every((text) => !text.includes('secret')))
  })

  it('is shown with what plugins add to it, too', async () => {
    const x = await redacted()
    await x.request.close(turn)
    const before = x.request.json
    x.request.addSystemNote('A note.')
    const sent = JSON.parse((await x.request.bodyFor(false, 'm', turn)).toString('utf8'))
    assert.deepEqual(x.request.json, sent)
    assert.notDeepEqual(x.request.json, before)
    assert.equal(sent.messages.length, body.messages.length + 1)
  })
})
