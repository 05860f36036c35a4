import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { parseOptions } from '../../../core/engine/config/validate.ts'
import { destinationsOf, throttleOf } from '../../../plugins/alerting/destinations.ts'
import { type AlertingSettings, schema } from '../../../plugins/alerting/schema.ts'
import { blocked } from './events.ts'

function parsed(options: object): AlertingSettings {
  const { value, problems } = parseOptions(schema, options, 'options')
  assert.deepEqual(problems, [])
  return value as AlertingSettings
}

const URL = 'https://hooks.example.com/x'
const DESTINATION = { name: 'team', url: URL }

describe('the options', () => {
  it('have defaults', () => {
    assert.deepEqual(parsed({}), {
      enabled: false,
      webhook_type: 'generic',
      min_severity: 'block',
      event_types: [],
      exclude_event_types: [],
      destinations: [],
      dedupe_window_seconds: 300,
      max_alerts_per_minute: 10,
      max_retries: 3,
      retry_backoff_seconds: 1,
      timeout_seconds: 10,
    })
    assert.deepEqual(parsed({ destinations: [DESTINATION] }).destinations, [
      { ...DESTINATION, type: 'generic', min_severity: 'block', event_types: [], exclude_event_types: [] },
    ])
  })

  it('reject invalid values', () => {
    const cases = [
      { webhook_url: 'ftp://example.com' },
      { webhook_type: 'email' },
      { max_alerts_per_minute: 61 },
      { dedupe_window_seconds: 0 },
      { quiet_hours: { from: '24:00', to: '07:00' } },
      { quiet_hours: { from: '22:00' } },
      { muted_until: 'tomorrow' },
      { destinations: [{ name: 'Team A', url: URL }] },
      { destinations: [{ name: 'a' }] },
      { filters: { classification: ['SECRET'] } },
      { filters: { team: ['a'] } },
      { event_types: ['Request.Blocked'] },
      { unknown: 1 },
    ]
    for (const options of cases) {
      assert.notEqual(parseOptions(schema, options, 'options').problems.length, 0, JSON.stringify(options))
    }
  })
})

describe('a destination', () => {
  const hears = (selection: object, more: Partial<GovernanceEvent> = {}): boolean => {
    const { destinations } = parsed({ destinations: [{ ...DESTINATION, ...selection }] })
    return destinationsOf({ destinations } as AlertingSettings)[0]!.concerns(blocked(more))
  }

  it('gets events of the minimum severity or higher', () => {
    const heard = (floor: string) =>
      (['info', 'detection', 'action', 'block'] as const).filter((severity) =>
        hears({ min_severity: floor }, { severity, type: 'any.event' }),
      )
    assert.deepEqual(heard('block'), ['block'])
    assert.deepEqual(heard('detect'), ['detection', 'action', 'block'])
    assert.deepEqual(heard('all'), ['info', 'detection', 'action', 'block'])
  })

  it('gets selected types, and never excluded ones', () => {
    assert.equal(hears({ event_types: ['request.blocked'] }), true)
    assert.equal(hears({ event_types: ['response.blocked'] }), false)
    assert.equal(hears({ exclude_event_types: ['request.blocked'] }), false)
    assert.equal(hears({ event_types: ['request.blocked'], exclude_event_types: ['request.blocked'] }), false)
  })

  it('gets only events with its keys, models and labels', () => {
    assert.equal(hears({ filters: { key: ['ap*'], model: ['gpt-*'], classification: ['RESTRICTED'] } }), true)
    assert.equal(hears({ filters: { key: ['other'] } }), false)
    assert.equal(hears({ filters: { model: ['claude-*'] } }), false)
    assert.equal(hears({ filters: { classification: ['PUBLIC'] } }), false)
    assert.equal(hears({ filters: { key: ['*'] } }, { key_id: null }), false, 'an event that belongs to no key')
  })

  it('never gets events about alerts', () => {
    assert.equal(hears({ min_severity: 'all' }, { type: 'alert.failed', severity: 'info' }), false)
  })

  it('is called default when it is the only one', () => {
    const names = destinationsOf(parsed({ webhook_url: URL, destinations: [DESTINATION] })).map(({ name }) => name)
    assert.deepEqual(names, ['default', 'team'])
  })
})

it('converts seconds in settings to milliseconds', () => {
  const settings = parsed({ dedupe_window_seconds: 60, muted_until: '2026-11-21T06:00:00+02:00' })
  const { windowMs, mutedUntil } = throttleOf(settings)
  assert.equal(windowMs, 60_000)
  assert.equal(mutedUntil, Date.parse('2026-11-21T04:00:00Z'))
})
