/** V8's space for young objects stays small during a start, and grows with the load afterwards, up to a bound. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { PACKAGE_ROOT } from '../../../core/engine/util/package.ts'

const source = (name: string): string => pathToFileURL(join(PACKAGE_ROOT, `core/gateway/${name}.ts`)).href

const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { setHeapFlags, setServingFlags } from ${JSON.stringify(source('heap-flags'))}
  import { setImmediate as nextTurn } from 'node:timers/promises'
  const megabytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1e6
  const work = () => {
    const kept = []
    for (let i = 0; i < 100_000; i++) {
      kept.push({ i, list: [i] })
      if (i % 3 !== 0) kept.pop()
    }
    return kept.length
  }
  setHeapFlags()
  work()
  const small = megabytes()
  setServingFlags()
  let large = small
  for (let i = 0; i < 30; i++) {
    work()
    await nextTurn()
    large = Math.max(large, megabytes())
  }
  process.stdout.write(JSON.stringify({ small, large }))
`

it('is small until the gateway listens, and may then grow up to a bound', () => {
  const args = ['--input-type=module', '--eval', SCRIPT]
  const { small, large } = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  assert.ok(small < 8, `${small} MB`)
  // Without the bound it would reach 134 MB.
  assert.ok(large > 30 && large < 70, `${small} MB, then ${large} MB`)
})
