/** Headers and tokens of MCP servers: the client may give them to the provider, and nothing else may stand in their place. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { some } from '../../../../helpers/rounds.ts'
import { eventsOf, message, respond, response, said } from './responding.ts'

const tool = (authorization: string, header: string) => ({
  type: 'mcp',
  server_label: 'tickets',
  server_url: 'https://tickets.example/mcp',
  authorization,
  headers: { 'X-Team': header },
})
const SECRET = 'sesame of the client'
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

    it('are inspected where the API has none', async (t) => {
      const { provider, gateway } = await running(t, [word('sesame')])
      const policy = {
        network_policy: { type: 'allowlist', domain_secrets: [{ domain: 'd', name: 'n', value: SECRET }] },
      }
      const members = [
        { authorization: SECRET },
        { headers: { 'X-Team': SECRET } },
        { container: { type: 'auto', ...policy } },
        { environment: { type: 'container_auto', ...policy } },
      ]
      const others = [
        ...members.flatMap((more) =>
          ['function', 'custom', 'web_search', 'MCP', undefined].map((type) => ({ ...more, type, name: 'f' })),
        ),
        ...members.slice(2).map((more) => ({ ...more, type: 'mcp' })),
        ...members.slice(0, 2).map((more) => ({ ...more, type: 'shell' })),
        { type: 'mcp', authorization: [SECRET] },
        { type: 'mcp', headers: [SECRET] },
        { type: 'mcp', headers: { 'X-Team': { a: SECRET } } },
        { type: 'mcp', parameters: { authorization: SECRET } },
        { type: 'namespace', name: 'n', tools: [{ type: 'mcp', authorization: SECRET }] },
        { type: 'code_interpreter', container: { network_policy: { domain_secrets: [{ value: [SECRET] }] } } },
      ]
      const asked = [
        ...others.flatMap((tool) => [{ tools: [tool] }, { input: [{ type: 'additional_tools', tools: [tool] }] }]),
        { input: [{ type: 'mcp_list_tools', server_label: 's', tools: [{ type: 'mcp', authorization: SECRET }] }] },
        { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'mcp', authorization: SECRET }] } },
      ]
      for (const body of some(asked)) {
        provider.reply(
          streamed ? stream(message(['fine']), { done: false }) : json(response({ output: [said('fine')] })),
        )
        await (await respond(gateway, { ...body, stream: streamed })).text()
        const { json: sent } = await provider.next()
        const expected = JSON.parse(JSON.stringify(body).replaceAll('sesame', '[WORD]'))
        assert.deepEqual(sent, { model: 'gpt-test', input: 'Hello', ...expected, stream: streamed })
      }
    })

    it('reach the provider wherever the API has them, in any order of members', async (t) => {
      const { provider, gateway } = await running(t, [word('sesame')])
      const network_policy = { domain_secrets: [{ value: SECRET, name: 'n', domain: 'd' }], type: 'allowlist' }
      const tools = [
        { authorization: SECRET, headers: { 'X-Team': SECRET }, type: 'mcp' },
        { container: { network_policy, type: 'auto' }, type: 'code_interpreter' },
        { environment: { network_policy, type: 'container_auto' }, type: 'shell' },
      ]
      for (const body of [{ tools }, { input: [{ type: 'additional_tools', tools }] }]) {
        provider.reply(
          streamed ? stream(message(['fine']), { done: false }) : json(response({ output: [said('fine')] })),
        )
        await (await respond(gateway, { ...body, stream: streamed })).text()
        const { json: sent } = await provider.next()
        assert.deepEqual(sent, { model: 'gpt-test', input: 'Hello', ...body, stream: streamed })
      }
    })

    it('are inspected in a reply that has others', async (t) => {
      const tools = await ask(t, MADE_UP)
      assert.ok(tools.length > 0)
      for (const one of tools) assert.deepEqual(one, REDACTED.tools)
    })
  })
}
