/**
 * Messages for a Teams workflow ("When a Teams webhook request is received"): an envelope with one Adaptive Card
 * 1.2, because Workflows rejects 1.5 (https://adaptivecards.io/explorer/).
 */
import type { Severity } from 'governed-gateway'
import { type Card, grouped } from '../card.ts'
import { fit, inert } from '../text.ts'

interface TextBlock {
  readonly type: 'TextBlock'
  readonly text: string
  readonly wrap: true
  readonly size?: 'Small' | 'Medium'
  readonly weight?: 'Bolder'
  readonly color?: 'Attention' | 'Warning' | 'Default'
  readonly isSubtle?: true
}

interface FactSet {
  readonly type: 'FactSet'
  readonly facts: readonly { readonly title: string; readonly value: string }[]
}

export interface TeamsMessage {
  readonly type: 'message'
  readonly attachments: readonly [
    {
      readonly contentType: 'application/vnd.microsoft.card.adaptive'
      readonly contentUrl: null
      readonly content: {
        readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json'
        readonly type: 'AdaptiveCard'
        readonly version: '1.2'
        readonly msteams: { readonly width: 'Full' }
        readonly body: readonly (TextBlock | FactSet)[]
      }
    },
  ]
}

/** Maximum UTF-16 units: 6,000 together, 18 KB. Teams accepts 28 KB, including re-encoding on the way. */
const MAX = { title: 200, reason: 1000, fact: 260, line: 200, next: 300, context: 300 }

const COLOURS: Readonly<Record<Severity, 'Attention' | 'Warning' | 'Default'>> = {
  block: 'Attention',
  action: 'Warning',
  detection: 'Warning',
  info: 'Default',
}

/** Teams interprets Markdown, HTML entities and angle brackets. No escape of brackets works in every client. */
const LOOKALIKES: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '&': '&\u200b' }
const markdown = (character: string): string =>
  LOOKALIKES[character] ?? (/[\\[\]()*_~#`]/.test(character) ? `\\${character}` : character)

/** Lists, quotes and rules begin at the start of a line. */
const escaped = (text: string, max: number): string =>
  fit(inert(text).replace(/^(?=[-+=>]|\d+[.)])/, '\u200b'), max, markdown)

const block = (text: string, more: Partial<TextBlock> = {}): TextBlock => ({
  type: 'TextBlock',
  text,
  wrap: true,
  ...more,
})

export function teamsMessage({ title, severity, reason, facts, counts, next, context }: Card): TeamsMessage {
  const body: (TextBlock | FactSet)[] = [
    block(escaped(title, MAX.title), { size: 'Medium', weight: 'Bolder', color: COLOURS[severity] ?? 'Default' }),
    block(escaped(reason, MAX.reason)),
  ]
  if (facts.length > 0) {
    body.push({
      type: 'FactSet',
      facts: facts.map(({ name, value }) => ({ title: name, value: escaped(value, MAX.fact) })),
    })
  }
  if (counts.length > 0) {
    body.push({
      type: 'FactSet',
      facts: counts.map(({ count, what }) => ({ title: `${grouped(count)} ×`, value: escaped(what, MAX.line) })),
    })
  }
  for (const line of next) body.push(block(escaped(line, MAX.next), { isSubtle: true }))
  if (context !== '') body.push(block(escaped(context, MAX.context), { size: 'Small', isSubtle: true }))
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2',
    msteams: { width: 'Full' },
    body,
  } as const
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  }
}
