/** What docs/production.md tells people to watch is there, under these names. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { CORE_CATALOGUE } from '../../core/engine/events/catalogue/core-events.ts'
import { bundledPlugins, loadPlugin } from '../../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { sources } from '../rules/sources.ts'

const page = readFileSync(join(PACKAGE_ROOT, 'docs/production.md'), 'utf8')
const [, watch = ''] = page.split('\n## Watch\n')
const code = sources(['core', 'plugins'], /\.ts$/)
  .map(({ text }) => text)
  .join('\n')

/** First cells of the table whose head begins so. */
function firstCells(head: string): string[] {
  const from = watch.split('\n').findIndex((line) => line.startsWith(`| ${head}`))
  assert.ok(from >= 0, head)
  const rows = watch.split('\n').slice(from + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? row)
}

it('reasons of readiness: all there are', () => {
  const declared = /With `unavailable`: (.+?)\. \*\//.exec(code)
  const known = [...(declared?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string)
  assert.ok(known.length > 4)
  assert.deepEqual(firstCells('`reason` of readiness').sort(), known.sort())
})

it('events', async () => {
  const events = new Set(Object.keys(CORE_CATALOGUE))
  for (const name of bundledPlugins()) {
    for (const type of Object.keys((await loadPlugin(name, PACKAGE_ROOT)).events ?? {})) events.add(type)
  }
  for (const type of firstCells('Event')) assert.ok(events.has(type), type)
})

it('lines of the log, and routes', () => {
  for (const line of firstCells('Line of the log')) assert.ok(code.includes(`'${line}'`), line)
  for (const route of firstCells('Route')) {
    const last = route.split('/').slice(3).join('/')
    assert.ok(code.includes(route) || code.includes(`/${last.split('/').at(-1)}\``), route)
  }
})

it('members of the export’s status', () => {
  const row = watch.split('\n').find((line) => line.includes('/siem/status')) ?? ''
  const members = [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name as string)
  assert.ok(members.length > 5)
  for (const name of members) assert.match(code, new RegExp(`^ +(readonly )?${name}\\b[:,]`, 'm'))
})
