import type { DescribeEvent, GovernanceEvent, Services } from 'governed-gateway'
import { type Attempt, failedAttempt } from 'governed-gateway/kit'
import type { Destination } from './destinations.ts'
import { judge } from './judge.ts'
import { render } from './render/render.ts'

export interface SendOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Wall clock, Unix milliseconds. */
  readonly now: () => number
}

/** Services for sending. */
export interface Outside {
  readonly fetch: Services['fetch']
  readonly describe: DescribeEvent
}

/** Makes one attempt to send a message to one receiver. Never rejects. */
export async function send(
  outside: Outside,
  destination: Destination,
  message: GovernanceEvent,
  options: SendOptions,
): Promise<Attempt> {
  const attempt = await post(outside, destination, message, false, options)
  // Slack rejected the blocks, which is our error, so send plain text.
  const refused = destination.type === 'slack' && attempt.result === 'rejected' && attempt.status === 400
  return refused ? post(outside, destination, message, true, options) : attempt
}

async function post(
  outside: Outside,
  { url, type, signingSecret }: Destination,
  message: GovernanceEvent,
  plain: boolean,
  { timeoutMs, signal, now }: SendOptions,
): Promise<Attempt> {
  try {
    const { body, headers } = render(message, {
      type,
      signingSecret,
      plain,
      now: new Date(now()),
      describe: outside.describe,
    })
    const reply = await outside.fetch(url, { method: 'POST', headers, body, timeoutMs, ...(signal && { signal }) })
    return await judge(type, reply, now())
  } catch (error) {
    return failedAttempt(error)
  }
}
