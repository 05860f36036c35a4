/** What stands around the gateways of the demo: a provider of chat completions, and receivers of traces and events. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const WORDS = 'Thank you for asking. The parcel left our house this morning and arrives within two days.'.split(' ')
/** `main` fails now and then, so that breakers, retries and alerts have something to show. */
const FAILS = 0.04

/** @param {number} port @param {(path: string, body: Buffer, response: import('node:http').ServerResponse) => unknown} answer */
async function listen(port, answer) {
  const server = createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      try {
        await answer(request.url ?? '/', Buffer.concat(chunks), response)
      } catch {
        response.destroy()
      }
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

const sendJson = (response, status, body) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers in about half a second, streamed or not. */
export const startProvider = (port) =>
  listen(port, async (path, body, response) => {
    if (path.endsWith('/models')) {
      const data = ['gpt-demo', 'gpt-demo-mini'].map((id) => ({ id, object: 'model', created: 0, owned_by: 'demo' }))
      return sendJson(response, 200, { object: 'list', data })
    }
    if (path.startsWith('/main/') && Math.random() < FAILS) {
      return sendJson(response, 503, { error: { message: 'Overloaded', type: 'server_error' } })
    }
    const { model, messages, stream, stream_options: options } = JSON.parse(body.toString())
    const id = `chatcmpl-${Math.random().toString(36).slice(2)}`
    const said = messages.reduce((sum, { content }) => sum + String(content).length, 0)
    const usage = { prompt_tokens: 4 + Math.ceil(said / 4), completion_tokens: WORDS.length }
    usage.total_tokens = usage.prompt_tokens + usage.completion_tokens
    const head = { id, created: Math.floor(Date.now() / 1000), model }
    await sleep(80 + 250 * Math.random())
    if (stream !== true) {
      const message = { role: 'assistant', content: WORDS.join(' '), refusal: null }
      const choices = [{ index: 0, message, logprobs: null, finish_reason: 'stop' }]
      return sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage })
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const write = (delta, finish_reason = null) => {
      const choices = [{ index: 0, delta, finish_reason }]
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`)
    }
    write({ role: 'assistant', content: '' })
    for (const word of WORDS) {
      if (response.destroyed) return
      write({ content: `${word} ` })
      await sleep(20)
    }
    write({}, 'stop')
    if (options?.include_usage === true) {
      const chunk = { ...head, object: 'chat.completion.chunk', choices: [], usage }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    }
    response.end('data: [DONE]\n\n')
  })

const count = (list, inner) => (list ?? []).reduce((sum, one) => sum + inner(one), 0)

/** An OTLP/HTTP receiver of JSON: counts spans and log records. */
export const startCollector = (port, counts) =>
  listen(port, (path, body, response) => {
    const { resourceSpans, resourceLogs } = JSON.parse(body.toString())
    if (path === '/v1/traces') {
      counts.spans += count(resourceSpans, (one) => count(one.scopeSpans, ({ spans }) => spans.length))
    } else if (path === '/v1/logs') {
      counts.records += count(resourceLogs, (one) => count(one.scopeLogs, ({ logRecords }) => logRecords.length))
    }
    sendJson(response, 200, {})
  })

/** A receiver of security events: counts them by type. */
export const startSiem = (port, counts) =>
  listen(port, (_path, body, response) => {
    const events = JSON.parse(body.toString())
    for (const { id, type } of Array.isArray(events) ? events : [events]) {
      if (counts.seen.has(id)) continue
      counts.seen.add(id)
      counts.types.set(type, (counts.types.get(type) ?? 0) + 1)
    }
    response.writeHead(204).end()
  })
