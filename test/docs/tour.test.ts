import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ALL } from '../helpers/rounds.ts'
import { Reader } from './reader.ts'

it('docs/tour.md does what it says, block by block', async (t) => {
  const reader = await Reader.open(t, 'docs/tour.md')
  await tour(reader)
  if (!ALL) return
  // The same day, in the same folder: what the first one left is in nobody's way.
  reader.again()
  await tour(reader)
})

async function tour(reader: Reader): Promise<void> {
  await reader.read('Budgets, alerts and the audit trail', 1)
  const [asked] = await reader.read('Budgets, alerts and the audit trail', 1)
  const [redacted, denied, spent, blocked, whole = ''] = asked?.stdout.split('\n') ?? []
  assert.match(redacted ?? '', /\[EMAIL\]/)
  assert.match(denied ?? '', /"reason":"Payroll stays in the payroll system"/)
  assert.match(spent ?? '', /"budget_exceeded"(?=.*"limit":1\b)(?=.*"spent":1\b)(?=.*"resets_at")/)
  assert.match(blocked ?? '', /^\{"events":\[\{.*"type":"request\.blocked"/)
  assert.match(whole, /records, 1 to /)
  await reader.read('Budgets, alerts and the audit trail', 1)
  await reader.main.prints(/^\/siem \[?\{"?.*"class_uid"/m)
  await reader.main.prints(/^\/alert \{"text":"\[block\]/m)
  const [settings] = await reader.read('Budgets, alerts and the audit trail', 1)
  assert.match(settings?.stdout ?? '', /"format":"cef".*\n\{"ok":true,/)
  await reader.read('Budgets, alerts and the audit trail')

  const [, answer] = await reader.read('Your own policy')
  assert.match(answer?.stdout ?? '', /\[CODENAME\]/)
  assert.doesNotMatch(answer?.stdout ?? '', /Aurora/)
  reader.finish()
}
