import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { linesOf } from '../../../../core/engine/util/lines.ts'
import { codePoint } from '../../../helpers/code-points.ts'

async function* pieces(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  let from = 0
  for (const cut of [...cuts.map((part) => part % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(from, cut)
    from = cut
  }
}

async function lines(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const found: string[] = []
  for await (const line of linesOf(pieces(Buffer.from(text), cuts))) found.push(line)
  return found
}

test('only a line feed ends a line, with or without a carriage return', async () => {
  assert.deepEqual(await lines('a\u2028b\u2029c\u0085d\re\nf\r\n\ng'), ['a\u2028b\u2029c\u0085d\re', 'f', '', 'g'])
  assert.deepEqual(await lines(''), [])
  assert.deepEqual(await lines('a\n'), ['a'])
})

test('whatever the pieces, JSON lines come back whole', async () => {
  const values = fc.array(fc.string({ unit: codePoint }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(values, fc.array(fc.nat(), { maxLength: 6 }), async (texts, cuts) => {
      const file = texts.map((text) => `${JSON.stringify(text)}\n`).join('')
      assert.deepEqual(
        (await lines(file, cuts)).map((line) => JSON.parse(line)),
        texts,
      )
    }),
  )
})
