import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Severity } from 'governed-gateway'
import { selector } from '../../../plugins/siem/selection.ts'
import type { SiemSettings } from '../../../plugins/siem/settings.ts'
import { event } from './rig.ts'

type Filter = Partial<Pick<SiemSettings, 'severity_filter' | 'event_types' | 'exclude_event_types'>>
const ALL: Required<Filter> = { severity_filter: 'all', event_types: [], exclude_event_types: [] }
const selects = (filter: Filter) => selector({ ...ALL, ...filter }) ?? (() => true)

test('without filters, events are not inspected', () => {
  assert.equal(selector(ALL), undefined)
  const filters: Filter[] = [{ severity_filter: 'detection' }, { event_types: ['*'] }, { exclude_event_types: ['x'] }]
  for (const filter of filters) {
    assert.equal(typeof selector({ ...ALL, ...filter }), 'function')
  }
})

test('severity_filter selects its severity and higher ones', () => {
  const ladder: Severity[] = ['info', 'detection', 'action', 'block']
  const floors = { all: 0, detection: 1, action: 2, block: 3 } as const
  for (const [severity_filter, floor] of Object.entries(floors)) {
    const selected = selects({ severity_filter: severity_filter as keyof typeof floors })
    assert.deepEqual(
      ladder.map((severity) => selected(event('x', severity))),
      ladder.map((_, i) => i >= floor),
    )
  }
})

test('event_types includes, exclude_event_types wins, a * stands for any rest', () => {
  const cases: [Filter, string, boolean][] = [
    [{}, 'request.completed', true],
    [{ event_types: ['request.completed'] }, 'request.completed', true],
    [{ event_types: ['request.completed'] }, 'request.blocked', false],
    [{ event_types: ['request.*'] }, 'request.blocked', true],
    [{ event_types: ['request.*'] }, 'response.blocked', false],
    [{ event_types: ['*'] }, 'vendor.custom', true],
    [{ exclude_event_types: ['*'] }, 'vendor.custom', false],
    [{ event_types: ['request.*'], exclude_event_types: ['request.completed'] }, 'request.completed', false],
    [{ event_types: ['request.*'], exclude_event_types: ['request.completed'] }, 'request.blocked', true],
    [{ event_types: ['request'] }, 'request.blocked', false],
  ]
  for (const [filter, type, expected] of cases) {
    assert.equal(selects(filter)(event(type)), expected, `${JSON.stringify(filter)} ${type}`)
  }
})

test('severity is checked before types', () => {
  const selected = selects({ severity_filter: 'block', event_types: ['pii.detected', 'request.blocked'] })
  assert.equal(selected(event('pii.detected', 'detection')), false)
  assert.equal(selected(event('request.blocked', 'block')), true)
})
