import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { GovernanceEvent } from '../../../core/engine/contract/plugin.ts'
import { startPlugin } from '../../../core/testing/index.ts'
import alerting from '../../../plugins/alerting/index.ts'
import { groupOf } from '../../../plugins/alerting/throttle/group.ts'
import { until } from '../../helpers/until.ts'
import { receiverFor } from './rig.ts'

const RULES = [
  { name: 'payroll', keywords: ['payroll export'], reason: 'Payroll stays in the payroll system' },
  { name: 'last', keywords: ['the end'], reason: 'That is all' },
]

/** Sends each text, then one that is blocked, and gives the alerts up to that. */
async function alertsOf(t: TestContext, limit: object, texts: readonly string[], options: object = {}, expected = 0) {
  const receiver = await receiverFor(t)
  const rig = await startPlugin(alerting, {
    with: ['pii', { use: 'policy', options: { rules: RULES } }, { use: 'budget', options: { limits: [limit] } }],
    options: {
      enabled: true,
      webhook_url: receiver.url,
      webhook_type: 'generic',
      max_alerts_per_minute: 60,
      ...options,
    },
    egress: { allow: [new URL(receiver.url).host] },
  })
  t.after(() => rig.close())
  for (const text of texts) await rig.send(text)
  // Thresholds are told in the background.
  const thresholds = () => rig.events.filter(({ type }) => type === 'budget.threshold').length
  await until(() => thresholds() >= expected)
  await rig.send('the end')
  const alerts: GovernanceEvent[] = []
  while (alerts.at(-1)?.reason !== 'That is all') alerts.push((await receiver.next()).json as GovernanceEvent)
  return { alerts: alerts.slice(0, -1), rig }
}

const day = { scope: 'key', window: 'day' }

describe('one cause is one alert', () => {
  it('for a policy and a spent budget, the refusal saying why', async (t) => {
    const texts = ['Write to ann@example.com', 'The payroll export, please', 'Once more', 'And again']
    const { alerts } = await alertsOf(t, { ...day, unit: 'requests', limit: 1 }, texts)
    assert.deepEqual(
      alerts.map(({ type, policy }) => [type, policy]),
      [
        ['request.blocked', 'policy/payroll'],
        ['request.blocked', 'budget'],
      ],
    )
    assert.match(String(alerts[1]?.reason), /its only request is spent/)
  })

  it('for a budget of tokens, however many each request would need', async (t) => {
    const texts = ['One', 'one two three four five six seven', 'one two three four five six seven eight nine ten']
    const { alerts, rig } = await alertsOf(t, { ...day, unit: 'tokens', limit: 3 }, texts)
    const reasons = rig.events.filter(({ type, policy }) => type === 'request.blocked' && policy === 'budget')
    assert.ok(new Set(reasons.map(({ reason }) => reason)).size > 1, 'the reasons differ in their amounts')
    assert.deepEqual(
      alerts.map(({ type }) => type),
      ['request.blocked'],
    )
  })

  it('for what was found and redacted', async (t) => {
    const texts = ['Write to ann@example.com']
    const limit = { ...day, unit: 'requests', limit: 100 }
    const { alerts } = await alertsOf(t, limit, texts, { min_severity: 'detect' })
    assert.deepEqual(
      alerts.map(({ type }) => type),
      ['pii.detected'],
    )
  })

  it('and each threshold of a budget is one, with a reason', async (t) => {
    const limit = { ...day, unit: 'requests', limit: 5 }
    const { alerts } = await alertsOf(t, limit, ['1', '2', '3', '4', '5'], { min_severity: 'detect' }, 2)
    assert.deepEqual(
      alerts.filter(({ type }) => type === 'budget.threshold').map(({ reason }) => reason),
      [
        '80 % of the budget of key tester is used: 4 of 5 requests (key_requests_day, day).',
        '100 % of the budget of key tester is used: 5 of 5 requests (key_requests_day, day).',
      ],
    )
  })
})

describe('the group of an event', () => {
  const id = (reason: string) => groupOf({ type: 'a.b', key_id: 'k', reason } as never).id
  it('does not depend on amounts, times and places', () => {
    assert.equal(id('needs 24 tokens (key_1, day)'), id('needs 1,024.5 tokens (key_1, day)'))
    assert.equal(id('at 2026-11-23T00:00:00.000Z.'), id('at 2026-12-01T10:00:00.000Z.'))
    assert.equal(id('in messages[4].content[0].text'), id('in messages[12].content[1].text'))
  })
  it('depends on names and percentages', () => {
    assert.notEqual(id('by limit_1'), id('by limit_2'))
    assert.notEqual(id('by sk-1'), id('by sk-2'))
    assert.notEqual(id('80 % are used'), id('100 % are used'))
    assert.notEqual(id('80% are used'), id('90% are used'))
  })
})
