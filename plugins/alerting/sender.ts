import type { GovernanceEvent, Services } from 'governed-gateway'
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

/** One attempt to bring one message to one receiver. Never rejects. */
export async function send(
  fetch: Services['fetch'],
  destination: Destination,
  message: GovernanceEvent,
  options: SendOptions,
): Promise<Attempt> {
  const attempt = await post(fetch, destination, message, false, options)
  // Slack did not take the blocks, which is our mistake: its people hear it all the same.
  const refused = destination.type === 'slack' && attempt.result === 'rejected' && attempt.status === 400
  return refused ? post(fetch, destination, message, true, options) : attempt
}

async function post(
  fetch: Services['fetch'],
  { url, type, signingSecret }: Destination,
  message: GovernanceEvent,
  plain: boolean,
  { timeoutMs, signal, now }: SendOptions,
): Promise<Attempt> {
  try {
    const { body, headers } = render(message, { type, signingSecret, plain, now: new Date(now()) })
    const reply = await fetch(url, { method: 'POST', headers, body, timeoutMs, ...(signal && { signal }) })
    return await judge(type, reply, now())
  } catch (error) {
    return failedAttempt(error)
  }
}
