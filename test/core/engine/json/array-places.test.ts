import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arrayPlaces } from '../../../../core/engine/json/array-places.ts'

const MEMBERS = new Set(['messages', 'tools'])

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What confuses a reader that begins in the middle: brackets, quotes and backslashes in strings, bytes beyond ASCII. */
const PIECES = ['a', ' ', '}', ']', '{"', '\\', '\\"', '"', ',', 'é', '😀', '\n', '[0', 'x'.repeat(90)]
const BLANKS = ['', '', '', ' ', '\n', '\t \r\n']

/** A body as text, with its arrays as they stand in it. */
function bodyOf(seed: number) {
  const next = random(seed)
  const pick = (from: readonly string[]) => from[next(from.length)] as string
  // Around the sizes of what is read at once.
  const sizes = [0, 3, 20, 200, 1000, 3000]
  const text = () => Array.from({ length: next(sizes[next(sizes.length)] as number) / 8 }, () => pick(PIECES)).join('')
  const element = () => JSON.stringify({ role: 'user', content: text(), parts: [{ text: text() }, [], {}, 1, null] })
  const list = (length: number) => Array.from({ length }, element)
  const arrays: Record<string, string[]> = { messages: list(next(9)), tools: list(next(4)) }
  const array = (name: string) => {
    const elements = (arrays[name] as string[]).map((one) => `${pick(BLANKS)}${one}${pick(BLANKS)}`)
    return `"${name}"${pick(BLANKS)}:${pick(BLANKS)}[${elements.join(',') || pick(BLANKS)}]`
  }
  const other = (i: number) => {
    const values = [text(), -1.5e3, true, null, [{ text: text() }], { messages: [{ a: text() }] }]
    return `"${pick(['m', 'x\\"', 'é\\\\'])}${i}":${pick(BLANKS)}${JSON.stringify(values[next(values.length)])}`
  }
  const members = [array('messages'), array('tools'), other(1), other(2)]
  for (let i = members.length - 1; i > 0; i--) members.push(...members.splice(next(i + 1), 1))
  return { text: `${pick(BLANKS)}{${members.map((one) => pick(BLANKS) + one + pick(BLANKS)).join(',')}}`, arrays }
}

const nothing = () => undefined

describe('places of the arrays of a body', () => {
  it('are those of its elements, whatever is around them', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const { text, arrays } = bodyOf(seed)
      assert.deepEqual(Object.keys(JSON.parse(text)).length, 4)
      const body = Buffer.from(text)
      const found = arrayPlaces(body, MEMBERS, nothing)
      for (const [name, elements] of Object.entries(arrays)) {
        const { start = 0, ranges = [] } = found?.get(name) ?? {}
        const told = elements.map((_, i) =>
          body.toString('utf8', start + (ranges[2 * i] as number), start + (ranges[2 * i + 1] as number)),
        )
        assert.deepEqual(told, elements, `seed ${seed}, ${name}`)
        assert.equal(ranges.length, 2 * elements.length, `seed ${seed}, ${name}`)
      }
    }
  })

  it('are the same with some elements known, which are not read', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const next = random(seed)
      const body = Buffer.from(bodyOf(seed).text)
      const all = arrayPlaces(body, MEMBERS, nothing)
      const blanked = Buffer.from(body)
      const find = (member: string) => {
        const { start, ranges } = all?.get(member) ?? { start: 0, ranges: [] }
        const known = ranges.slice(0, 2 * next(ranges.length / 2 + 1))
        // No reader can tell what these bytes were.
        for (let i = 0; i < known.length; i += 2)
          blanked.fill(1, start + (known[i] as number) + 1, start + (known[i + 1] as number))
        return known.length === 0 ? undefined : { ranges: known }
      }
      const found = arrayPlaces(blanked, MEMBERS, find)
      const placesOf = (one: typeof all | typeof found) =>
        [...(one ?? [])].map(([name, { start, ranges }]) => [name, start, ...ranges])
      assert.deepEqual(placesOf(found), placesOf(all), `seed ${seed}`)
    }
  })

  it('of a body that ends too early are unknown', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const next = random(seed)
      const body = Buffer.from(bodyOf(seed).text.trimEnd())
      for (let i = 0; i < 40; i++) {
        const part = body.subarray(0, next(body.length))
        assert.equal(arrayPlaces(part, MEMBERS, nothing), undefined, `seed ${seed}, ${part.length} bytes`)
      }
    }
  })

  it('are found wherever another value ends', () => {
    // At each byte around the end of what is read at once.
    for (let length = 480; length < 540; length++) {
      for (const value of ['-1234567.5', 'false', '"x\\\\"', '"\\""', '[[],"]"]']) {
        const body = Buffer.from(`{"m":"${'x'.repeat(length)}","n":${value},"messages":[{"a":1}]}`)
        assert.deepEqual(arrayPlaces(body, MEMBERS, nothing)?.get('messages')?.ranges, [0, 7], `${length}, ${value}`)
      }
    }
  })

  it('are unknown if an array comes twice, or has more than objects', () => {
    for (const text of [
      '{"messages":[{}],"messages":[{}]}',
      '{"messages":[{},1]}',
      '{"messages":[{}{}]}',
      '[{"messages":[{}]}]',
      '{"messages" [{}]}',
    ])
      assert.equal(arrayPlaces(Buffer.from(text), MEMBERS, nothing), undefined, text)
  })
})
