/** The official SDK through what rewrites its texts: redaction, and tokens that the reply turns back. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { chat, every, type ScriptedExchange } from '../../core/testing/provider.ts'
import { type Owner, setup, USER_KEY } from '../helpers/gateway.ts'

const model = 'gpt-test'
const ADDRESS = 'jo.smith@example.com'
const CARD = '4111 1111 1111 1111'
// Put together at run time: no key-shaped string stands in the repository.
const KEY = `ghp_${'abcdEFGH1234ijklMNOP5678qrstUVWX9012'}`

async function start(t: Owner, pii: object = {}) {
  const parts = await setup(t, { plugins: [{ use: 'pii', options: pii }, { use: 'secrets' }] })
  const openai = new OpenAI({ baseURL: parts.gateway.baseURL, apiKey: USER_KEY, maxRetries: 0 })
  return { ...parts, completions: openai.chat.completions }
}

const asking = (content: string): ChatCompletionMessageParam[] => [{ role: 'user', content }]

/** What the provider was told last. */
const told = ({ request }: ScriptedExchange): string =>
  (request.json as { messages: { content: string }[] }).messages.at(-1)?.content ?? ''

for (const size of [1, 3, 1000]) {
  describe(`openai SDK: a stream in pieces of ${size}`, () => {
    const pieces = every(size)

    it('is redacted, in the prompt and in every choice of the reply', async (t) => {
      const { provider, completions } = await start(t)
      const said = `Write to ${ADDRESS} or pay with ${CARD}. The key is ${KEY}, really.`
      provider.reply(chat({ choices: [{ content: 'Nothing here.' }, { content: said }] }, { pieces }))
      const stream = completions.stream({ model, n: 2, messages: asking(`I am ${ADDRESS}`) })
      let seen = ''
      stream.on('chunk', (chunk) => {
        for (const { index, delta } of chunk.choices) if (index === 1) seen += delta.content ?? ''
      })
      const { choices } = await stream.finalChatCompletion()
      const expected = 'Write to [EMAIL] or pay with [CREDIT_CARD]. The key is [GITHUB_TOKEN], really.'
      assert.equal(choices[0]?.message.content, 'Nothing here.')
      assert.equal(choices[1]?.message.content, expected)
      assert.equal(seen, expected)
      assert.deepEqual((await provider.next()).json, {
        model,
        n: 2,
        stream: true,
        messages: asking('I am [EMAIL]'),
      })
    })

    it('is redacted in the arguments of a tool call, which stay JSON', async (t) => {
      const { provider, completions } = await start(t)
      const args = JSON.stringify({ to: ADDRESS, card: 4111111111111111, note: `"${ADDRESS}"` })
      provider.reply(chat({ choices: [{ toolCalls: [{ name: 'send', arguments: args, id: 'call_a' }] }] }, { pieces }))
      const message = await completions.stream({ model, messages: asking('Send it') }).finalMessage()
      const [call] = message.tool_calls ?? []
      assert.ok(call?.type === 'function')
      assert.deepEqual(JSON.parse(call.function.arguments), {
        to: '[EMAIL]',
        card: '[CREDIT_CARD]',
        note: '"[EMAIL]"',
      })
    })

    it('gives back what the prompt held and the provider never saw', async (t) => {
      const { provider, completions } = await start(t, { action: 'tokenize' })
      const prompts: string[] = []
      provider.otherwise((exchange) => {
        prompts.push(told(exchange))
        return chat(`You wrote: "${told(exchange)}"`, { pieces, split: { seed: size } })(exchange)
      })
      const prompt = `Write to ${ADDRESS} and charge ${CARD}`
      const messages = asking(prompt)
      const first = await completions.stream({ model, messages }).finalContent()
      assert.equal(first, `You wrote: "${prompt}"`)
      // The next turn sends the history again: the same values get the same tokens.
      messages.push({ role: 'assistant', content: first }, { role: 'user', content: prompt })
      assert.equal(await completions.stream({ model, messages }).finalContent(), `You wrote: "${prompt}"`)
      assert.match(prompts[0] ?? '', /^Write to EMAIL_[a-z2-7]{10,} and charge CREDIT_CARD_[a-z2-7]{10,}$/)
      assert.equal(prompts[1], prompts[0])
      const sent = JSON.stringify(provider.requests.map((request) => request.json))
      assert.ok(!sent.includes(ADDRESS) && !sent.includes(CARD))
    })
  })
}
