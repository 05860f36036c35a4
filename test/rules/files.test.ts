import assert from 'node:assert/strict'
import { basename, matchesGlob } from 'node:path'
import { it } from 'node:test'
import { ALONE } from '../alone.ts'
import { sources } from './sources.ts'

const MAX_LINES = 400
const code = sources(['core', 'plugins', 'docs', 'test'], /\.(ts|js)$/)
const text = sources(['core', 'plugins', 'docs', 'test', 'config'], /\.(ts|js|md|yaml|json)$/)
const isFixture = ({ path }: { path: string }) => path.startsWith('test/fixtures/')

it(`no source file has more than ${MAX_LINES} lines`, () => {
  const long = code.map((file) => ({ path: file.path, lines: file.text.split('\n').length - 1 }))
  assert.deepEqual(
    long.filter((file) => file.lines > MAX_LINES),
    [],
  )
})

it('file names are kebab-case', () => {
  const odd = code.filter(
    (file) => !isFixture(file) && !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.(ts|js)$/.test(basename(file.path)),
  )
  assert.deepEqual(
    odd.map(({ path }) => path),
    [],
  )
})

it('no test is skipped or runs alone, and nothing is left to do', () => {
  const marks = new RegExp(
    ['\\b(it|test|describe|t)\\.(only|skip|to', 'do)\\b|\\bTO', 'DO\\b|\\bFIX', 'ME\\b'].join(''),
  )
  assert.deepEqual(
    code.filter((file) => !isFixture(file) && marks.test(file.text)).map(({ path }) => path),
    [],
  )
})

it('no file names a path of the machine it was written on', () => {
  const marks = new RegExp(['(^|[\\s\'"`(])/(wo', 'rk|root|home/[a-z]+|tmp/wt)/|\\.\\./sha', 'red/'].join(''), 'm')
  assert.deepEqual(
    text.filter((file) => !isFixture(file) && marks.test(file.text)).map(({ path }) => path),
    [],
  )
})

it('test files that share a process leave it alone', () => {
  const touches = /^(beforeEach|afterEach)\(|\bprocess\.(emit|chdir|exit|umask)\(|\bprocess\.exitCode =/m
  const sharing = code.filter(
    ({ path }) =>
      path.endsWith('.test.ts') && !ALONE.some((glob) => matchesGlob(path, glob)) && !path.includes('rules/'),
  )
  assert.ok(sharing.length > 100)
  assert.deepEqual(
    sharing.filter(({ text }) => touches.test(text)).map(({ path }) => path),
    [],
  )
})
