/** The frames of a stream, each with the name of its event. */

import { parseJson } from '../../json/read.ts'

/** Writes one event. A line break in JSON is white space, so a space may replace it. */
export function frame(payload: string): string {
  const data = payload.includes('\n') ? payload.replace(/[\r\n]+/g, ' ') : payload
  const type = typeIn(data)
  return type === undefined ? `data: ${data}\n\n` : `event: ${type}\ndata: ${data}\n\n`
}

/** `event: `, a line break, `data: ` and a blank line. */
export const FRAME_LENGTH = 16

export const frameOf = (event: object): string => frame(JSON.stringify(event))

const HEAD = '{"type":"'
/** Some servers write it last; the kinds of items and parts look different. */
const TYPE = /"type"\s*:\s*"(response\.[a-z_.]{1,80}|error|keepalive)"/
const WORD = /^[a-z][\w.-]{0,79}$/i

/** The type of an event. Servers write it first. */
function typeIn(payload: string): string | undefined {
  if (payload.startsWith(HEAD)) {
    const type = payload.slice(HEAD.length, payload.indexOf('"', HEAD.length))
    return WORD.test(type) ? type : undefined
  }
  return TYPE.exec(payload)?.[1] ?? nameIn(payload)
}

/** Escapes may spell the member itself. */
function nameIn(payload: string): string | undefined {
  if (!payload.includes('\\u')) return undefined
  const { type } = parseJson(payload) as { type?: unknown }
  return typeof type === 'string' && WORD.test(type) ? type : undefined
}

export const DONE = 'data: [DONE]\n\n'
