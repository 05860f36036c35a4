/** What the official SDK makes of an answer, fed with the bytes that the client got. */
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { accumulateResponse } from 'openai/lib/responses/ResponseAccumulator'
import type { Response as SdkResponse } from 'openai/resources/responses/responses'
import type { Api } from './apis.ts'
import { flatten, type Texts } from './assemble.ts'
import type { Got } from './client.ts'
import type { JsonObject } from './places-in.ts'

const optionsOf = (got: Got) => ({
  apiKey: 'none',
  maxRetries: 0,
  fetch: async () =>
    new Response(got.body, { status: got.status, headers: { 'content-type': String(got.headers['content-type']) } }),
})
const clientOf = (got: Got): OpenAI => new OpenAI({ ...optionsOf(got), baseURL: 'http://127.0.0.1/v1' })
const anthropicOf = (got: Got): Anthropic => new Anthropic({ ...optionsOf(got), baseURL: 'http://127.0.0.1' })

const ANY = { model: 'm', messages: [] }

/** The message that a client keeps of an answer and sends back with the next request. */
export async function sdkMessage(got: Got, isStream: boolean): Promise<JsonObject | undefined> {
  const client = clientOf(got)
  const message = isStream
    ? await client.chat.completions
        .stream(ANY)
        .finalMessage()
        .catch(() => undefined)
    : (await client.chat.completions.create(ANY).catch(() => undefined))?.choices[0]?.message
  if (message === undefined) return undefined
  const { role, content, tool_calls: calls } = JSON.parse(JSON.stringify(message)) as JsonObject
  return { role: role ?? 'assistant', content: content ?? null, ...(calls && { tool_calls: calls }) }
}

export async function sdkTexts(got: Got, isStream: boolean, api: Api = 'chat'): Promise<Iterable<string>> {
  if (got.status !== 200 || api === 'embeddings' || api === 'moderations') return []
  const texts: Texts = new Map()
  if (api === 'messages' || api === 'responses') {
    await (api === 'messages' ? readMessage : readResponse)(got, isStream, (snapshot) => {
      texts.clear()
      flatten(snapshot, '', texts)
    }).catch((error: Error) => texts.set('error', error.message))
    return texts.values()
  }
  const client = clientOf(got)
  if (api === 'completions') return completionTexts(client, isStream)
  if (!isStream) {
    flatten(await client.chat.completions.create(ANY).catch(String), '', texts)
    return texts.values()
  }
  const stream = client.chat.completions.stream(ANY)
  stream.on('chunk', (_chunk, snapshot) => {
    texts.clear()
    flatten(snapshot, '', texts)
  })
  await stream.done().catch((error: Error) => texts.set('error', error.message))
  return texts.values()
}

async function completionTexts(client: OpenAI, isStream: boolean): Promise<Iterable<string>> {
  const texts: Texts = new Map()
  const asked = { model: 'm', prompt: '' }
  try {
    if (!isStream) flatten(await client.completions.create(asked), '', texts)
    else
      for await (const chunk of await client.completions.create({ ...asked, stream: true })) flatten(chunk, '', texts)
  } catch (error) {
    texts.set('error', String(error))
  }
  return texts.values()
}

type See = (snapshot: unknown) => void

async function readMessage(got: Got, isStream: boolean, see: See): Promise<void> {
  const client = anthropicOf(got)
  const asked = { model: 'm', max_tokens: 1, messages: [] }
  if (!isStream) return see(await client.messages.create(asked))
  // It knows more kinds of blocks.
  const stream = client.beta.messages.stream(asked)
  stream.on('streamEvent', (_event, snapshot) => see(snapshot))
  await stream.done()
}

async function readResponse(got: Got, isStream: boolean, see: See): Promise<void> {
  const client = clientOf(got)
  const asked = { model: 'm', input: '' }
  if (!isStream) return see(await client.responses.create(asked))
  let snapshot: SdkResponse | undefined
  for await (const event of await client.responses.create({ ...asked, stream: true })) {
    // Some types are not in the SDK; other readers pass over them.
    try {
      snapshot = accumulateResponse(event, snapshot)
    } catch {
      continue
    }
    see(snapshot)
  }
}

/** The content of a message, or the items of a response, as a client keeps them in the end. */
export async function sdkContent(got: Got, isStream: boolean, api: Api): Promise<unknown> {
  let last: unknown
  await (api === 'messages' ? readMessage : readResponse)(got, isStream, (snapshot) => {
    last = snapshot
  }).catch(() => {})
  const { content, output } = (last ?? {}) as { content?: unknown; output?: unknown }
  const kept = content ?? output
  return kept === undefined ? undefined : JSON.parse(JSON.stringify(kept))
}
