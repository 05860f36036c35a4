/** The reader reads every spelling that the generator writes: else a class would hold whatever the gateway does. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assemble } from './assemble.ts'
import { canRead } from './reader.ts'
import { READING_NAMES, write } from './readings.ts'
import { KINDS, makeCanary } from './values.ts'

it('reads each kind of value in each spelling', () => {
  const blind: string[] = []
  for (const kind of KINDS) {
    for (const reading of READING_NAMES) {
      const { value, needles } = makeCanary(kind, 77)
      if (!canRead(`I note ${write(reading, value, 5)} for later`, needles)) blind.push(`${kind} ${reading}`)
    }
  }
  assert.deepEqual(blind, [])
})

it('reads nothing where there is nothing', () => {
  for (const kind of KINDS) {
    const { needles } = makeCanary(kind, 77)
    assert.equal(canRead(`I note ${makeCanary(kind, 78).value} and [${kind.toUpperCase()}] for later`, needles), false)
  }
})

it('joins the numbers of a delta to its texts, as clients do', () => {
  const events = ['Card 4111', 11111111, 1111, '.'].map((content) => ({ choices: [{ index: 0, delta: { content } }] }))
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  assert.equal(assemble(body, true).texts.get('.choices[0].delta.content'), 'Card 4111111111111111.')
})
