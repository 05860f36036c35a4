/** Outside of exchanges: what an event, a config or a file costs grows with its size and no faster. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { GovernanceEvent } from '../../../core/engine/contract/plugin.ts'
import { describeCore } from '../../../core/engine/events/description.ts'
import { ConfigError, parseConfig } from '../../../core/gateway/config/load.ts'
import { encode, eventSource } from '../../../core/kit/formats/index.ts'
import { render } from '../../../plugins/alerting/render/render.ts'
import { costOf } from '../../helpers/thread-time.ts'
import { blocked } from '../../plugins/alerting/events.ts'
import { growingPause, judge } from './judge.ts'

const LIMITS = { factor: 2, rounds: 2, mostRounds: 12, pause: growingPause }
const NAMES = eventSource({ source_name: 'gateway', environment: 'test' })

/** Events with much in them, of about a given size. */
const EVENTS: Readonly<Record<string, (size: number) => GovernanceEvent>> = {
  'a long reason': (size) => blocked({ reason: 'x=|\\\n "<&> '.repeat(size / 12) } as Partial<GovernanceEvent>),
  'many detections': (size) =>
    blocked({
      detections: Array.from({ length: size / 60 }, (_, i) => ({ type: `type_${i}`, count: i, action: 'redact' })),
    } as Partial<GovernanceEvent>),
  'many members': (size) =>
    blocked(Object.fromEntries(Array.from({ length: size / 20 }, (_, i) => [`member_${i}`, i])) as never),
}
const now = new Date('2026-11-21T04:00:01.000Z')
const FORMATS: Readonly<Record<string, (event: GovernanceEvent) => unknown>> = {
  json: (event) => encode('json', event, NAMES),
  cef: (event) => encode('cef', event, NAMES),
  ocsf: (event) => encode('ocsf', event, NAMES),
  slack: (event) => render(event, { type: 'slack', now, describe: describeCore }).body,
  teams: (event) => render(event, { type: 'teams', now, describe: describeCore }).body,
  generic: (event) => render(event, { type: 'generic', now, describe: describeCore }).body,
}

const grows = <T>(make: (size: number) => T, run: (made: T) => unknown, sizes: readonly [number, number]) =>
  judge(
    (bytes) => {
      const made = make(bytes)
      const cpu = costOf(() => void run(made))
      return { bytes, cpu, pause: 0 }
    },
    sizes,
    LIMITS,
  )

describe('an event grows linearly', () => {
  for (const [format, run] of Object.entries(FORMATS)) {
    for (const [shape, make] of Object.entries(EVENTS)) {
      it(`as ${format}: ${shape}`, async () => {
        assert.equal(await grows(make, run, [100_000, 300_000]), undefined)
      })
    }
  }
})

/** Configs, read to their end whether they are refused or not. */
const CONFIGS: Readonly<Record<string, (size: number) => string>> = {
  'many upstreams': (size) =>
    `upstreams:\n${Array.from({ length: size / 40 }, (_, i) => `  up${i}: { url: "https://a${i}.example.org" }`).join('\n')}`,
  'many unknown keys': (size) => `listen:\n${Array.from({ length: size / 14 }, (_, i) => `  key${i}: 1`).join('\n')}`,
  'many keys': (size) =>
    `keys:\n${Array.from({ length: size / 60 }, (_, i) => `  - { id: k${i}, key: sk-test-key-${i}-0123456789 }`).join('\n')}`,
}

describe('a config grows linearly', () => {
  for (const [shape, make] of Object.entries(CONFIGS)) {
    it(shape, async () => {
      const read = (text: string) => {
        try {
          parseConfig(text, 'growth', {})
        } catch (cause) {
          assert.ok(cause instanceof ConfigError, String(cause))
        }
      }
      assert.equal(await grows(make, read, [20_000, 60_000]), undefined)
    })
  }
})
