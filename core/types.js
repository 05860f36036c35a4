/**
 * Makes the types in `dist/`. Comments stay where plugin authors read them: at the contract, the kit and the tools for
 * tests. The types of schemas do not need the descriptions, which are a third of them.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READ = /^core\/(index\.d\.ts|kit\/|testing\/|engine\/contract\/)/

execFileSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
const types = readdirSync(join(ROOT, 'dist'), { recursive: true }).filter((file) => file.endsWith('.d.ts'))
for (const file of types) {
  const path = join(ROOT, 'dist', file)
  const text = readFileSync(path, 'utf8')
  const bare = text.replace(/^ *readonly description: (['"`]).*\1;\n/gm, '')
  writeFileSync(path, READ.test(file) ? bare : bare.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ''))
}
