import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import type { GovernanceEvent } from 'governed-gateway'
import { Webhook } from 'standardwebhooks'
import { describeCore } from '../../../core/engine/events/description.ts'
import { cardOf } from '../../../plugins/alerting/card.ts'
import { secretProblem } from '../../../plugins/alerting/render/generic.ts'
import { render } from '../../../plugins/alerting/render/render.ts'
import { codePoint } from '../../helpers/code-points.ts'
import { rounds } from '../../helpers/rounds.ts'
import { blocked } from './events.ts'

const load = (name: string): Record<string, unknown>[] & Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../fixtures/schemas/${name}.json`, import.meta.url), 'utf8'))
const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true, strictRequired: false })
const validators: Record<'slack' | 'teams', ValidateFunction> = {
  slack: ajv.compile(load('slack-message.schema')),
  teams: ajv.compile(load('teams-message.schema')),
}

const now = new Date('2026-11-21T04:00:01.000Z')
const slack = (event: GovernanceEvent, plain = false) =>
  render(event, { type: 'slack', now, plain, describe: describeCore }).body
const teams = (event: GovernanceEvent) => render(event, { type: 'teams', now, describe: describeCore }).body

/** Every text of a message. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsOf)
}

/** Every text block of Slack with the way it is read. */
function slackTexts(value: unknown): { type: string; text: string; verbatim?: boolean; emoji?: boolean }[] {
  if (typeof value !== 'object' || value === null) return []
  const one = value as { type?: string; text?: unknown }
  const own = /^(plain_text|mrkdwn)$/.test(one.type ?? '') ? [value as { type: string; text: string }] : []
  return [...own, ...Object.values(value).flatMap(slackTexts)]
}

function assertValid(type: 'slack' | 'teams', body: string): void {
  const validate = validators[type]
  assert.ok(validate(JSON.parse(body)), `${ajv.errorsText(validate.errors)}\n${body}`)
  for (const text of textsOf(JSON.parse(body))) {
    assert.ok(text.isWellFormed(), text)
    assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]|[\u0000-\u0009\u000b-\u001f]/)
  }
}

function assertSlack(body: string): void {
  assertValid('slack', body)
  const message = JSON.parse(body) as { text: string; blocks?: unknown }
  let all = 0
  for (const { type, text, verbatim, emoji } of slackTexts(message.blocks)) {
    all += text.length
    assert.notEqual(text.trim(), '')
    if (type === 'mrkdwn') assert.equal(verbatim, true)
    else assert.equal(emoji, false)
  }
  assert.ok(all < 10_000, `${all} characters in blocks`)
  assert.ok(message.text.length <= 4_000)
  for (const text of textsOf(message)) {
    assert.doesNotMatch(text, /[<>]/, 'a link or a mention')
    assert.doesNotMatch(text, /&(?!amp;|lt;|gt;)/, 'a cut or a missing entity')
  }
}

function assertTeams(body: string): void {
  assertValid('teams', body)
  assert.ok(Buffer.byteLength(body) < 20_000, `${Buffer.byteLength(body)} bytes`)
  const { body: elements } = JSON.parse(body).attachments[0].content
  for (const text of textsOf(elements)) {
    assert.doesNotMatch(text, /<|>|\{\{/)
    assert.doesNotMatch(text.replace(/\\./gu, ''), /[[\]()*~#`]/, 'Markdown that is not escaped')
    assert.doesNotMatch(text, /(^|[^\\])(\\\\)*\\$/, 'an escape that was cut')
  }
}

/** Text as an attacker would choose it. */
const hostile = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 3_000 }),
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc
    .array(
      fc.constantFrom(
        ...['<!channel>', '<@U123>', '<https://evil.example|ok>', '[ok](https://evil.example)', '`', '```', '*', '_'],
        ...['@here', ':bomb:', '{{DATE(2026-01-01)}}', '<at>Bob</at>', '&lt;', '&', '\n- ', '1. ', '\\', '\u202e'],
        ...['![x](y)', '\ud800', '💥', '\u3164', '\u0000', 'https://evil.example', ' '],
      ),
      { maxLength: 400 },
    )
    .map((parts) => parts.join('')),
)

const hostileEvent: fc.Arbitrary<GovernanceEvent> = fc
  .record(
    {
      type: hostile,
      request_id: hostile,
      session_id: hostile,
      turn_index: fc.nat(),
      key_id: hostile,
      model: hostile,
      mode: hostile,
      classification: hostile,
      reason: hostile,
      instance: hostile,
      time: hostile,
      source_ip: hostile,
      policy: hostile,
      detections: fc.array(fc.record({ type: hostile, count: fc.nat(), action: fc.constant('redact') })),
    },
    { requiredKeys: ['type'] },
  )
  .map((parts) => ({ ...blocked(), ...parts, seq: 1 }) as GovernanceEvent)

const hostileDigest: fc.Arbitrary<GovernanceEvent> = fc
  .array(fc.record({ event_type: hostile, key_id: hostile, reason: hostile, count: fc.nat(), request_id: hostile }), {
    maxLength: 50,
  })
  .map((groups) => ({ ...digest(), groups }) as unknown as GovernanceEvent)

const digest = (): GovernanceEvent => ({
  ...blocked(),
  type: 'alert.digest',
  destination: 'default',
  since: '2026-11-21T04:00:00.000Z',
  count: 9_999,
  causes: { repeat: 9_000, rate: 999 },
  groups: [
    {
      event_type: 'request.blocked',
      key_id: 'app',
      reason: 'Card number in prompt',
      count: 9_000,
      request_id: 'req_1',
    },
    { event_type: 'response.blocked', key_id: null, reason: 'No', count: 900, request_id: null },
  ],
  others: 99,
})

describe('slack', () => {
  it('shows key, event, reason and next steps', () => {
    assert.deepEqual(JSON.parse(slack(blocked())), {
      text: '[block] Request blocked by policy: `Card number in prompt`',
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Request blocked by policy', emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: 'Card number in prompt', emoji: false } },
        {
          type: 'section',
          fields: [
            ['Event', 'request.blocked'],
            ['Key', 'app'],
            ['Model', 'gpt-5-mini'],
            ['Classification', 'RESTRICTED'],
            ['Session', 'sess_27c770a60d4c9d1aa07be2ee805176cc · turn 3'],
            ['Request', 'req_37822bd7-569c-4811-9a27-f63f860be305'],
            ['Found', 'payment_card ×2'],
          ].map(([name, value]) => ({ type: 'mrkdwn', text: `*${name}*\n\`${value}\``, verbatim: true })),
        },
        {
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: '*Next*\n`GET /api/audit?request_id=req_37822bd7-569c-4811-9a27-f63f860be305`\n`governed-gateway audit export --request-id req_37822bd7-569c-4811-9a27-f63f860be305`',
            verbatim: true,
          },
        },
        {
          type: 'context',
          elements: [
            {
              type: 'plain_text',
              text: 'gw-1 · 2026-11-21T04:00:00.123Z · 0198f3a0-0000-7000-8000-000000000001',
              emoji: false,
            },
          ],
        },
      ],
    })
  })

  it('keeps within the limits, whatever an event holds', () => {
    fc.assert(
      fc.property(fc.oneof(hostileEvent, hostileDigest), (event) => {
        assertSlack(slack(event))
        assertSlack(slack(event, true))
      }),
      { numRuns: rounds(300) },
    )
  })

  it('lets no value leave its code span', () => {
    fc.assert(
      fc.property(hostile, (model) => {
        const { blocks } = JSON.parse(slack(blocked({ model: `m${model}` })))
        const { text: value } = blocks[2].fields.find(({ text }: { text: string }) => text.startsWith('*Model*'))
        assert.equal(value.split('`').length, 3)
      }),
      { numRuns: rounds(200) },
    )
  })
})

describe('teams', () => {
  it('shows key, event, reason and next steps', () => {
    const { content } = JSON.parse(teams(blocked())).attachments[0]
    assert.equal(content.version, '1.2')
    assert.deepEqual(content.body[0], {
      type: 'TextBlock',
      text: 'Request blocked by policy',
      wrap: true,
      size: 'Medium',
      weight: 'Bolder',
      color: 'Attention',
    })
    assert.deepEqual(
      content.body[2].facts.map(({ title }: { title: string }) => title),
      ['Event', 'Key', 'Model', 'Classification', 'Session', 'Request', 'Found'],
    )
    assert.equal(content.body[3].text, 'GET /api/audit?request\\_id=req\\_37822bd7-569c-4811-9a27-f63f860be305')
  })

  it('keeps within the limits, whatever an event holds', () => {
    fc.assert(
      fc.property(fc.oneof(hostileEvent, hostileDigest), (event) => assertTeams(teams(event))),
      { numRuns: rounds(300) },
    )
  })
})

describe('generic', () => {
  it('is the event itself, unsigned without a secret', () => {
    const event = blocked()
    const { body, headers } = render(event, { type: 'generic', describe: describeCore, now })
    assert.deepEqual(JSON.parse(body), event)
    assert.deepEqual(Object.keys(headers), ['content-type', 'user-agent'])
  })

  it('is signed as Standard Webhooks says', () => {
    const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
    const at = new Date()
    const { body, headers } = render(blocked(), {
      type: 'generic',
      signingSecret: secret,
      describe: describeCore,
      now: at,
    })
    assert.equal(headers['webhook-id'], blocked().id)
    assert.equal(headers['webhook-timestamp'], String(Math.floor(at.getTime() / 1000)))
    assert.deepEqual(new Webhook(secret).verify(body, headers), blocked())
  })

  it('takes a plain text as a secret', () => {
    const { body, headers } = render(blocked(), {
      type: 'generic',
      signingSecret: 'a plain secret',
      describe: describeCore,
      now: new Date(),
    })
    assert.doesNotThrow(() => new Webhook('a plain secret', { format: 'raw' }).verify(body, headers))
  })

  it('says what is wrong with a secret', () => {
    assert.equal(secretProblem('a plain secret'), undefined)
    assert.equal(secretProblem('whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='), undefined)
    assert.match(secretProblem('whsec_not base64!') ?? '', /base64/)
    assert.match(secretProblem('whsec_c2hvcnQ=') ?? '', /24 to 64/)
  })
})

describe('what to do next', () => {
  it('never puts into a command what a shell would act on', () => {
    const { next } = cardOf(blocked({ request_id: 'x; rm -rf $HOME' }), describeCore)
    assert.deepEqual(next, ['GET /api/audit?request_id=x%3B%20rm%20-rf%20%24HOME'])
  })

  it('names the time where there is no request', () => {
    const { request_id: _, ...event } = blocked({ type: 'auth.failed' })
    assert.deepEqual(cardOf(event as GovernanceEvent, describeCore).next, [
      'GET /api/audit?type=auth.failed',
      'governed-gateway audit export --since 2026-11-21T04:00:00.123Z',
    ])
  })
})

describe('reasons', () => {
  const reasonOf = (more: Partial<GovernanceEvent>) => {
    const { reason: _, detections: __, ...event } = blocked()
    return cardOf({ ...event, ...more } as GovernanceEvent, describeCore).reason
  }

  it('come from what the event says', () => {
    const detections = [{ type: 'email', count: 3 }]
    assert.equal(reasonOf({ type: 'pii.detected', detections }), 'Found email ×3')
    assert.equal(reasonOf({ type: 'plugin.failed', plugin: 'pii', hook: 'block' }), 'plugin pii, hook block')
    assert.equal(reasonOf({ type: 'service.started' }), 'Gateway started')
    assert.equal(cardOf(blocked({ type: 'pii.detected' }), describeCore).title, 'PII detected')
  })
})

describe('a digest', () => {
  it('shows the largest groups, and counts that add up', () => {
    const card = cardOf(digest(), describeCore)
    assert.equal(card.title, '9,999 more alerts')
    assert.equal(
      card.counts.reduce((sum, { count }) => sum + count, 0),
      9_999,
    )
    assert.equal(card.reason, 'Not sent one by one since 2026-11-21T04:00:00.000Z: 9,000 repeats, 999 over the rate.')
    assertSlack(slack(digest()))
    assertTeams(teams(digest()))
  })
})

it('the schemas of receivers judge their examples as labelled', () => {
  const examples = load('examples').filter(({ schema }) => /^(slack|teams)-message$/.test(schema as string))
  assert.ok(examples.length > 0)
  for (const { schema, valid, name, value } of examples) {
    const type = (schema as string).split('-')[0] as 'slack' | 'teams'
    assert.equal(validators[type](value), valid, `${name}`)
  }
})
