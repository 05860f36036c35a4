/** Messages for Slack's incoming webhooks, in Block Kit (https://docs.slack.dev/reference/block-kit/blocks). */
import { type Card, grouped } from '../card.ts'
import { clean, fit, inert } from '../text.ts'

interface PlainText {
  readonly type: 'plain_text'
  readonly text: string
  /** Otherwise `:name:` in untrusted text becomes an emoji. */
  readonly emoji: false
}

interface Mrkdwn {
  readonly type: 'mrkdwn'
  readonly text: string
  /** Does not link URLs, channels or names in plain text. */
  readonly verbatim: true
}

type Block =
  | { readonly type: 'header'; readonly text: PlainText }
  | { readonly type: 'section'; readonly text: PlainText | Mrkdwn }
  | { readonly type: 'section'; readonly fields: readonly Mrkdwn[] }
  | { readonly type: 'context'; readonly elements: readonly (PlainText | Mrkdwn)[] }

export interface SlackMessage {
  /** Text of the notification. */
  readonly text: string
  readonly blocks?: readonly Block[]
  readonly unfurl_links: false
  readonly unfurl_media: false
}

/** Maximum characters. Slack's limits are 150, 2000 and 3000, and about 13,000 for all blocks. */
const MAX = { header: 150, reason: 1000, field: 300, line: 200, next: 300, context: 400 }

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const entity = (character: string): string => ENTITIES[character] ?? character

const plain = (text: string, max: number): PlainText => ({
  type: 'plain_text',
  text: fit(inert(text), max, entity),
  emoji: false,
})

/** A code span is not formatted and can be copied exactly. */
const code = (text: string, max: number): string => `\`${fit(clean(text).replaceAll('`', "'"), max, entity)}\``

const mrkdwn = (text: string): Mrkdwn => ({ type: 'mrkdwn', text, verbatim: true })

export function slackMessage(card: Card): SlackMessage {
  const { title, reason, facts, counts, next, context } = card
  const blocks: Block[] = [
    { type: 'header', text: plain(title, MAX.header) },
    { type: 'section', text: plain(reason, MAX.reason) },
  ]
  if (facts.length > 0) {
    const fields = facts.map(({ name, value }) => mrkdwn(`*${name}*\n${code(value, MAX.field)}`))
    blocks.push({ type: 'section', fields })
  }
  if (counts.length > 0) {
    const lines = counts.map(({ count, what }) => `*${grouped(count)}* × ${code(what, MAX.line)}`)
    blocks.push({ type: 'section', text: mrkdwn(lines.join('\n')) })
  }
  if (next.length > 0) {
    blocks.push({ type: 'section', text: mrkdwn(`*Next*\n${next.map((line) => code(line, MAX.next)).join('\n')}`) })
  }
  if (context !== '') blocks.push({ type: 'context', elements: [plain(context, MAX.context)] })
  return { ...slackText(card), blocks }
}

/** Message without blocks, if Slack rejects them. */
export function slackText({ title, severity, reason }: Card): SlackMessage {
  const said = fit(inert(reason).replaceAll('`', "'"), MAX.reason, entity)
  return {
    text: `[${severity}] ${fit(inert(title).replace(/[*_~`]/g, ' '), MAX.header, entity)}: \`${said}\``,
    unfurl_links: false,
    unfurl_media: false,
  }
}
