/** A request reaches the model that the key, its limits and its price were checked for, whatever router is behind an upstream. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { running } from '../helpers/core.ts'
import { asking, bearer, LIMITED_KEY, post, setup, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'

const BODIES: Readonly<Record<string, object>> = {
  'chat/completions': asking(),
  completions: { model: 'm', prompt: 'Hello' },
  responses: { model: 'm', input: 'Hello' },
  embeddings: { model: 'm', input: 'Hello' },
  moderations: { model: 'm', input: 'Hello' },
  messages: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
}

const CHOOSING: readonly (readonly [more: object, param: string])[] = [
  [{ models: ['gpt-5-pro'] }, 'models'],
  [{ Models: ['gpt-5-pro'] }, 'models'],
  [{ 'mode\u017f': [], 'model\u017f': ['gpt-5-pro'] }, 'models'],
  [{ fallbacks: ['gpt-5-pro'] }, 'fallbacks'],
  [{ fallbacks: [{ model: 'gpt-5-pro' }] }, 'fallbacks'],
  [{ context_window_fallback_dict: { m: 'gpt-5-pro' } }, 'context_window_fallback_dict'],
  [{ provider: { only: ['other'] } }, 'provider'],
  [{ providerOptions: { gateway: { models: ['gpt-5-pro'] } } }, 'provideroptions'],
  [{ plugins: [{ id: 'auto-router' }] }, 'plugins'],
  [{ preset: 'mine' }, 'preset'],
  [{ user_config: { model_list: [] } }, 'user_config'],
  [{ api_base: 'https://example.test' }, 'api_base'],
  [{ base_url: 'https://example.test' }, 'base_url'],
  [{ api_key: 'sk-of-the-client' }, 'api_key'],
  [{ extra_headers: { authorization: 'Bearer x' } }, 'extra_headers'],
  [{ lora_path: '/models/other' }, 'lora_path'],
  [{ lora: [{ id: 1, scale: 1 }] }, 'lora'],
  [{ adapter_id: 'org/other' }, 'adapter_id'],
  [{ adapter_source: 's3' }, 'adapter_source'],
  [{ merged_adapters: { ids: ['org/a', 'org/b'], weights: [0.5, 0.5] } }, 'merged_adapters'],
  [{ api_token: 'hf_of_the_client' }, 'api_token'],
  [{ lora_request: { lora_name: 'other', lora_int_id: 1, lora_path: '/models/other' } }, 'lora_request'],
  [{ disaggregated_params: { request_type: 'generation_only', first_gen_tokens: [1] } }, 'disaggregated_params'],
  [{ extra_body: { Lora: [{ id: 1, scale: 1 }] } }, 'extra_body.lora'],
  [{ kv_transfer_params: { remote_host: '192.0.2.1', remote_block_ids: [1] } }, 'kv_transfer_params'],
  [{ bootstrap_host: '192.0.2.1', bootstrap_room: 7 }, 'bootstrap_host'],
  [{ session_params: { id: 's', rid: 'r' } }, 'session_params'],
  [{ aws_bedrock_runtime_endpoint: 'https://example.test' }, 'aws_*'],
  [{ 'litellm_jo@example.com': {} }, 'litellm_*'],
  [{ extra_body: { models: ['gpt-5-pro'] } }, 'extra_body.models'],
  [{ extra_body: { extra_body: { model: 'gpt-5-pro' } } }, 'extra_body.extra_body.model'],
]

const AS_TOKENS = {
  enable_response_messages: true,
  return_meta_info: true,
  return_tokens: true,
  verbose: true,
  detokenize: false,
}

describe('a member that chooses another model, server or credential', () => {
  for (const [path, body] of Object.entries(BODIES)) {
    it(`is refused by ${path}, with what to do`, async (t) => {
      const { provider, gateway } = await running(t, [])
      for (const [more, param] of CHOOSING) {
        const reply = await send(`${gateway.baseURL}/${path}`, {
          body: { ...body, ...more },
          headers: bearer(USER_KEY),
        })
        const text = await reply.text()
        assert.equal(reply.status, 400, text)
        assert.ok(text.includes(`does not pass on '${param}'`) && text.includes("name the model in 'model'"), text)
        assert.ok(!text.includes('example'), text)
      }
      assert.equal(provider.requests.length, 0)
    })
  }

  it('is refused if it is a prompt that no plugin reads, buffered and streamed', async (t) => {
    const { provider, gateway } = await running(t, [])
    for (const [path, body] of Object.entries(BODIES)) {
      for (const more of [
        { input_ids: [9906, 1917] },
        { Prompt_Token_Ids: [9906] },
        { prompt_token_ids_b64: 'siYAAA==' },
        { input_embeds: [[0.5]] },
        { prompt_embeds: 'gAAA' },
        { extra_body: { input_ids: [1] } },
      ]) {
        for (const stream of [false, true]) {
          const sent = { ...body, ...(/chat|messages|responses|^completions/.test(path) && { stream }), ...more }
          const reply = await send(`${gateway.baseURL}/${path}`, { body: sent, headers: bearer(USER_KEY) })
          const text = await reply.text()
          assert.equal(reply.status, 400, text)
          assert.match(text, /a prompt that plugins cannot read/)
        }
      }
    }
    assert.equal(provider.requests.length, 0)
  })

  it('is asked for no reply as tokens, which plugins do not read', async (t) => {
    const { provider, gateway } = await running(t, [])
    for (const [path, body] of Object.entries(BODIES)) {
      for (const [name, value] of Object.entries(AS_TOKENS)) {
        const ask = (more: object) =>
          send(`${gateway.baseURL}/${path}`, { body: { ...body, ...more }, headers: bearer(USER_KEY) })
        for (const more of [{ [name]: value }, { extra_body: { [name.toUpperCase()]: value } }]) {
          const reply = await ask(more)
          const text = await reply.text()
          assert.equal(reply.status, 400, text)
          assert.match(text, /the reply as tokens, which plugins cannot read/)
        }
      }
    }
    assert.equal(provider.requests.length, 0)
  })

  it('is not named beside the model, nor hidden in its name', async (t) => {
    const { provider, gateway } = await running(t, [])
    const names = [
      'gpt-5-pro ',
      ' gpt-5-pro',
      '\tgpt-5-pro',
      'gpt-5-pro\u00a0',
      'gpt\u200b-5-pro',
      'gpt-5-pro\0',
      'a,gpt-5-pro',
    ]
    for (const [path, body] of Object.entries(BODIES)) {
      for (const model of names) {
        const reply = await send(`${gateway.baseURL}/${path}`, { body: { ...body, model }, headers: bearer(USER_KEY) })
        const text = await reply.text()
        assert.ok(
          reply.status === 400 && text.includes('must be one name'),
          `${path} ${JSON.stringify(model)}: ${text}`,
        )
      }
    }
    assert.equal(provider.requests.length, 0)
  })

  it('does not let a key reach a model that it may not use', async (t) => {
    const { provider, gateway } = await setup(t)
    for (const more of [{ models: ['gpt-secret'] }, { fallbacks: ['gpt-secret'] }]) {
      const reply = await post(gateway, asking('Hello', more), { headers: bearer(LIMITED_KEY) })
      assert.equal(reply.status, 400)
      await reply.text()
    }
    assert.equal(provider.requests.length, 0)
  })

  it('passes if it is empty, and so do its name elsewhere and other members', async (t) => {
    const { provider, gateway } = await setup(t)
    const more = {
      models: null,
      fallbacks: [],
      metadata: { models: 'a', provider: 'b' },
      extra_body: { google: { thinking_config: {} } },
      transforms: ['middle-out'],
      num_retries: 2,
      lora: [],
      adapter_id: null,
      verbose: false,
      return_tokens: false,
      detokenize: true,
      vendor: { models: ['x'] },
    }
    const reply = await post(gateway, asking('Hello', more))
    assert.equal(reply.status, 200)
    await reply.text()
    assert.deepEqual((await provider.next()).json, asking('Hello', more))
  })
})
