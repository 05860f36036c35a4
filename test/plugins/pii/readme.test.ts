import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { DETECTORS } from '../../../plugins/pii/detectors/index.ts'
import { personName } from '../../../plugins/pii/detectors/person-name.ts'
import type { Detector } from '../../../plugins/pii/engine/detector.ts'

/** One line for each type, as the README shows it. */
function rows(): string[] {
  const types = new Map<string, Detector[]>()
  for (const detector of [...DETECTORS, personName]) {
    types.set(detector.type, [...(types.get(detector.type) ?? []), detector])
  }
  return [...types].map(([type, detectors]) => {
    const { title, level } = detectors[0]!
    const countries = new Set(detectors.map((detector) => detector.region))
    const country = countries.size === 1 ? (detectors[0]!.region ?? '') : ''
    return `| \`${type}\` | ${title} | ${country} | ${level} | ${detectors.map(({ check }) => check).join('; ')} |`
  })
}

it('the README lists every type as it is', () => {
  const readme = readFileSync(new URL('../../../plugins/pii/README.md', import.meta.url), 'utf8')
  const table = readme.slice(readme.indexOf('<!-- types -->'), readme.indexOf('<!-- /types -->'))
  const listed = table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replace(/ +\|/g, ' |').replace(/\| +/g, '| '))
  assert.deepEqual(
    listed,
    rows().map((row) => row.replace(/ +\|/g, ' |').replace(/\| +/g, '| ')),
    `the table should read\n${rows().join('\n')}\n`,
  )
})
