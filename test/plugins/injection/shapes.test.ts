import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from '../../../plugins/injection/evaluate.ts'
import { INSTRUCTED, ORDINARY_DOCUMENTS, UNWRAPPED, WRAPPED } from './data/documents.ts'

const THRESHOLD = 0.5
const asDocument = (text: string) => evaluate(text, 1.35, false)
const asMessage = (text: string) => evaluate(text, 1)

test('an instruction in a document is found, and named by its rule', () => {
  for (const [id, texts] of Object.entries(INSTRUCTED)) {
    for (const text of texts) {
      const found = asDocument(text)
      assert.ok(found !== undefined && found.score >= THRESHOLD, `${id}: ${text} ${found?.score}`)
      assert.ok(found.rules.includes(id), `${id}: ${text} ${found.rules}`)
    }
  }
})

test('ordinary mails and pages pass', () => {
  for (const text of ORDINARY_DOCUMENTS) assert.ok((asDocument(text)?.score ?? 0) < THRESHOLD, text)
})

test('of a user, the same sentence is the task', () => {
  for (const id of ['document/change-your-answer', 'document/in-your-answer', 'document/call-the-tool']) {
    for (const text of INSTRUCTED[id]!) assert.ok((asMessage(text)?.score ?? 0) < THRESHOLD, text)
  }
})

test('jailbreaks are known by their form, harmless requests with the same words pass', () => {
  for (const text of WRAPPED) assert.ok((asMessage(text)?.score ?? 0) >= THRESHOLD, text)
  for (const text of UNWRAPPED) assert.ok((asMessage(text)?.score ?? 0) < THRESHOLD, text)
})

test('forms cost time in proportion to the text', () => {
  const hostile = [
    'your answer ',
    'add your ',
    'imagine you are a ',
    'purely ',
    'before you answer ',
    '<!-- ',
    'unfiltered ',
  ]
  const seconds = (text: string): number => {
    const before = process.cpuUsage()
    asDocument(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1e6
  }
  for (const piece of hostile) {
    seconds(piece.repeat(200))
    const once = Math.max(0.02, seconds(piece.repeat(2000)))
    assert.ok(seconds(piece.repeat(8000)) < once * 24, piece)
  }
})
