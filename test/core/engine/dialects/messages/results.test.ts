/** Results of tools that come whole: in a block of a reply, or in one event. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { json, type Split, stream } from '../../../../../core/testing/provider.ts'
import { running, word } from '../../../../helpers/core.ts'
import { begin, blockStart, blockStop, end, finish, message, whole } from '../../../../helpers/messages.ts'
import { FAST } from '../../../../helpers/rounds.ts'
import { cuts } from '../../../../helpers/text.ts'
import { ask, request, together } from './messaging.ts'

const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }))

describe('the parts of a result are one text', () => {
  for (const [name, resultOf] of [
    ['an MCP server', (content: object[]) => ({ type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', content })],
    [
      'a fetched page',
      (content: object[]) => {
        const page = { type: 'document', source: { type: 'content', content } }
        const fetched = { type: 'web_fetch_result', url: 'https://a.example', content: page }
        return { type: 'web_fetch_tool_result', tool_use_id: 'srvtoolu_1', content: fetched }
      },
    ],
  ] as const) {
    const given = (...texts: string[]) => [resultOf(parts('The page ends.')), resultOf(parts(...texts))]
    for (const how of ['buffered', 'streamed', 'in the first event'] as const) {
      it(`${name}, ${how}`, async (t) => {
        const { gateway, provider } = await running(t, [word('secret')])
        const answer = (content: object[], split: Split) => {
          if (how === 'buffered') return json(message(content))
          const blocks = content.map((block, i) => [blockStart(i, block), blockStop(i)])
          const steps = how === 'streamed' ? whole(blocks) : [begin({ content }), finish(), end()]
          return stream(steps, { done: false, split })
        }
        for (const [left, right] of cuts('secret').slice(1, -1)) {
          for (const split of how === 'buffered' ? (['whole'] as const) : (['event', 'byte', 'whole'] as const)) {
            provider.reply(answer(given(`x ${left}`, `${right} y`), split))
            const reply = await ask(gateway, request({ stream: how !== 'buffered' }))
            const text = await reply.text()
            const content: object[] = how === 'buffered' ? JSON.parse(text).content : together(text).blocks
            const blocks = content.map((block) => ({ ...block, stopped: undefined }))
            assert.deepEqual(JSON.parse(JSON.stringify(blocks)), given('x [WORD]', ' y'))
          }
        }
      })
    }
  }

  for (const how of ['buffered', 'streamed'] as const) {
    it(`the lines of a file, ${how}`, async (t) => {
      const { gateway, provider } = await running(t, [word('sec\nret')])
      const given = (...lines: string[]) => {
        const content = { type: 'text_editor_code_execution_str_replace_result', lines }
        return [{ type: 'text_editor_code_execution_tool_result', tool_use_id: 'srvtoolu_1', content }]
      }
      const content = given('x sec', 'ret y', 'sec')
      const blocks = whole([[blockStart(0, content[0] as object), blockStop(0)]])
      provider.reply(how === 'buffered' ? json(message(content)) : stream(blocks, { done: false, split: 'byte' }))
      const text = await (await ask(gateway, request({ stream: how === 'streamed' }))).text()
      const said: object[] = how === 'buffered' ? JSON.parse(text).content : together(text).blocks
      const got = said.map((block) => ({ ...block, stopped: undefined }))
      assert.deepEqual(JSON.parse(JSON.stringify(got)), given('x [WORD]', ' y', 'sec'))
    })
  }

  it('the lines of a file in a large request and in a large reply', async (t) => {
    const { gateway, provider } = await running(t, [word('sec\nret')])
    const lines = ['x sec', 'ret y', ...Array.from({ length: FAST ? 4_000 : 20_000 }, (_, i) => `line ${i}`)]
    const result = { type: 'text_editor_code_execution_str_replace_result', lines }
    const content = [{ type: 'text_editor_code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: result }]
    provider.reply(json(message(content)))
    const reply = (await (await ask(gateway, request({ messages: [{ role: 'user', content }] }))).json()) as {
      content: typeof content
    }
    assert.deepEqual(reply.content[0]?.content.lines.slice(0, 2), ['x [WORD]', ' y'])
    const sent = JSON.parse(String(provider.requests[0]?.body)) as { messages: { content: typeof content }[] }
    assert.deepEqual(sent.messages[0]?.content[0]?.content.lines.slice(0, 2), ['x [WORD]', ' y'])
  })

  it('but not titles and addresses', async (t) => {
    const { gateway, provider } = await running(t, [word('secret')])
    const found = ['sec', 'ret'].map((title) => ({ type: 'web_search_result', title, url: 'https://a.example' }))
    const content = [{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: found }]
    provider.reply(json(message(content)))
    assert.deepEqual((await (await ask(gateway)).json()).content, content)
  })
})
