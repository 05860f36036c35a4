import assert from 'node:assert/strict'
import { it } from 'node:test'
import OpenAI from 'openai'
import { chat } from '../../../core/testing/index.ts'
import { serviceOf, startBundled } from '../../helpers/bundled.ts'

const PLUGINS = `
plugins:
  - use: classification
    options:
      rules:
        - { name: projects, label: CONFIDENTIAL, keywords: [project aurora] }
`

it('classification: the OpenAI SDK reads the labels of a request and a streamed reply', async (t) => {
  const { client, provider } = await startBundled(t, PLUGINS)
  const ask = (content: string) => ({ model: 'gpt-test', messages: [{ role: 'user' as const, content }] })
  const { data, response } = await client.chat.completions.create(ask('About Project Aurora')).withResponse()
  assert.equal(serviceOf(data).classification, 'CONFIDENTIAL')
  assert.equal(response.headers.get('x-service-classification'), 'CONFIDENTIAL')

  provider.otherwise(chat('It is project aurora'))
  const stream = await client.chat.completions.create({ ...ask('What is it?'), stream: true })
  let last: unknown
  for await (const chunk of stream) last = chunk
  assert.deepEqual([serviceOf(last).classification, serviceOf(last).output_classification], ['PUBLIC', 'CONFIDENTIAL'])
})

it('classification: the ceiling of a key holds', async (t) => {
  const { client, provider } = await startBundled(t, PLUGINS, { max_classification: 'INTERNAL' })
  const messages = [{ role: 'user' as const, content: 'project aurora' }]
  await assert.rejects(client.chat.completions.create({ model: 'gpt-test', messages }), (error) => {
    assert.ok(error instanceof OpenAI.PermissionDeniedError)
    assert.match(error.message, /CONFIDENTIAL/)
    return true
  })
  assert.equal(provider.requests.length, 0)
})
