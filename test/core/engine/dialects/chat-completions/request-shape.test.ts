import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { base, read, refused, request, say } from './requests.ts'

describe('a request that no server can mean', () => {
  it('is refused, with the place', () => {
    refused('[]', 'GW_INVALID_JSON')
    refused('"x"', 'GW_INVALID_JSON')
    refused('null', 'GW_INVALID_JSON')
    for (const model of [undefined, null, '', 7, ['m']]) refused({ ...base, model }, 'GW_INVALID_PARAMETER', 'model')
    for (const messages of [undefined, null, [], {}, 'hi'])
      refused({ ...base, messages }, 'GW_INVALID_PARAMETER', 'messages')
    refused(say('hi' as never), 'GW_INVALID_PARAMETER', 'messages[0]')
    refused(say({ role: 'user', content: 'x' }, null as never), 'GW_INVALID_PARAMETER', 'messages[1]')
    for (const role of [undefined, 7]) refused(say({ role, content: 'hi' }), 'GW_INVALID_PARAMETER', 'messages[0].role')
    refused(say({ role: 'user', content: 7 }), 'GW_INVALID_PARAMETER', 'messages[0].content')
    refused(say({ role: 'user', content: {} }), 'GW_INVALID_PARAMETER', 'messages[0].content')
    refused(say({ role: 'user', content: ['x'] }), 'GW_INVALID_PARAMETER', 'messages[0].content[0]')
    refused(say({ role: 'assistant', tool_calls: {} }), 'GW_INVALID_PARAMETER', 'messages[0].tool_calls')
    refused(request({ tools: {} }), 'GW_INVALID_PARAMETER', 'tools')
    refused(request({ stream: 'true' }), 'GW_INVALID_PARAMETER', 'stream')
    refused(request({ stream_options: true }), 'GW_INVALID_PARAMETER', 'stream_options')
    for (const n of [0, 129, 1.5, '2', true]) refused(request({ n }), 'GW_INVALID_PARAMETER', 'n')
  })

  it('but unknown roles, part types and members pass, and null is absent', () => {
    const chat = read({
      ...say(
        { role: 'judge', content: [{ type: 'hologram' }] },
        { role: 'assistant', content: null },
        { role: 'assistant' },
      ),
      stream: null,
      n: null,
      stream_options: null,
      max_tokens: null,
      tools: null,
    })
    assert.deepEqual([chat.stream, chat.choices, chat.includeUsage, chat.maxOutputTokens], [false, 1, false, undefined])
  })

  it('the larger of two limits counts', () => {
    assert.equal(read(request({ max_tokens: 5, max_completion_tokens: 9 })).maxOutputTokens, 9)
    assert.equal(read(request({ max_tokens: 5 })).maxOutputTokens, 5)
    assert.equal(read(request({ stream: true, stream_options: { include_usage: true } })).includeUsage, true)
  })
})

describe('names that differ only by case', () => {
  const cases: [object, string][] = [
    [request({ Messages: [] }), 'Messages'],
    [request({ MODEL: 'x' }), 'MODEL'],
    [request({ 'me\u017f\u017fages': [] }), 'me\u017f\u017fages'],
    [request({ 'max_to\u212aens': 5 }), 'max_to\u212aens'],
    [request({ stream_options: { Include_Usage: true } }), 'stream_options.Include_Usage'],
    [say({ role: 'user', content: 'a', Content: 'b' }), 'messages[0].Content'],
    [say({ role: 'user', Role: 'system', content: '' }), 'messages[0].Role'],
    [say({ role: 'user', content: [{ type: 'text', text: 'a', Text: 'b' }] }), 'messages[0].content[0].Text'],
    [say({ role: 'assistant', tool_calls: [{ Function: {} }] }), 'messages[0].tool_calls[0].Function'],
    [
      say({ role: 'assistant', tool_calls: [{ function: { Arguments: '' } }] }),
      'messages[0].tool_calls[0].function.Arguments',
    ],
    [say({ role: 'assistant', tool_calls: [{ custom: { Input: '' } }] }), 'messages[0].tool_calls[0].custom.Input'],
    [say({ role: 'assistant', function_call: { ARGUMENTS: '' } }), 'messages[0].function_call.ARGUMENTS'],
    [request({ tools: [{ function: { Description: '' } }] }), 'tools[0].function.Description'],
    [request({ tools: [{ custom: { Description: '' } }] }), 'tools[0].custom.Description'],
    [request({ functions: [{ Name: 'x' }] }), 'functions[0].Name'],
  ]
  for (const [body, param] of cases) it(`${param} is refused`, () => refused(body, 'GW_INVALID_JSON', param))

  it('elsewhere are data', () => {
    assert.ok(read(request({ metadata: { Model: 'x', model: 'y' }, documents: [{ Text: 1 }] })))
    assert.ok(read(request({ tools: [{ function: { parameters: { properties: { Name: {}, name: {} } } } }] })))
  })
})
