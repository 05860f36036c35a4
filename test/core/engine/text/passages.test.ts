import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../../../../core/engine/json/fields.ts'
import { groupIntoPassages, Passage, type PassageText } from '../../../../core/engine/text/passages.ts'

const textOf = (raw: string): PassageText => ({
  raw,
  text: raw,
  hides: false,
  place: '',
  path: '',
  passage: undefined,
  indexInPassage: 0,
})

function passagesOf(texts: readonly [text: string, ...path: (string | number)[]][]): Map<Passage | undefined, number> {
  const views = texts.map(([text]) => textOf(text))
  groupIntoPassages(
    texts.map(([text, ...path]) => ({ text, path }) as unknown as Field),
    views,
  )
  const sizes = new Map<Passage | undefined, number>()
  for (const { passage } of views) sizes.set(passage, (sizes.get(passage) ?? 0) + 1)
  return sizes
}

test('short elements of a list share passages of at most 256; long ones and parts of objects have their own', () => {
  const short = Array.from({ length: 1000 }, (_, i) => ['hello you', 'input', i] as const)
  const sizes = passagesOf(short.map((one) => [...one]))
  assert.deepEqual([...sizes.values()], [256, 256, 256, 232])
  const long = Array.from({ length: 10 }, (_, i) => ['hello you '.repeat(9), 'input', i] as [string, string, number])
  assert.equal(passagesOf(long).size, 10)
  const parts = Array.from({ length: 10 }, (_, i) => ['hello', 'tools', i, 'name'] as [string, string, number, string])
  assert.equal(passagesOf(parts).size, 10)
})

test('a text made of others adds nothing to what a passage is known by', () => {
  const passage = new Passage()
  const [a, made, b] = [textOf('a'), textOf('ab'), textOf('b')]
  passage.add(a, true)
  assert.deepEqual(passage.sources, [a])
  passage.add(made, false)
  passage.add(b, true)
  assert.deepEqual(passage.views, [a, made, b])
  assert.deepEqual(passage.sources, [a, b])
  assert.equal(b.indexInPassage, 2)
  passage.fill([b])
  assert.deepEqual([passage.views, passage.sources], [[b], [b]])
})
