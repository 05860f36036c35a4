import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chunk, chunks, delta, json as jsonReply } from '../../../../core/testing/provider.ts'
import { type Plugin, running, streamOf, word } from '../../../helpers/core.ts'
import { asking, post } from '../../../helpers/gateway.ts'
import { finish, finishes, json, looks, text } from './deltas.ts'

describe('what repeats or points into a text', () => {
  const token = (t: string) => ({
    token: t,
    logprob: -1,
    bytes: null,
    top_logprobs: [{ token: 'other', logprob: -2, bytes: null }],
  })
  const probable = (content: string, more: object = {}) =>
    chunk([
      {
        index: 0,
        delta: { content },
        logprobs: { content: [token(content)], refusal: null },
        finish_reason: null,
        ...more,
      },
    ])

  it('token probabilities stay with an untouched text, without alternatives', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(probable('hello'))
    const { logprobs } = (rig.chunks[0]?.choices?.[0] ?? {}) as {
      logprobs: { content: { top_logprobs: unknown[]; token: string }[] }
    }
    assert.equal(logprobs.content[0]?.token, 'hello')
    assert.deepEqual(logprobs.content[0]?.top_logprobs, [])
  })

  it('token probabilities go with a rewritten text', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(probable('a sec')).say(probable('ret')).say(finish(), '[DONE]')
    assert.equal(rig.text(), 'a [WORD]')
    assert.ok(!/sec|ret"/.test(rig.response.body), rig.response.body)
  })

  it('token probabilities go with a rewritten tool call, and in any shape', async () => {
    const rig = await streamOf([word('secret')])
    const call = { index: 0, function: { arguments: '{"a":"secret"}' } }
    rig.say(
      chunk([
        { index: 0, delta: { tool_calls: [call] }, logprobs: { content: [token('secret')] }, finish_reason: null },
      ]),
    )
    rig.say(chunk([{ index: 0, delta: { content: 'secret' }, logprobs: ['secret'], finish_reason: null }]))
    rig.say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'), rig.response.body)
  })

  it('the ids of tokens go with the text that they encode', async () => {
    const rig = await streamOf([word('secret')])
    const ids = (content: string, token_ids: number[]) => ({
      index: 0,
      delta: { content },
      token_ids,
      finish_reason: null,
    })
    rig
      .say(chunk([ids('a ', [64, 220])]))
      .say(chunk([ids('sec', [325])]))
      .say(chunk([ids('ret ', [1189, 220])]))
    rig.say(finish(), '[DONE]')
    const left = rig.chunks.map(({ choices }) => (choices?.[0] as { token_ids?: number[] | null })?.token_ids ?? [])
    assert.deepEqual(left.flat(), [64, 220])
  })

  it('the ids of tokens go with the text that they encode, in a buffered reply', async (t) => {
    const { provider, gateway } = await running(t, [word('secret')])
    const choice = (index: number, content: string, token_ids: number[]) => ({
      ...{ index, finish_reason: 'stop', token_ids },
      message: { role: 'assistant', content },
    })
    const choices = [choice(0, 'a secret', [64, 6367]), choice(1, 'nothing', [42593])]
    provider.reply(jsonReply({ id: 'chatcmpl-1', object: 'chat.completion', created: 1793000000, model: 'm', choices }))
    const body = JSON.parse(await (await post(gateway, asking('Hello', { n: 2 }))).text())
    assert.deepEqual(
      body.choices.map(({ token_ids }: { token_ids: unknown }) => token_ids),
      [null, [42593]],
    )
  })

  it('token probabilities that spell anything but the text beside them go', async () => {
    const other = [
      { content: [token('secret')], refusal: null },
      { content: null, refusal: [token('secret')] },
      { content: [{ ...token('hello'), bytes: [...Buffer.from('secret')] }] },
      { content: [{ ...token('secret'), bytes: [...Buffer.from('hello')] }] },
      { content: [{ ...token('hello'), bytes: [1e9, -1] }] },
    ]
    for (const logprobs of other) {
      const rig = await streamOf([word('secret')])
      rig.say(probable('hello', { logprobs })).say(finish(), '[DONE]')
      assert.equal(rig.chunks[0]?.choices?.[0]?.logprobs, null, json(logprobs))
    }
    const escaped = await streamOf([word('secret')])
    escaped.feed(`data: ${json(probable('hello')).replace('top_logprobs', 'top\\u005flogprobs')}\n\n`)
    assert.ok(!escaped.response.body.includes('other'), escaped.response.body)
  })

  it('token probabilities of a part of a character stay', async () => {
    const bytes = [...Buffer.from('😀')]
    const forms = [
      bytes.map((byte) => ({ ...token(`\\x${byte.toString(16)}`), bytes: [byte] })),
      bytes.map((byte) => ({ ...token('\ufffd'), bytes: [byte] })),
      [{ ...token('😀'), bytes }],
    ]
    for (const content of forms) {
      const rig = await streamOf([word('secret')])
      rig.say(probable('😀', { logprobs: { content } })).say(finish(), '[DONE]')
      assert.ok(rig.chunks[0]?.choices?.[0]?.logprobs, json(content))
    }
  })

  it('citations go once the text they point into was rewritten, even earlier', async () => {
    const cite = delta({
      annotations: [
        { type: 'url_citation', url_citation: { start_index: 0, end_index: 3, url: 'https://x.org', title: 'X' } },
      ],
    })
    const clean = await streamOf([word('secret')])
    clean.say(text('hello ')).say(cite).say(finish(), '[DONE]')
    assert.ok(clean.payloads.includes(json(cite)))
    const rewritten = await streamOf([word('secret')])
    rewritten.say(text('a secret ')).say(cite).say(finish(), '[DONE]')
    assert.deepEqual(
      rewritten.chunks.flatMap(({ choices }) => (choices?.[0]?.delta?.annotations as unknown[]) ?? []),
      [],
    )
  })

  it('what repeats from event to event is rewritten in each', async () => {
    const rig = await streamOf([word('secret')])
    for (const content of ['a', 'b', 'c', 'd']) rig.say({ ...text(content), provider: 'a secret' })
    rig.say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'))
    assert.equal(rig.chunks.filter(({ provider }) => provider === 'a [WORD]').length, 4)
  })
})

describe('usage and service', () => {
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const wants = (x: { request: { wantUsage(): void } }) => x.request.wantUsage()

  it('usage that only we asked for never reaches the client', async () => {
    const rig = await streamOf([looks], { prepare: wants })
    for (const event of chunks('one two', { usage: true })) rig.say(event)
    rig.say('[DONE]')
    assert.ok(!rig.response.body.includes('usage'))
    assert.deepEqual(rig.x.reply.usage, { prompt: 9, completion: 3, estimated: false })
    assert.ok(rig.chunks.at(-1)?.service)
    assert.equal(rig.chunks.at(-1)?.choices?.[0]?.finish_reason, 'stop')
  })

  it('usage that the client asked for comes last and carries the service', async () => {
    const rig = await streamOf([looks], { prepare: wants, more: { stream_options: { include_usage: true } } })
    for (const event of chunks('one two', { usage: true })) rig.say(event)
    rig.say('[DONE]')
    const last = rig.chunks.at(-1)
    assert.deepEqual([last?.choices, last?.usage], [[], usage])
    assert.ok(last?.service)
    assert.equal(rig.chunks.filter(({ service }) => service).length, 1)
  })

  it('usage on the finish chunk, or on every chunk, is stripped from there', async () => {
    const rig = await streamOf([looks], { prepare: wants })
    rig.say({ ...text('a'), usage }).say({ ...finish(), usage }, '[DONE]')
    assert.ok(!rig.response.body.includes('usage'))
    assert.equal(rig.text(), 'a')
  })

  it('the service rides on the last of several finishes', async () => {
    const rig = await streamOf([looks])
    rig.say(text('a', 0), text('b', 1)).say(finish(1)).say(finish(0)).say('[DONE]')
    assert.deepEqual(
      rig.chunks.map(({ service }) => service !== undefined),
      [false, false, false, true],
    )
    assert.deepEqual(finishes(rig), [1, 0])
  })

  it('a service of the provider is none of ours', async () => {
    const rig = await streamOf([looks])
    rig.say({ ...text('a'), service: { blocked: false, classification: 'x' } }).say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('"classification":"x"'))
    assert.equal(rig.chunks.filter(({ service }) => service).length, 1)
  })
})

describe('what the gateway says in the envelope of the stream', () => {
  const marked = (event: object) => ({ ...event, id: 'a secret id', model: 'the secret model' })

  it('is as the client got it', async () => {
    const ends = ['[DONE]', { error: { message: 'x' } }, text('more')]
    for (const last of ends) {
      const stop: Plugin = {
        apply: (hooks) =>
          hooks.onChunk.tap('stop', (views, x) => {
            if (views.some((view) => view.text.includes('more'))) x.reply.truncate()
          }),
      }
      for (const blockSignal of ['error', 'finish_reason'] as const) {
        const rig = await streamOf([word('secret'), stop, word('bad', 'block')], { blockSignal })
        rig.say(marked(text('hello ')), marked(text('there'))).say(last)
        rig.say(text('bad'), '[DONE]')
        assert.ok(!rig.response.body.includes('secret'), rig.response.body)
        if (last === '[DONE]') assert.equal(rig.chunks.at(-1)?.model, 'the [WORD] model')
      }
    }
  })

  it('names no member in a part that was renamed in the whole', async () => {
    const rig = await streamOf([word('secret')])
    rig.say(delta({ content: 'a sec', 'my secret': { about: 'x' }, 'a secret': 'y sec' }))
    rig.say(text('ond')).say(finish(), '[DONE]')
    assert.ok(!rig.response.body.includes('secret'), rig.response.body)
    assert.equal(rig.text(), 'a second')
    assert.equal(rig.text('a [WORD]'), 'y sec')
  })
})
