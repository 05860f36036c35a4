/** What a library or the system says may end with a full stop; a message of the gateway has one. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { corrupt, fault } from '../../../../core/services/store/embedded/faults.ts'
import { failure } from '../../../../core/services/store/protocol.ts'

const told = (said: string): readonly string[] => [
  fault(new Error(said), '/data/store.db').message,
  corrupt('/data/store.db', said).message,
  String(failure(1, new Error(said))[3]),
]

describe('an error of the store has one full stop behind its reason', () => {
  for (const said of ['it broke', 'it broke.'])
    it(`that says "${said}"`, () => {
      for (const message of told(said)) assert.match(message, /: it broke\.(?: [A-Z]|$)/)
    })

  it('that is a question', () => {
    for (const message of told('is it there?')) assert.match(message, /: is it there\?(?: [A-Z]|$)/)
  })
})
