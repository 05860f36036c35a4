import assert from 'node:assert/strict'
import { dirname, join, normalize } from 'node:path'
import { it } from 'node:test'
import { importsOf, type Source, sources, typeImportsOf } from './sources.ts'

/** Which layers of `core` a layer may import. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  engine: ['engine'],
  services: ['engine', 'services'],
  kit: ['engine', 'kit'],
  gateway: ['engine', 'services', 'kit', 'gateway'],
  testing: ['engine', 'services', 'kit', 'gateway', 'testing'],
}

/** Rooms of the engine from the ground up: each imports only itself and those before it. */
const ROOMS =
  'util contract egress json text dialects config events access exchange upstreams relay pipeline http host'.split(' ')

const files = sources(['core'], /\.ts$/)
const all = [...files, ...sources(['plugins'], /\.ts$/)]

/** The layer and the room of a file of core; undefined for the public faces that lie loose in it. */
function placeOf(path: string): { readonly layer: string; readonly room: string } | undefined {
  const [, layer = '', room = '', rest] = path.split('/')
  return layer in LAYERS ? { layer, room: rest === undefined ? '' : room } : undefined
}

const targetsOf = (path: string, specifiers: readonly string[]): string[] =>
  specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(path), specifier)))

/** Imports that go up: `a -> b`. */
function upward(given: readonly Source[]): string[] {
  return given.flatMap((file) => {
    const from = placeOf(file.path)
    if (from === undefined) return []
    const types = new Set(targetsOf(file.path, typeImportsOf(file)))
    return targetsOf(file.path, importsOf(file))
      .filter((target) => {
        const to = placeOf(target)
        if (to === undefined || !LAYERS[from.layer]!.includes(to.layer)) return true
        if (from.layer !== 'engine' || ROOMS.indexOf(to.room) <= ROOMS.indexOf(from.room)) return false
        // What has no state of its own may still speak of the contract.
        return !(from.room === 'util' && to.room === 'contract' && types.has(target))
      })
      .map((target) => `${file.path} -> ${target}`)
  })
}

/** Files that import each other, however far around; types count. */
function cycles(given: readonly Source[]): string[][] {
  const graph = new Map(given.map((file) => [file.path, targetsOf(file.path, importsOf(file))]))
  const state = new Map<string, 'open' | 'done'>()
  const found: string[][] = []
  const visit = (path: string, way: readonly string[]): void => {
    if (state.get(path) === 'open') found.push(way.slice(way.indexOf(path)))
    if (state.has(path) || !graph.has(path)) return
    state.set(path, 'open')
    for (const target of graph.get(path) ?? []) visit(target, [...way, target])
    state.set(path, 'done')
  }
  for (const path of graph.keys()) visit(path, [path])
  return found
}

it('every file of core is in a layer, and every one of the engine in a room', () => {
  const loose = files.filter(({ path }) => {
    const place = placeOf(path)
    if (place === undefined) return path !== 'core/index.ts'
    return place.layer === 'engine' && !ROOMS.includes(place.room)
  })
  assert.deepEqual(
    loose.map(({ path }) => path),
    [],
  )
})

it('imports lead down: from the gateway to services to the engine, and within the engine from room to room', () => {
  assert.deepEqual(upward(files), [])
})

it('no files import each other in a circle, types included', () => {
  assert.deepEqual(cycles(all), [])
})

it('these rules see what they forbid', () => {
  const file = (path: string, text: string): Source => ({ path, text })
  const up = [
    file('core/engine/json/a.ts', "import { b } from '../text/b.ts'\n"),
    file('core/engine/host/a.ts', "import type { Store } from '../../services/store/open.ts'\n"),
    file('core/kit/a.ts', "export { b } from '../services/b.ts'\n"),
    file('core/engine/util/a.ts', "import { errors } from '../contract/errors.ts'\n"),
    file('core/engine/util/b.ts', "import type { Log } from '../contract/plugin.ts'\n"),
    file('core/engine/host/c.ts', "const { cli } = await import('../../gateway/cli/cli.ts')\n"),
  ]
  assert.deepEqual(upward(up), [
    'core/engine/json/a.ts -> core/engine/text/b.ts',
    'core/engine/host/a.ts -> core/services/store/open.ts',
    'core/kit/a.ts -> core/services/b.ts',
    'core/engine/util/a.ts -> core/engine/contract/errors.ts',
    'core/engine/host/c.ts -> core/gateway/cli/cli.ts',
  ])
  const around = ['a', 'b', 'c'].map((name, i, names) =>
    file(`core/kit/${name}.ts`, `import type { X } from './${names[(i + 1) % 3]}.ts'\n`),
  )
  assert.deepEqual(cycles(around), [['core/kit/a.ts', 'core/kit/b.ts', 'core/kit/c.ts', 'core/kit/a.ts']])
})
