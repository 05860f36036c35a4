/** A server that speaks the documented API of the Presidio analyzer, with a word list in place of a language model. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach } from 'node:test'
import { Egress } from '../../../core/services/egress/egress.ts'

interface Asked {
  readonly text: string | string[]
  readonly language: string
  readonly score_threshold?: number
  readonly entities?: string[]
}

export interface FakeAnalyzer {
  readonly url: string
  /** Bodies of the calls, in order. */
  readonly asked: Asked[]
  readonly headers: IncomingMessage['headers'][]
  /** Answers instead of the word list until it is set to undefined again. */
  override: ((request: IncomingMessage, response: ServerResponse, body: string) => void) | undefined
  close(): Promise<void>
}

const WORDS: readonly (readonly [word: string, type: string, score: number])[] = [
  ['Ada Lovelace', 'PERSON', 0.85],
  ['Alan Turing', 'PERSON', 0.85],
  ['Grace', 'PERSON', 0.45],
  ['London', 'LOCATION', 0.85],
  ['Tuesday', 'DATE_TIME', 0.85],
  ['Mayan', 'NRP', 0.85],
]

export async function startAnalyzer(): Promise<FakeAnalyzer> {
  const asked: Asked[] = []
  const headers: IncomingMessage['headers'][] = []
  const server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      headers.push(request.headers)
      if (fake.override !== undefined) return fake.override(request, response, body)
      if (request.method !== 'POST' || request.url !== '/analyze') {
        response.writeHead(404).end()
        return
      }
      const question = JSON.parse(body) as Asked
      asked.push(question)
      const results = Array.isArray(question.text)
        ? question.text.map((text) => recognise(text, question))
        : recognise(question.text, question)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(results))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeAnalyzer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    override: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fake
}

/** Offsets in code points, like Python strings; members sorted and some unset, as the real one answers. */
function recognise(text: string, { score_threshold = 0, entities }: Asked): object[] {
  const points = [...text]
  const found: { at: number; result: object }[] = []
  for (const [word, type, score] of WORDS) {
    if (score < score_threshold || (entities !== undefined && !entities.includes(type))) continue
    const letters = [...word]
    for (let i = 0; i + letters.length <= points.length; i++) {
      if (letters.every((letter, j) => points[i + j] === letter)) {
        found.push({
          at: i,
          result: { analysis_explanation: null, end: i + letters.length, entity_type: type, score, start: i },
        })
      }
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ result }) => result)
}

/** One for all tests of a file, each of which finds it as new. */
export function sharedAnalyzer(): { readonly server: FakeAnalyzer; readonly egress: Egress } {
  const shared = {} as { server: FakeAnalyzer; egress: Egress }
  before(async () => {
    shared.server = await startAnalyzer()
    shared.egress = new Egress([new URL(shared.server.url).host])
  })
  beforeEach(() => {
    shared.server.override = undefined
    shared.server.asked.length = 0
    shared.server.headers.length = 0
  })
  after(async () => {
    await shared.egress.close()
    await shared.server.close()
  })
  return shared
}
