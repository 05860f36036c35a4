import assert from 'node:assert/strict'
import { it } from 'node:test'
import OpenAI from 'openai'
import { chat } from '../../../core/testing/index.ts'
import { startBundled } from '../../helpers/bundled.ts'

const PLUGINS = `
plugins:
  - use: flags
  - use: policy
    options:
      rules:
        - name: no-payroll
          keywords: [payroll export]
          reason: Payroll data stays in the payroll system.
        - { name: big, models: ["*-huge"] }
`
const ask = (content: string, model = 'gpt-test') => ({ model, messages: [{ role: 'user' as const, content }] })

function isBlocked(error: unknown): true {
  assert.ok(error instanceof OpenAI.PermissionDeniedError)
  assert.equal(error.type, 'policy_block')
  assert.match(error.message, /Payroll data stays in the payroll system\./)
  return true
}

it('policy: the OpenAI SDK gets a block of request and reply as a readable error', async (t) => {
  const { client, provider, log } = await startBundled(t, PLUGINS)
  await assert.rejects(client.chat.completions.create(ask('Write a payroll export')), isBlocked)
  await assert.rejects(client.chat.completions.create(ask('Hello', 'gpt-huge')), /rule 'big' does not allow/)
  provider.reply(chat('Here is the payroll export'))
  await assert.rejects(client.chat.completions.create(ask('Hello')), isBlocked)
  assert.ok(!JSON.stringify(log).includes('payroll export'), 'the log holds no text')
})

it('policy: a block in the middle of a stream throws, and what was held never arrives', async (t) => {
  const { client, provider } = await startBundled(t, PLUGINS)
  provider.reply(chat('All fine so far, and here is the payroll export'))
  const stream = await client.chat.completions.create({ ...ask('Hello'), stream: true })
  let text = ''
  await assert.rejects(async () => {
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  }, /Payroll data stays/)
  assert.ok(text !== '' && 'All fine so far, and here is the '.startsWith(text), text)
})
