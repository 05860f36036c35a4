/** What the official SDK makes of an answer, fed with the bytes that the client got. */
import OpenAI from 'openai'
import { flatten, type Texts } from './assemble.ts'
import type { Got } from './client.ts'

export async function sdkTexts(got: Got, isStream: boolean): Promise<Iterable<string>> {
  if (got.status !== 200) return []
  const headers = { 'content-type': String(got.headers['content-type']) }
  const client = new OpenAI({
    apiKey: 'none',
    baseURL: 'http://127.0.0.1/v1',
    maxRetries: 0,
    fetch: async () => new Response(got.body, { status: got.status, headers }),
  })
  const texts: Texts = new Map()
  const body = { model: 'm', messages: [] }
  if (!isStream) {
    flatten(await client.chat.completions.create(body).catch(String), '', texts)
    return texts.values()
  }
  const stream = client.chat.completions.stream(body)
  stream.on('chunk', (_chunk, snapshot) => {
    texts.clear()
    flatten(snapshot, '', texts)
  })
  await stream.done().catch((error: Error) => texts.set('error', error.message))
  return texts.values()
}
