/** Requests over TLS and unix sockets. */
import { type IncomingMessage, request as plain } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { asking, bearer, USER_KEY } from './gateway.ts'

export interface Answer {
  readonly status: number | undefined
  readonly text: string
  /** Of the gateway. */
  readonly serial: string | undefined
}

export interface Asking extends RequestOptions {
  readonly body?: object
  readonly onData?: (text: string) => void
}

/** One request over a connection of its own. */
export function askOver({ body = asking(), onData, ...options }: Asking): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const open = options.socketPath !== undefined && options.ca === undefined ? plain : request
    const headers = { 'content-type': 'application/json', ...(options.headers ?? bearer(USER_KEY)) }
    const path = '/v1/chat/completions'
    const req = open(
      { agent: false, method: 'POST', path, ...options, headers } as RequestOptions,
      (reply: IncomingMessage) => {
        const { socket } = reply as unknown as { socket: { getPeerCertificate?: () => { serialNumber: string } } }
        const serial = socket.getPeerCertificate?.().serialNumber
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (more: string) => {
          text += more
          onData?.(text)
        })
        reply.on('end', () => resolve({ status: reply.statusCode, text, serial }))
        reply.on('error', reject)
      },
    )
    req.on('error', reject)
    req.end(JSON.stringify(body))
  })
}
