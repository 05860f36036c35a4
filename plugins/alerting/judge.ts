/** Interprets the answer of a receiver. Compares its text with known text, and never repeats it. */
import type { FetchReply } from 'governed-gateway'
import { type Attempt, attemptOf } from 'governed-gateway/kit'
import type { WebhookType } from './render/render.ts'

/** Errors in Slack's answers (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). */
const SLACK_ERRORS =
  /^(invalid_(payload|blocks|token|attachments)|no_(text|service|team|active_hooks)|user_not_found|channel_(not_found|is_archived)|too_many_attachments|action_prohibited|posting_to_general_channel_denied|team_disabled|msg_(blocks_)?too_long|rollup_error)$/

/** The real status, which an Office 365 connector puts into the text of a 200. */
const TEAMS_STATUS = /returned HTTP error (\d{3})/i
const TEAMS_FAILURE = /delivery failed|bad payload|is required|connector (has been|is) (disabled|removed)/i

export async function judge(type: WebhookType, reply: FetchReply, now = Date.now()): Promise<Attempt> {
  const attempt = byStatus(reply, now)
  if (type === 'generic') return attempt
  const text = (await reply.text()).trim()
  return type === 'slack' ? judgeSlack(attempt, reply, text) : judgeTeams(attempt, reply, text, now)
}

/** Redirects are not followed: the setting is wrong, and a retry does not help. */
function byStatus(reply: Pick<FetchReply, 'status' | 'headers'>, now: number): Attempt {
  const attempt = attemptOf(reply, now)
  return attempt.error === 'redirect' ? { ...attempt, result: 'rejected' } : attempt
}

function judgeSlack(attempt: Attempt, { status }: FetchReply, text: string): Attempt {
  const said = slackError(text)
  if (attempt.result !== 'delivered') return said === undefined ? attempt : { ...attempt, error: `slack_${said}` }
  if (said === 'rollup_error') return { result: 'unavailable', status, error: 'slack_rollup_error' }
  if (said !== undefined) return { result: 'rejected', status, error: `slack_${said}` }
  return isSuccess(text, /^(ok)?$/i) ? attempt : { result: 'unavailable', status, error: 'unexpected_answer' }
}

/** The error in a body, alone or as `{"ok":false,"error":"…"}`. */
function slackError(text: string): string | undefined {
  const { error } = objectOf(text) ?? {}
  const word = typeof error === 'string' ? error : text
  return SLACK_ERRORS.test(word) ? word : undefined
}

function judgeTeams(attempt: Attempt, { status, headers }: FetchReply, text: string, now: number): Attempt {
  if (attempt.result !== 'delivered') return attempt
  const hidden = TEAMS_STATUS.exec(text)?.[1]
  if (hidden !== undefined) {
    return { ...byStatus({ status: Number(hidden), headers }, now), status, error: `teams_http_${hidden}` }
  }
  if (TEAMS_FAILURE.test(text)) return { result: 'rejected', status, error: 'teams_refused' }
  return isSuccess(text, /^1?$/) ? attempt : { result: 'unavailable', status, error: 'unexpected_answer' }
}

/** A known success text, or a JSON object without an error: flows and compatible servers have their own answers. */
function isSuccess(text: string, success: RegExp): boolean {
  if (success.test(text)) return true
  const answer = objectOf(text)
  return answer !== undefined && answer.ok !== false && answer.success !== false && !answer.error
}

function objectOf(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** The receiver rejects every message, so do not try another. */
export const isGone = ({ result, status }: Attempt): boolean =>
  result === 'auth' || (result === 'rejected' && status !== undefined && GONE.has(status))

const GONE: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 410])
