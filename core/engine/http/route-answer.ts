/** Runs a plugin's route: enforces its deadline, a status and JSON. */
import { GatewayError, isGatewayError } from '../contract/errors.ts'
import { isField } from '../contract/header-rules.ts'
import type { OpenRoute, Route } from '../contract/plugin.ts'
import { contractError } from '../contract/results.ts'
import { isObject } from '../util/is-object.ts'
import { checkNames } from '../util/shape.ts'
import { adopt } from '../util/thenable.ts'

/** Longer than any receiver that a route may call, milliseconds. */
const ROUTE_MS = 60_000

export interface RouteAnswer {
  readonly status: number
  readonly text: string
  /** Undefined for JSON. */
  readonly contentType: string | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
}

/** @throws GatewayError GW_PLUGIN_TIMEOUT, GW_PLUGIN_CONTRACT, and what the handler throws */
export async function answerOf(
  route: Route | OpenRoute,
  request: Parameters<Route['handle']>[0],
): Promise<RouteAnswer> {
  const at = `${route.method} ${route.path}`
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `The plugin that serves ${at} did not answer within ${ROUTE_MS / 1000} s.`
    timer = setTimeout(() => reject(new GatewayError('GW_PLUGIN_TIMEOUT', message)), ROUTE_MS)
  })
  try {
    return readAnswer(at, await Promise.race([adopt(Promise.resolve(route.handle(request))), late]))
  } finally {
    clearTimeout(timer)
  }
}

function readAnswer(at: string, answer: unknown): RouteAnswer {
  try {
    if (!isObject(answer))
      throw contractError(`The plugin that serves ${at} answered without an object { status, body }.`)
    const members = 'body' in answer ? ['body'] : ['text', 'contentType']
    checkNames('', Object.keys(answer), ['status', 'headers', ...members])
    const headers = headersOf(answer.headers)
    const { status = 200, body, contentType } = answer
    if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599) {
      throw contractError(`The plugin that serves ${at} gave a status outside 200 to 599.`)
    }
    if (typeof contentType === 'string' && typeof answer.text === 'string' && isField('content-type', contentType)) {
      return { status: status as number, text: answer.text, contentType, headers }
    }
    const text: unknown = JSON.stringify(body)
    if (typeof text === 'string') return { status: status as number, text, contentType: undefined, headers }
  } catch (error) {
    if (isGatewayError(error) && error.code === 'GW_PLUGIN_CONTRACT') throw error
  }
  throw contractError(
    `The plugin that serves ${at} answered with what is neither { status, body } of JSON nor { status, text, contentType }.`,
  )
}

/** The gateway's own headers, such as the length, stay its own. */
const OWN = /^(?:content-length|content-type|connection|transfer-encoding|x-request-id|date)$/i

function headersOf(value: unknown): Record<string, string> | undefined {
  if (value === undefined) return undefined
  const headers = isObject(value) ? Object.entries(value) : []
  if (
    !isObject(value) ||
    headers.some(([name, text]) => typeof text !== 'string' || OWN.test(name) || !isField(name, text))
  ) {
    throw contractError('The headers of an answer must be texts by name, without those that the gateway sets.')
  }
  return Object.fromEntries(headers) as Record<string, string>
}
