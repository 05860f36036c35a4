import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definePlugin } from '../../../../core/index.ts'
import { startPlugin } from '../../../../core/testing/index.ts'

/** Is told of requests to providers, and wants the ends of those of streams. */
function watcher(wants: (stream: boolean) => boolean) {
  const told: string[] = []
  const plugin = definePlugin({
    name: 'watcher',
    governs: 'usage',
    onError: 'allow',
    schema: { type: 'object', additionalProperties: false, properties: {} },
    create: () => ({
      onAttempt({ request }, { endedAt, status }) {
        told.push(endedAt === undefined ? 'begins' : `ends ${status}`)
        return wants(request.stream)
      },
    }),
  })
  return { plugin, told }
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
})
