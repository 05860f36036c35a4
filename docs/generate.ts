/**
 * Writes what is derived from code and data: config/schema.json, docs/errors.md, the table in docs/configuration.md, the table of confusable letters, and the
 * option and detector tables in plugins/<name>/README.md.
 * `npm run generate` writes; with `--check` nothing is written and stale files end it with exit code 1.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledSpecs } from '../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../core/engine/util/package.ts'
import { configSchema } from '../core/gateway/config/load.ts'
import { confusables } from './generate/confusables.ts'
import { readmeWithTypes } from './generate/detector-tables.ts'
import { detectorsPage } from './generate/detectors-page.ts'
import { editorSchema } from './generate/editor-schema.ts'
import { errorsPage } from './generate/errors-page.ts'
import { eventsPage } from './generate/events-page.ts'
import { readmeWithOptions, withOptions } from './generate/option-table.ts'

/** Every generated file, by its path in the package. */
export async function generate(): Promise<Map<string, string>> {
  const specs = await bundledSpecs()
  const files = new Map([
    // For editors alone: readable, it would be twice as large.
    ['config/schema.json', `${JSON.stringify(editorSchema(specs))}\n`],
    ['core/engine/text/confusables.ts', confusables()],
    ['docs/configuration.md', withOptions(configSchema, current('docs/configuration.md'))],
    ['docs/detectors.md', detectorsPage()],
    ['docs/errors.md', errorsPage(specs)],
    ['docs/events.md', eventsPage(specs)],
  ])
  for (const spec of specs) {
    const path = `plugins/${spec.name}/README.md`
    files.set(path, readmeWithTypes(spec.name, readmeWithOptions(spec, current(path))))
  }
  return files
}

/** The generated files that differ from what is on disk. */
export async function staleFiles(): Promise<Map<string, string>> {
  return new Map([...(await generate())].filter(([path, content]) => current(path) !== content))
}

function current(path: string): string {
  const file = join(PACKAGE_ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

async function main(args: readonly string[]): Promise<void> {
  const stale = await staleFiles()
  if (args.includes('--check')) {
    for (const path of stale.keys()) process.stderr.write(`${path} is stale: run npm run generate\n`)
    process.exitCode = stale.size === 0 ? 0 : 1
    return
  }
  for (const [path, content] of stale) {
    writeFileSync(join(PACKAGE_ROOT, path), content)
    process.stdout.write(`wrote ${path}\n`)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
