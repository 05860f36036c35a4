import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'

export interface Source {
  /** Relative to the package, with forward slashes. */
  path: string
  text: string
}

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git'])

/** Every file below some folders of the package whose name ends as asked. */
export function sources(folders: readonly string[], ending: RegExp): Source[] {
  return folders
    .flatMap((folder) => walk(join(PACKAGE_ROOT, folder)))
    .flatMap((file) => {
      const path = relative(PACKAGE_ROOT, file)
      return ending.test(path) ? [{ path, text: readFileSync(file, 'utf8') }] : []
    })
}

function walk(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: false })
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : walk(path)
    return entry.isFile() ? [path] : []
  })
}

/** What a module imports, by `import`, `export … from` and `import()` with a literal. */
export function importsOf({ text }: Source): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const statements = code.matchAll(/^(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm)
  const calls = code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  return [...statements, ...calls].map((match) => (match[1] ?? match[2])!)
}

/** Those of them that are for types alone. */
export function typeImportsOf({ text }: Source): string[] {
  return [...text.matchAll(/^(?:import|export) type\b[^'"`;]*?from\s*['"]([^'"]+)['"]/gm)].map(
    ([, specifier]) => specifier!,
  )
}

/** Relative targets of the links of a page, without those in code. */
export function linksOf({ text }: Pick<Source, 'text'>): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map((match) => match[1] as string)
  return targets.filter((target) => !/^[a-z]+:/.test(target))
}
