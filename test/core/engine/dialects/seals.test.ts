/** Only what looks like random base64 goes uninspected where seals belong. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSealed } from '../../../../core/engine/dialects/seals.ts'
import { KINDS } from '../../../../plugins/secrets/kinds/index.ts'
import { bytes, KEYS, SEAL, WORDED } from '../../../helpers/seals.ts'

describe('a seal', () => {
  it('is base64 of random bytes, in either alphabet, also with an id in its envelope', () => {
    const id = Buffer.from('2b449bff-e6a1-4c2e-9d1b-8a3f4c5d6e7f')
    const envelope = Buffer.concat([Buffer.from([18, 140, 1, 10, 34, 36]), id, bytes(95)])
    for (const text of [SEAL, bytes(181).toString('base64'), bytes(400).toString('base64url')])
      assert.ok(isSealed(text), text)
    assert.ok(isSealed(envelope.toString('base64')))
  })

  it('is recognised nearly always', () => {
    for (const alphabet of ['base64', 'base64url'] as const) {
      let refused = 0
      for (let i = 0; i < 1000; i++) if (!isSealed(bytes(300, `${i}`).toString(alphabet))) refused++
      assert.ok(refused < 50, `${alphabet}: ${refused}`)
    }
  })

  for (const [name, text] of Object.entries({ ...KEYS, ...WORDED }))
    it(`is not: ${name}`, () => {
      assert.ok(!isSealed(text))
    })

  for (const [name, text] of Object.entries({
    'a short text': SEAL.slice(0, 40),
    'both alphabets': `${SEAL}-`,
    'one kind of letters': SEAL.toLowerCase(),
    'a word inside': `${SEAL.slice(0, 80)}/directory/${SEAL.slice(80)}`,
    'two short words inside': `${SEAL.slice(0, 80)}/anna/berg/${SEAL.slice(80)}`,
    'a number inside': `${SEAL.slice(0, 80)}411111111111${SEAL.slice(80)}`,
    'a number in groups': `${SEAL.slice(0, 80)}/4111/1111/1111/1111/${SEAL.slice(80)}`,
    'a key inside': `${bytes(60).toString('base64url')}-${KEYS.github}-${bytes(60).toString('base64url')}`,
    'readable bytes inside': Buffer.concat([
      bytes(90),
      Buffer.from('Words of a sentence. '.repeat(5)),
      bytes(90),
    ]).toString('base64'),
    'readable bytes of another script': Buffer.from('Зарплаты за март, номер 42, передала Анна Берг').toString(
      'base64',
    ),
    padding: `${SEAL}===`,
  }))
    it(`is not: ${name}`, () => {
      assert.ok(!isSealed(text))
    })

  it('is no key of a known kind with a fixed beginning', () => {
    const missed: string[] = []
    for (const { type, patterns } of KINDS)
      for (const pattern of patterns) {
        const [, head] = /^([A-Za-z0-9]+[-_][A-Za-z0-9_-]*)\[/.exec(pattern) ?? []
        // One seal in four thousand begins with the same two characters.
        if (head === undefined || head.length < 3) continue
        const tail = bytes(90, type).toString('base64').replace(/[+/=]/g, '7')
        if (isSealed(`${head}${tail}`)) missed.push(`${type}: ${head}`)
      }
    assert.deepEqual(missed, [])
  })
})
