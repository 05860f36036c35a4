import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import type { FlagSpec, PluginSpec } from '../../core/engine/contract/plugin.ts'
import { bundledPlugins, loadPlugin } from '../../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { linksOf, type Source, sources } from './sources.ts'

const README: Source = { path: 'README.md', text: readFileSync(join(PACKAGE_ROOT, 'README.md'), 'utf8') }

const specs: PluginSpec[] = []
for (const name of bundledPlugins()) specs.push(await loadPlugin(name, PACKAGE_ROOT))

it('the plugin table lists the bundled plugins as they describe themselves', () => {
  const expected = specs.map(({ name, description }) => [`[${name}](plugins/${name}/)`, description ?? ''])
  assert.deepEqual(tableUnder('Plugins'), expected)
})

it('the flag table lists the flags that plugins declare', () => {
  const expected = specs.flatMap((spec) =>
    Object.entries(spec.flags ?? {}).map(([name, flag]) => [
      code(name),
      valuesOf(flag),
      withoutIt(spec, flag),
      spec.name,
    ]),
  )
  assert.deepEqual(tableUnder('Flags'), expected)
})

it('relative links resolve', () => {
  const broken: string[] = []
  for (const page of [README, ...sources(['docs', 'plugins'], /\.md$/)]) {
    for (const target of linksOf(page)) {
      const [path = '', heading] = target.split('#')
      const file = path === '' ? page.path : join(dirname(page.path), path)
      if (!existsSync(join(PACKAGE_ROOT, file)) || !hasHeading(file, heading)) broken.push(`${page.path}: ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})

it('names of tests are files', () => {
  const pages = [README, ...sources(['docs', 'plugins'], /\.md$/)]
  const named = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, file]) => [path, file]),
  )
  assert.ok(named.length > 30)
  assert.deepEqual(
    named.filter(([, file]) => !existsSync(join(PACKAGE_ROOT, String(file)))),
    [],
  )
})

const code = (text: string): string => `\`${text}\``

/** `off`, `monitor` (also `observe`), …: aliases stand behind the value they mean. */
function valuesOf({ values, integer, aliases = {} }: FlagSpec): string {
  if (values === 'integer') return 'a whole number'
  const told = values.map((value) => {
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === value)
    return others.length === 0 ? code(value) : `${code(value)} (also ${others.map(code).join(', ')})`
  })
  return [...told, ...(integer === true ? ['a whole number'] : [])].join(', ')
}

function withoutIt({ name, schema }: PluginSpec, { default: value, option }: FlagSpec): string {
  if (option === undefined) return value === undefined ? 'none' : code(String(value))
  const { properties } = schema as { properties?: Record<string, { default?: unknown }> }
  return `option ${code(option)} of ${name}, ${code(String(properties?.[option]?.default ?? value))}`
}

/** Cells of the first table below a heading of the README, without its head. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = README.text.split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] as string).split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

function hasHeading(path: string, heading: string | undefined): boolean {
  if (heading === undefined) return true
  const text = readFileSync(join(PACKAGE_ROOT, path), 'utf8')
  const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return slugs.includes(heading)
}
