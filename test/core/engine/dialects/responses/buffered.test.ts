/** Buffered responses, and the parts of the request that they repeat. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { fixture, respond, response, said, USAGE } from './responding.ts'

describe('a buffered response', () => {
  it('is unchanged without plugins', async (t) => {
    const { provider, gateway } = await running(t, [])
    provider.reply(json(fixture('buffered.json')))
    assert.equal(await (await respond(gateway)).text(), fixture('buffered.json'))
  })

  it('loses a value in the text, the arguments, the reasoning and the probabilities', async (t) => {
    const { provider, gateway } = await running(t, [word('anna.berg@example.com'), word('turn before'), word('Berg')])
    provider.reply(json(fixture('buffered.json')))
    const text = await (await respond(gateway)).text()
    assert.doesNotMatch(text, /anna\.berg|turn before|Berg|"token"/)
    const { output, service } = JSON.parse(text)
    assert.equal(output[1].arguments, '{"to":"[WORD]","subject":"Invoice 4471"}')
    assert.equal(output[2].content[0].text, 'Anna [WORD] is reached at [WORD].')
    assert.deepEqual(output[2].content[0].logprobs, [])
    assert.equal(service.action, 'redact')
  })

  it('keeps probabilities that spell the text, without alternatives', async (t) => {
    const { provider, gateway } = await running(t, [word('never there')])
    const logprobs = ['so', ' it is'].map((token) => ({ token, logprob: -1, top_logprobs: [{ token: 'alternative' }] }))
    const item = {
      ...said('so it is'),
      content: [{ type: 'output_text', text: 'so it is', annotations: [], logprobs }],
    }
    provider.reply(json(response({ output: [item] })))
    const { output } = JSON.parse(await (await respond(gateway)).text())
    assert.deepEqual(
      output[0].content[0].logprobs.map(({ token, top_logprobs: top }: { token: string; top_logprobs: [] }) => [
        token,
        top,
      ]),
      [
        ['so', []],
        [' it is', []],
      ],
    )
  })

  it('finds a value that the texts of two messages make, and rewrites the repeat at the top', async (t) => {
    const { provider, gateway } = await running(t, [word('secret')])
    provider.reply(json(response({ output: [said('a sec'), said('ret b')], output_text: 'a secret b' })))
    const text = await (await respond(gateway)).text()
    const { output, output_text } = JSON.parse(text)
    const shown = output
      .flatMap(({ content }: { content: { text: string }[] }) => content.map((part) => part.text))
      .join('')
    assert.equal(shown, 'a [WORD] b')
    assert.equal(output_text, shown)
  })

  it('finds a value that the texts around a refusal make, and one that refusals around a text make', async (t) => {
    const { provider, gateway } = await running(t, [word('secret')])
    const text = (said: string) => ({ type: 'output_text', text: said, annotations: [] })
    const refusal = (said: string) => ({ type: 'refusal', refusal: said })
    const item = (...content: object[]) => ({ ...said(), content })
    for (const output of [
      [item(text('a sec'), refusal('I cannot.'), text('ret b'))],
      [item(text('a sec')), item(refusal('I cannot.')), item(text('ret b'))],
      [item(refusal('a sec'), text('Well.'), refusal('ret b'))],
      [item(text('a sec'), refusal('ret b'))],
    ]) {
      provider.reply(json(response({ output })))
      const reply = await (await respond(gateway)).text()
      assert.match(reply, /\[WORD\]/)
      assert.doesNotMatch(reply, /"a sec"|"ret b"/)
    }
  })

  it('drops citations of a rewritten text, and inspects those of others', async (t) => {
    const { provider, gateway } = await running(t, [word('secret')])
    const cited = (text: string) => ({
      type: 'output_text',
      text,
      annotations: [
        { type: 'url_citation', start_index: 0, end_index: 3, url: 'https://a.example/secret', title: 'x' },
      ],
    })
    const item = { ...said(), content: [cited('a secret'), cited('fine')] }
    provider.reply(json(response({ output: [item] })))
    const [first, second] = JSON.parse(await (await respond(gateway)).text()).output[0].content
    assert.deepEqual(first.annotations, [])
    assert.equal(second.annotations[0].url, 'https://a.example/[WORD]')
  })

  it('shows the client its own instructions, tools and metadata, and inspects what was not sent', async (t) => {
    const { provider, gateway } = await running(t, [word('Anna')])
    const tools = [{ type: 'function', name: 'f', description: 'For Anna', parameters: { type: 'object' } }]
    const asked = { instructions: 'Be nice to Anna', metadata: { who: 'Anna' }, tools }
    provider.reply(async (exchange) => {
      const sent = exchange.request.json as typeof asked
      assert.doesNotMatch(JSON.stringify(sent), /Anna/)
      await json(
        response({
          ...sent,
          input: undefined,
          tools: [{ ...sent.tools[0], strict: true }],
          user: 'Anna',
          output: [said('ok')],
        }),
      )(exchange)
    })
    const got = JSON.parse(await (await respond(gateway, asked)).text())
    assert.equal(got.instructions, asked.instructions)
    assert.deepEqual(got.metadata, asked.metadata)
    assert.equal(got.tools[0].description, 'For Anna')
    assert.doesNotMatch(got.user, /Anna/)
  })

  it('has its usage counted, and the member service', async (t) => {
    const parts = await running(t, [word('secret')])
    parts.provider.reply(json(response({ output: [said('fine')], usage: USAGE })))
    const { service } = JSON.parse(await (await respond(parts.gateway)).text())
    assert.equal(service.action, 'allow')
    assert.deepEqual((await parts.next('request.completed')).tokens, { prompt: 9, completion: 3 })
  })
})
