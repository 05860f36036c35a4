import assert from 'node:assert/strict'
import { it } from 'node:test'
import { invisibleEnd } from '../../../../core/engine/text/char-kinds.ts'
import { codePointAt } from '../../../../core/engine/text/code-points.ts'
import { hiddenFrom } from '../../../../core/engine/text/hidden.ts'
import { sources } from '../../../rules/sources.ts'

const SELECTOR = '\u{e0155}'
/** Flat, so that a slice of it is a view of the same characters. */
const whole = JSON.parse(JSON.stringify(`And ${SELECTOR.repeat(40)}`)) as string
const cut = whole.slice(0, -1)
/** Calls after which V8 has compiled a function. */
const HOT = 100_000

it('a slice that ends within a character has only half of it, however often it is read', () => {
  const seen = new Set<number>()
  for (let i = 0; i < HOT; i++) seen.add(codePointAt(cut, cut.length - 1))
  assert.deepEqual([...seen], [0xdb40])
  assert.deepEqual([codePointAt(cut, 4), codePointAt(cut, 5), codePointAt(cut, 0)], [0xe0155, 0xdd55, 0x41])
  assert.ok(Number.isNaN(codePointAt(cut, cut.length)))
  for (let c = 0; c <= 0x10ffff; c += 251) assert.equal(codePointAt(String.fromCodePoint(c), 0), c)
})

it('invisible characters of such a slice end before the half, and are hidden text', () => {
  const seen = new Set<string>()
  // Each call reads forty of them.
  for (let i = 0; i < HOT / 10; i++) {
    const end = invisibleEnd(cut, 4)
    seen.add(`${hiddenFrom(cut, 4, end, '')} ${end}`)
  }
  assert.deepEqual([...seen], [`4 ${cut.length - 1}`])
})

it('nothing in the gateway reads characters as V8 does, except the first of a text', () => {
  const lines = sources(['core', 'plugins'], /\.(?:ts|js)$/).flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (/\.codePointAt\((?!0\))/.test(line) ? [`${path}: ${line.trim()}`] : [])),
  )
  assert.deepEqual(lines, [])
})
