import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { COMMANDS, EXIT } from '../../core/gateway/cli/cli.ts'
import { blocksOf } from './page.ts'

/** The pages whose blocks are all executed, each by the test of its name. */
const PAGES = [
  'README.md',
  'docs/tour.md',
  'docs/clients.md',
  'docs/audit.md',
  'docs/alerting.md',
  'docs/operations.md',
  'docs/production.md',
  'docs/configuration.md',
]

/** How many blocks may be left out, of all pages together. */
const MOST_NOT_RUN = 4

/** Pictures, which nobody runs. */
const MOST_PICTURES = 2

it('few blocks are not run', () => {
  const blocks = PAGES.flatMap((page) => blocksOf(page))
  assert.ok(blocks.length > 10)
  assert.ok(blocks.filter(({ notRun }) => notRun !== undefined).length <= MOST_NOT_RUN)
  assert.ok(blocks.filter(({ language }) => language === 'text').length <= MOST_PICTURES)
})

it('docs/command-line.md lists every command and exit code', () => {
  const page = readFileSync(join(PACKAGE_ROOT, 'docs/command-line.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, text]) => text as string)
  for (const { name } of COMMANDS)
    assert.ok(
      rows.some((row) => row === name || row.startsWith(`${name} `)),
      name,
    )
  for (const code of Object.values(EXIT)) assert.match(page, new RegExp(`^\\| ${code} +\\|`, 'm'))
})
