/** What the official SDK makes of an answer, fed with the bytes that the client got. */
import OpenAI from 'openai'
import type { Api } from './apis.ts'
import { flatten, type Texts } from './assemble.ts'
import type { Got } from './client.ts'
import type { JsonObject } from './places-in.ts'

const clientOf = (got: Got): OpenAI =>
  new OpenAI({
    apiKey: 'none',
    baseURL: 'http://127.0.0.1/v1',
    maxRetries: 0,
    fetch: async () =>
      new Response(got.body, { status: got.status, headers: { 'content-type': String(got.headers['content-type']) } }),
  })

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
  const client = clientOf(got)
  const texts: Texts = new Map()
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
