/** Clients of Azure OpenAI, through the gateway, and an upstream of kind azure behind it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createAzure } from '@ai-sdk/azure'
import { embed, generateText, streamText } from 'ai'
import { AzureOpenAI, NotFoundError, PermissionDeniedError } from 'openai'
import { chunks, completion, json, stream } from '../../core/testing/provider.ts'
import { response, said, USAGE } from '../core/engine/dialects/responses/responding.ts'
import { assertError } from '../helpers/errors.ts'
import { asking, setup, type TestGateway, UPSTREAM_KEY, USER_KEY } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { FORBIDDEN, start } from './setup.ts'

const apiVersion = '2024-10-21'
const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5, 0.25] }], model: 'm' }
const embedded = json({ ...vectors, usage: { prompt_tokens: 1, total_tokens: 1 } })
const messages = [{ role: 'user' as const, content: 'Hello' }]

const sdk = (gateway: TestGateway, deployment?: string) =>
  new AzureOpenAI({
    endpoint: gateway.url,
    apiKey: USER_KEY,
    apiVersion,
    maxRetries: 0,
    ...(deployment && { deployment }),
  })

describe('the SDK of OpenAI for Azure', () => {
  it('chats, buffered and streamed', async (t) => {
    const { gateway, provider } = await start(t)
    provider.reply(json(completion('Hello back')))
    const told = await sdk(gateway).chat.completions.create({ model: 'gpt-test', messages })
    assert.equal(told.choices[0]?.message.content, 'Hello back')
    const sent = await provider.next()
    assert.equal(sent.url, '/v1/chat/completions')
    assert.equal(sent.headers.authorization, `Bearer ${UPSTREAM_KEY}`)
    assert.equal(sent.headers['api-key'], undefined)
    provider.reply(stream(chunks('Hello back'), { split: 'byte' }))
    let text = ''
    for await (const chunk of await sdk(gateway).chat.completions.create({ model: 'gpt-test', messages, stream: true }))
      text += chunk.choices[0]?.delta?.content ?? ''
    assert.equal(text, 'Hello back')
  })

  it('names the model by the deployment, whatever the body says', async (t) => {
    const { gateway, provider } = await start(t)
    await sdk(gateway, 'house-4').chat.completions.create({ model: 'gpt-3.5-turbo', messages })
    assert.equal(((await provider.next()).json as { model: string }).model, 'house-4')
  })

  it('embeds, and lists models', async (t) => {
    const { gateway, provider } = await start(t)
    provider.reply(embedded)
    const { data } = await sdk(gateway).embeddings.create({ model: 'm', input: 'Hi', encoding_format: 'float' })
    assert.deepEqual(data[0]?.embedding, [0.5, 0.25])
    assert.equal((await provider.next()).url, '/v1/embeddings')
    const ids: string[] = []
    for await (const { id } of sdk(gateway).models.list()) ids.push(id)
    assert.deepEqual(ids, ['gpt-test'])
  })

  it('is told of blocks and of models without a route', async (t) => {
    const { gateway } = await start(t, { routes: [{ model: 'gpt-*', to: ['scripted'] }] })
    const chats = sdk(gateway).chat.completions
    const blocked = { model: 'gpt-test', messages: [{ role: 'user' as const, content: FORBIDDEN }] }
    await assert.rejects(chats.create(blocked), PermissionDeniedError)
    await assert.rejects(chats.create({ model: 'other', messages }), NotFoundError)
  })
})

describe('the AI SDK for Azure', () => {
  it('chats and embeds on the v1 paths and by deployments', async (t) => {
    const { gateway, provider } = await start(t)
    for (const [base, useDeploymentBasedUrls] of [
      ['/openai', false],
      ['/openai/v1', false],
      ['/openai', true],
    ] as const) {
      const azure = createAzure({
        baseURL: gateway.url + base,
        apiKey: USER_KEY,
        apiVersion,
        useDeploymentBasedUrls,
      })
      provider.reply(json(completion('Hello back')))
      const { text } = await generateText({ model: azure.chat('gpt-test'), prompt: 'Hi', maxRetries: 0 })
      assert.equal(text, 'Hello back')
      assert.equal((await provider.next()).url, '/v1/chat/completions')
      provider.reply(stream(chunks('Hello back')))
      assert.equal(await streamText({ model: azure.chat('gpt-test'), prompt: 'Hi', maxRetries: 0 }).text, 'Hello back')
      await provider.next()
      provider.reply(embedded)
      const { embedding } = await embed({ model: azure.textEmbeddingModel('m'), value: 'Hi', maxRetries: 0 })
      assert.deepEqual(embedding, [0.5, 0.25])
      await provider.next()
    }
  })
})

describe('responses of Azure', () => {
  it('are asked by both SDKs, on their own paths', async (t) => {
    const { gateway, provider } = await start(t)
    const answer = json(response({ output: [said('Hello back')], usage: USAGE }))
    provider.reply(answer)
    const told = await sdk(gateway).responses.create({ model: 'gpt-test', input: 'Hi' })
    assert.equal(told.output_text, 'Hello back')
    assert.equal((await provider.next()).url, '/v1/responses')
    provider.reply(answer)
    const azure = createAzure({ baseURL: `${gateway.url}/openai/v1`, apiKey: USER_KEY, apiVersion })
    const { text } = await generateText({ model: azure('gpt-test'), prompt: 'Hi', maxRetries: 0 })
    assert.equal(text, 'Hello back')
  })
})

describe("Azure's paths", () => {
  it('take every key header, any version, and a body without a model', async (t) => {
    const { gateway, provider } = await setup(t)
    const { model: _, ...body } = asking()
    for (const [path, headers] of [
      ['/openai/deployments/gpt-test/chat/completions', { 'api-key': USER_KEY }],
      ['/openai/deployments/gpt-test/chat/completions?api-version=x', { authorization: `Bearer ${USER_KEY}` }],
      ['/openai/deployments/gpt-test/chat/completions?api-version=2099-01-01', { 'x-api-key': USER_KEY }],
    ] as const) {
      const reply = await send(gateway.url + path, { body, headers })
      assert.equal(reply.status, 200, path)
      await reply.text()
      assert.deepEqual((await provider.next()).json, { ...body, model: 'gpt-test' })
    }
    const v1 = `${gateway.url}/openai/v1/chat/completions?api-version=preview`
    assert.equal((await send(v1, { body: asking(), headers: { 'api-key': USER_KEY } })).status, 200)
    await assertError(await send(v1, { body, headers: { 'api-key': USER_KEY } }), 'GW_INVALID_PARAMETER')
  })

  it("hold the key to the path's model", async (t) => {
    const keys = [{ id: 'limited', key: USER_KEY, models: ['gpt-*'] }]
    const { gateway, provider } = await setup(t, { config: { keys } })
    const ask = (deployment: string, model: string) =>
      send(`${gateway.url}/openai/deployments/${deployment}/chat/completions?api-version=${apiVersion}`, {
        body: { ...asking(), model },
        headers: { 'api-key': USER_KEY },
      })
    await assertError(await ask('o3', 'gpt-test'), 'GW_MODEL_NOT_ALLOWED')
    assert.equal((await ask('gpt-test', 'o3')).status, 200)
    await assertError(await ask('a%2Fb', 'gpt-test'), 'GW_UNKNOWN_URL')
    assert.equal(provider.requests.length, 1)
  })
})

describe('an upstream of kind azure', () => {
  const url = (base: string) => base.replace(/\/v1$/, '')
  const ask = async (gateway: TestGateway, model: string, path = '/chat/completions') => {
    const body = path === '/moderations' ? { model, input: 'Hi' } : { ...asking(), model }
    const reply = await send(gateway.baseURL + path, { body, headers: { 'x-api-key': USER_KEY } })
    await reply.text()
    return reply.status
  }

  it('is asked by deployment, or on its v1 paths, with its own key alone', async (t) => {
    for (const [api_version, path, model] of [
      [apiVersion, '/openai/deployments/house-4/chat/completions?api-version=2024-10-21', 'house-4'],
      ['v1', '/openai/v1/chat/completions', 'house-4'],
      ['preview', '/openai/v1/chat/completions?api-version=preview', 'house-4'],
    ] as const) {
      const first = await setup(t)
      const azure = { kind: 'azure', url: url(first.provider.url), key: UPSTREAM_KEY, api_version }
      const upstreams = { scripted: { ...azure, deployments: { 'gpt-test': 'house-4' } } }
      const { gateway } = await setup(t, { config: { upstreams } })
      const { provider } = first
      provider.reply(json(completion('Hi')), json(completion('Hi')), json(completion('Hi')))
      assert.equal(await ask(gateway, 'gpt-test'), 200)
      const sent = await provider.next()
      assert.equal(sent.url, path)
      assert.equal((sent.json as { model: string }).model, model)
      assert.equal(sent.headers['api-key'], UPSTREAM_KEY)
      assert.deepEqual([sent.headers.authorization, sent.headers['x-api-key']], [undefined, undefined])
      assert.equal(await ask(gateway, 'a b/c'), 200)
      const odd = api_version === apiVersion ? '/openai/deployments/a%20b%2Fc/chat' : path
      assert.ok((await provider.next()).url.startsWith(odd))
      assert.equal(await ask(gateway, '..'), 200)
      assert.doesNotMatch((await provider.next()).url, /\.\./)
      assert.equal(await ask(gateway, 'gpt-test', '/moderations'), 404)
    }
  })
})
