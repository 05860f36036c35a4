/** Ids of events sort by the time of their making, whoever makes them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { PACKAGE_ROOT } from '../../../../core/engine/util/package.ts'

const FILE = pathToFileURL(join(PACKAGE_ROOT, 'core/engine/util/uuid.ts')).href
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const made = (before: string): string[] => {
  const script = `
    import crypto from 'node:crypto'
    import { syncBuiltinESMExports } from 'node:module'
    ${before}
    syncBuiltinESMExports()
    const { uuid } = await import(${JSON.stringify(FILE)})
    process.stdout.write(JSON.stringify(Array.from({ length: 2000 }, () => uuid())))
  `
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }))
}

for (const [name, before] of [
  ['by Node', ''],
  ['by the package, where Node makes none', 'crypto.randomUUIDv7 = undefined'],
] as const) {
  it(`is different each time and begins with the time, made ${name}`, () => {
    const now = Date.now()
    const ids = made(before)
    assert.equal(new Set(ids).size, ids.length)
    const times = ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    )
    for (const id of ids) assert.match(id, VERSION_7)
    assert.ok(times.every((time) => time >= now && time <= Date.now() + 1))
  })
}
