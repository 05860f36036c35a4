import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isGone, judge } from '../../../plugins/alerting/judge.ts'
import type { WebhookType } from '../../../plugins/alerting/render/render.ts'
import { fetched } from '../../helpers/fetched.ts'

const NOW = Date.parse('2026-11-21T04:00:00Z')

async function judged(type: WebhookType, status: number, text = '', headers: Record<string, string> = {}) {
  const reply = fetched(status, text, headers)
  const attempt = await judge(type, reply, NOW)
  const { result, error = null, retryAfterMs } = attempt
  return { said: `${result} ${error}${isGone(attempt) ? ' gone' : ''}`, retryAfterMs }
}

/** Who, status, body, what it means. */
const ANSWERS: readonly [WebhookType, number, string, string][] = [
  ['slack', 200, 'ok', 'delivered null'],
  ['slack', 200, '', 'delivered null'],
  ['slack', 200, '{"ok":true}', 'delivered null'],
  ['slack', 200, '{"ok":false,"error":"invalid_token"}', 'rejected slack_invalid_token'],
  ['slack', 200, 'invalid_payload', 'rejected slack_invalid_payload'],
  ['slack', 200, 'rollup_error', 'unavailable slack_rollup_error'],
  ['slack', 200, '<html>Sign in</html>', 'unavailable unexpected_answer'],
  ['slack', 200, '{"ok"', 'unavailable unexpected_answer'],
  ['slack', 400, 'invalid_blocks', 'rejected slack_invalid_blocks'],
  ['slack', 400, 'a secret that Slack would never say', 'rejected http_400'],
  ['slack', 403, 'action_prohibited', 'auth slack_action_prohibited gone'],
  ['slack', 404, 'no_service', 'rejected slack_no_service gone'],
  ['slack', 410, 'channel_is_archived', 'rejected slack_channel_is_archived gone'],
  ['slack', 500, 'rollup_error', 'unavailable slack_rollup_error'],
  ['slack', 302, '', 'rejected redirect gone'],
  ['teams', 202, '', 'delivered null'],
  ['teams', 200, '1', 'delivered null'],
  ['teams', 200, '{"status":"queued"}', 'delivered null'],
  [
    'teams',
    200,
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId x',
    'unavailable teams_http_429',
  ],
  ['teams', 200, 'Microsoft Teams endpoint returned HTTP error 413', 'rejected teams_http_413'],
  ['teams', 200, 'Summary or Text is required.', 'rejected teams_refused'],
  ['teams', 200, 'A page that nobody expected', 'unavailable unexpected_answer'],
  ['teams', 401, '{"error":{"code":"DirectApiAuthorizationRequired"}}', 'auth http_401 gone'],
  ['teams', 413, '', 'rejected http_413'],
  ['teams', 502, '', 'unavailable http_502'],
  ['generic', 200, 'no_service', 'delivered null'],
  ['generic', 204, '', 'delivered null'],
  ['generic', 301, '', 'rejected redirect gone'],
  ['generic', 410, '', 'rejected http_410 gone'],
  ['generic', 408, '', 'unavailable http_408'],
  ['generic', 422, '', 'rejected http_422'],
]

it('takes the status of a generic receiver whose body is lost; others say in the body what it means', async () => {
  const lost = { ...fetched(200), text: () => Promise.reject(new Error('reset')) }
  assert.equal((await judge('generic', lost, NOW)).result, 'delivered')
  for (const type of ['slack', 'teams'] as const) await assert.rejects(judge(type, lost, NOW), /reset/)
})

for (const [type, status, text, expected] of ANSWERS) {
  it(`${type} ${status} ${text.slice(0, 40)}`, async () => {
    assert.equal((await judged(type, status, text)).said, expected)
  })
}

it('honours Retry-After, in seconds and as a date', async () => {
  assert.equal((await judged('slack', 429, '', { 'retry-after': '7' })).retryAfterMs, 7_000)
  const date = { 'retry-after': 'Sat, 21 Nov 2026 04:00:30 GMT' }
  assert.equal((await judged('generic', 503, '', date)).retryAfterMs, 30_000)
})
