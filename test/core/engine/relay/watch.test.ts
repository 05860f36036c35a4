import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin } from '../../../../core/index.ts'
import { startPlugin } from '../../../../core/testing/index.ts'

/** Is told of requests to providers, and wants the ends of those of streams. */
function watcher(wants: (stream: boolean) => boolean) {
  const told: string[] = []
  const models: string[] = []
  const plugin = definePlugin({
    name: 'watcher',
    governs: 'usage',
    onError: 'allow',
    schema: { type: 'object', additionalProperties: false, properties: {} },
    create: () => ({
      onAttempt({ request }, { endedAt, status, model }) {
        told.push(endedAt === undefined ? 'begins' : `ends ${status}`)
        models.push(model)
        return wants(request.stream)
      },
    }),
  })
  return { plugin, told, models }
}

describe('observers of requests to providers', () => {
  it('are not told of the end if they say so at the beginning', async (t) => {
    const { plugin, told } = watcher((stream) => stream)
    const rig = await startPlugin(plugin)
    t.after(() => rig.close())
    await rig.send('Hello')
    assert.deepEqual(told, ['begins'])
    await rig.send('Hello', { stream: true })
    assert.deepEqual(told, ['begins', 'begins', 'ends 200'])
  })

  it('are told no value that the client sent as name of a model', async (t) => {
    const { plugin, models } = watcher(() => true)
    const rig = await startPlugin(plugin, { with: ['pii'] })
    t.after(() => rig.close())
    const messages = [{ role: 'user', content: 'Hello' }]
    for (const stream of [false, true]) {
      for (const model of ['anna.schmidt@example.org', 'gpt-5']) await rig.send({ model, messages }, { stream })
    }
    assert.equal(models.length, 8)
    assert.deepEqual(new Set(models), new Set(['[REDACTED]', 'gpt-5']))
  })
})
