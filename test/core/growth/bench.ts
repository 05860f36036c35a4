/** A gateway of its own process between a client and a provider that sends whatever bytes it is told. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as open, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Used } from './gateway.ts'
import type { Heads } from './heads.ts'

const keyOf = (caller: number): string => `sk-test-growth-key-${String(caller).padStart(10, '0')}`
/** Each exchange has a caller of its own, for whom nothing is remembered. */
const CALLERS = 256
const MOST = 64 * 1024 * 1024
const MOST_OF_ORDINARY = 16 * 1024 * 1024

export interface Answer {
  readonly type: 'application/json' | 'text/event-stream'
  readonly body: Buffer
  readonly encoding?: string
  /** Each event in a write of its own. */
  readonly apart?: boolean
  readonly headers?: Heads
}

export const HELLO: Answer = {
  type: 'application/json',
  body: Buffer.from(
    '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}',
  ),
}

/** Answers of other API shapes. */
export const HELLOS = {
  messages: {
    type: 'application/json',
    body: Buffer.from(
      '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}',
    ),
  },
  responses: {
    type: 'application/json',
    body: Buffer.from(
      '{"id":"resp_1","object":"response","created_at":1,"status":"completed","model":"m","output":[{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}]}',
    ),
  },
  embeddings: {
    type: 'application/json',
    body: Buffer.from(
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"model":"m","usage":{"prompt_tokens":1,"total_tokens":1}}',
    ),
  },
  completions: {
    type: 'application/json',
    body: Buffer.from(
      '{"id":"cmpl","object":"text_completion","created":1,"model":"m","choices":[{"text":"Hi","index":0,"logprobs":null,"finish_reason":"stop"}]}',
    ),
  },
} as const satisfies Record<string, Answer>

/** Writes one event for each turn of the event loop. */
function writeApart(res: ServerResponse, body: Buffer, from: number): void {
  const end = body.indexOf('\n\n', from)
  if (end < 0 || res.destroyed) return void res.end()
  res.write(body.subarray(from, end + 2))
  setImmediate(writeApart, res, body, end + 2)
}

/** The next message of a process that must not end. */
async function said<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController()
  const ended = once(child, 'exit', over).then(() => {
    throw new Error('the gateway ended')
  })
  try {
    const [message] = await Promise.race([once(child, 'message', over), ended])
    return message as T
  } finally {
    over.abort()
    ended.catch(() => undefined)
  }
}

export class GrowthBench {
  readonly #child: ChildProcess
  readonly #provider: Server
  readonly #url: string
  /** It refuses what is beyond the limits of an ordinary gateway. */
  readonly bounded: boolean
  #answer: Answer = HELLO
  #caller = 0

  private constructor(child: ChildProcess, provider: Server, url: string, bounded: boolean) {
    this.#child = child
    this.bounded = bounded
    this.#provider = provider
    this.#url = url
    provider.on('request', (req, res) => {
      req.resume()
      const { type, body, encoding, apart = false, headers = {} } = this.#answer
      const encoded = encoding === undefined ? {} : { 'content-encoding': encoding }
      res.writeHead(200, { ...headers, 'content-type': type, ...encoded })
      if (apart) writeApart(res, body, 0)
      else res.end(body)
    })
  }

  /** @param bounded with the limits of an ordinary gateway, which otherwise would hide how time grows */
  static async start(plugins: readonly object[], bounded = false): Promise<GrowthBench> {
    const provider = createServer().listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const { port } = provider.address() as AddressInfo
    const config = {
      listen: {
        port: 0,
        drain_seconds: 1,
        request_timeout_seconds: 600,
        ...(bounded ? {} : { max_body_bytes: MOST, max_json_values: 10_000_000 }),
      },
      store: 'memory',
      // Without limits, the same body is sent several times, and each time it counts.
      ...(bounded ? {} : { inspection: { memo_bytes: 0, max_findings: 10_000_000 } }),
      secret: 'a secret that is the same in every run',
      log: { level: 'silent' },
      upstreams: {
        provider: {
          url: `http://127.0.0.1:${port}/v1`,
          shapes: ['chat-completions', 'messages', 'responses', 'embeddings', 'completions'],
          first_byte_timeout_seconds: 600,
          ...(bounded ? {} : { max_response_bytes: MOST }),
        },
      },
      keys: Array.from({ length: CALLERS }, (_, i) => ({ id: `tester-${i}`, key: keyOf(i) })),
      plugins,
    }
    const file = fileURLToPath(new URL('gateway.ts', import.meta.url))
    const child = fork(file, [JSON.stringify(config)], {
      // The first as in `core/bin.js`.
      execArgv: ['--no-allocation-site-pretenuring', '--conditions=governed-gateway-source'],
    })
    try {
      const { url } = await said<{ url: string }>(child)
      return new GrowthBench(child, provider, url, bounded)
    } catch (cause) {
      provider.close()
      throw cause
    }
  }

  async used(): Promise<Used> {
    this.#child.send('used')
    return (await said<{ used: Used }>(this.#child)).used
  }

  /**
   * One exchange, and what the gateway used for it. With the limits of an ordinary gateway, which remembers what it
   * inspected, the same exchange follows once more: its pause counts too.
   */
  async exchange(
    body: Buffer,
    answer: Answer = HELLO,
    path = '/v1/chat/completions',
  ): Promise<Used & { status: number; bytes: number }> {
    this.#caller = (this.#caller + 1) % CALLERS
    await this.used()
    const { status, bytes } = await this.send(body, answer, path)
    const used = await this.used()
    if (!this.bounded) return { ...used, status, bytes }
    await this.send(body, answer, path)
    const { pause } = await this.used()
    return { cpu: used.cpu, pause: Math.max(used.pause, pause), status, bytes }
  }

  send(
    body: Buffer,
    answer: Answer,
    path = '/v1/chat/completions',
    headers: Heads = {},
  ): Promise<{ status: number; bytes: number }> {
    this.#answer = answer
    return new Promise((resolve, reject) => {
      const req = open(
        `${this.#url}${path}`,
        {
          method: 'POST',
          agent: false,
          headers: {
            ...headers,
            authorization: `Bearer ${keyOf(this.#caller)}`,
            'content-type': 'application/json',
            'content-length': body.length,
          },
        },
        (res) => {
          let n = 0
          res.on('data', (chunk: Buffer) => (n += chunk.length))
          res.on('end', () => resolve({ status: res.statusCode ?? 0, bytes: n }))
          res.on('error', () => resolve({ status: -1, bytes: n }))
        },
      )
      // A body over the limit is answered before it is read.
      const refused = this.bounded && body.length > MOST_OF_ORDINARY
      req.on('error', (error) => (refused ? resolve({ status: 413, bytes: 0 }) : reject(error)))
      req.end(body)
    })
  }

  async close(): Promise<void> {
    this.#child.send('exit')
    await once(this.#child, 'exit')
    this.#provider.closeAllConnections()
    this.#provider.close()
  }
}
