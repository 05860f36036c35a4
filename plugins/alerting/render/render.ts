import type { DescribeEvent, GovernanceEvent } from 'governed-gateway'
import { webhookSigner } from 'governed-gateway/kit'
import { cardOf } from '../card.ts'
import { slackMessage, slackText } from './slack.ts'
import { teamsMessage } from './teams.ts'

export type WebhookType = 'slack' | 'teams' | 'generic'

export interface Rendered {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface RenderOptions {
  readonly type: WebhookType
  readonly signingSecret?: string | undefined
  /** Time of this attempt. */
  readonly now: Date
  /** Text only, after Slack rejected the blocks. */
  readonly plain?: boolean
  readonly describe: DescribeEvent
}

/** Formats a message for one receiver. */
export function render(
  event: GovernanceEvent,
  { type, signingSecret, now, plain = false, describe }: RenderOptions,
): Rendered {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'governed-gateway' }
  switch (type) {
    case 'slack': {
      const card = cardOf(event, describe)
      return { body: JSON.stringify(plain ? slackText(card) : slackMessage(card)), headers }
    }
    case 'teams':
      return { body: JSON.stringify(teamsMessage(cardOf(event, describe))), headers }
    case 'generic': {
      const body = JSON.stringify(event)
      const signed = signingSecret === undefined ? {} : webhookSigner(signingSecret)(event.id, body, now)
      return { body, headers: { ...headers, ...signed } }
    }
  }
}
