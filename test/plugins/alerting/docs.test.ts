import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import type { GovernanceEvent } from 'governed-gateway'
import { describeCore } from '../../../core/engine/events/description.ts'
import type { DigestEvent } from '../../../plugins/alerting/digest.ts'
import { render } from '../../../plugins/alerting/render/render.ts'

const page = readFileSync(new URL('../../../docs/alerting.md', import.meta.url), 'utf8')

/** The example below a heading of docs/alerting.md. */
function example(heading: string): unknown {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  return JSON.parse(/```json\n([\s\S]*?)\n```/.exec(section)?.[1] ?? 'null')
}

it('the examples of the docs are what the event on the same page becomes', () => {
  const event = example('Generic webhook') as GovernanceEvent
  const rendered = (type: 'slack' | 'teams') =>
    JSON.parse(render(event, { type, now: new Date(), describe: describeCore }).body)
  assert.deepEqual(rendered('slack'), example('Slack'))
  assert.deepEqual(rendered('teams'), example('Teams'))
})

it('the digest of the docs adds up', () => {
  const { count, causes, groups, others } = example('The digest') as DigestEvent
  assert.equal(
    Object.values(causes).reduce((sum, one) => sum + one, 0),
    count,
  )
  assert.equal(groups.reduce((sum, group) => sum + group.count, 0) + others, count)
})
