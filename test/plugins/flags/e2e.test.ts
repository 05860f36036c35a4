import assert from 'node:assert/strict'
import { it } from 'node:test'
import OpenAI from 'openai'
import { serviceOf, startBundled } from '../../helpers/bundled.ts'

const ask = { model: 'gpt-test', messages: [{ role: 'user', content: 'Hello' }] } as const

it('flags: the OpenAI SDK sends them with a call, and gets errors it can read', async (t) => {
  const { client, provider, log } = await startBundled(t, 'plugins: [{ use: flags }]', {
    flags_allow: ['mode=monitor'],
  })
  const call = (flags: string) =>
    client.chat.completions.create({ ...ask, messages: [...ask.messages] }, { headers: { 'X-Service-Flags': flags } })

  assert.equal(serviceOf(await call('mode=observe')).mode, 'monitor')
  const dry = await call('dry_run=true')
  assert.match(dry.choices[0]?.message.content ?? '', /^Dry run: no model was called\./)
  assert.equal(provider.requests.length, 1)
  await assert.rejects(call('mode=off'), (error) => {
    assert.ok(error instanceof OpenAI.PermissionDeniedError)
    assert.equal(error.code, 'flag_not_permitted')
    return true
  })
  await assert.rejects(call('mod=strict'), (error) => {
    assert.ok(error instanceof OpenAI.BadRequestError)
    assert.match(error.message, /has no flag 'mod' here\. Known: dry_run, mode/)
    return true
  })
  const types = log.map(({ event }) => (event as { type?: string } | undefined)?.type)
  assert.ok(types.includes('flags.loosened') && types.includes('flags.rejected'))
})

it('flags: a dry run streams like a model', async (t) => {
  const { client, provider } = await startBundled(t, 'plugins: [{ use: flags }]')
  const stream = await client.chat.completions.create(
    { ...ask, messages: [...ask.messages], stream: true, n: 2 },
    { headers: { 'X-Service-Flags': 'dry_run=true' } },
  )
  const texts = ['', '']
  for await (const { choices } of stream) for (const { index, delta } of choices) texts[index] += delta.content ?? ''
  assert.match(texts[0] ?? '', /^Dry run/)
  assert.equal(texts[0], texts[1])
  assert.equal(provider.requests.length, 0)
})
