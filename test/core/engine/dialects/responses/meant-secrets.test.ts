/** Headers and tokens of MCP servers: the client may give them to the provider, and nothing else may stand in their place. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { eventsOf, message, respond, response, said } from './responding.ts'

const tool = (authorization: string, header: string) => ({
  type: 'mcp',
  server_label: 'tickets',
  server_url: 'https://tickets.example/mcp',
  authorization,
  headers: { 'X-Team': header },
})
const ASKED = { tools: [tool('sesame-of-the-client', 'sesame for tickets')] }
const MADE_UP = { tools: [tool('sesame-of-another', 'sesame for payroll')] }
const REDACTED = { tools: [tool('[WORD]-of-another', '[WORD] for payroll')] }

for (const streamed of [false, true]) {
  describe(`secrets that are meant, ${streamed ? 'streamed' : 'buffered'}`, () => {
    const ask = async (t: Parameters<typeof running>[0], echoed: object) => {
      const { provider, gateway } = await running(t, [word('sesame')])
      provider.reply(
        streamed
          ? stream(
              message(['fine']).map((event) =>
                event.response === undefined
                  ? event
                  : { ...event, response: { ...(event.response as object), ...echoed } },
              ),
              { done: false },
            )
          : json(response({ output: [said('fine')], ...echoed })),
      )
      const text = await (await respond(gateway, { ...ASKED, stream: streamed })).text()
      const sent = (await provider.next()).json as { tools: object[] }
      assert.deepEqual(sent.tools, ASKED.tools)
      const all = streamed ? eventsOf(text).map(({ response: one }) => one) : [JSON.parse(text)]
      return all.flatMap((one) => (one === undefined ? [] : [one.tools]))
    }

    it('reach the provider, and come back to the client that sent them', async (t) => {
      const tools = await ask(t, ASKED)
      assert.ok(tools.length > 0)
      for (const one of tools) assert.deepEqual(one, ASKED.tools)
    })

    it('are inspected in a reply that has others', async (t) => {
      const tools = await ask(t, MADE_UP)
      assert.ok(tools.length > 0)
      for (const one of tools) assert.deepEqual(one, REDACTED.tools)
    })
  })
}
