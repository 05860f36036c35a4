/**
 * Makes the types in `dist/`: those that the entries of the package lead to. Comments stay where plugin authors read them: at the contract, the kit and the tools for
 * tests. The types of schemas do not need the descriptions, which are a third of them.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ENTRIES = ['core/index.d.ts', 'core/kit/index.d.ts', 'core/testing/index.d.ts']
const READ = /^core\/(index\.d\.ts|kit\/|testing\/|engine\/contract\/)/

execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
const reached = new Set(ENTRIES)
for (const file of reached) {
  const text = readFileSync(join(ROOT, 'dist', file), 'utf8')
  for (const [, path] of text.matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g)) {
    reached.add(`${join(dirname(file), path)}.d.ts`)
  }
  const bare = text.replace(/^ *readonly description: (['"`]).*\1;\n/gm, '')
  writeFileSync(join(ROOT, 'dist', file), READ.test(file) ? bare : bare.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ''))
}
for (const file of readdirSync(join(ROOT, 'dist'), { recursive: true })) {
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(join(ROOT, 'dist', file))
}
