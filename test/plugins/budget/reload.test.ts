/** Limits that change while the gateway runs. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { chat, chunks, stream } from '../../../core/testing/index.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { asking, bearer, post as postTo, setup, USER_KEY } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'

const budget = (limits: object[]) => [{ use: 'budget', options: { limits } }]

async function started(t: TestContext, limits: object[]) {
  const { provider, gateway } = await setup(t, { folder: temporaryFolder(), plugins: budget(limits) })
  provider.otherwise(chat({ choices: [{ content: 'ok' }], usage: { prompt: 8, completion: 2 } }))
  const post = (more = {}) => postTo(gateway, asking('Hello', more))
  return {
    provider,
    post,
    async statuses(count: number): Promise<number[]> {
      const all: number[] = []
      for (let i = 0; i < count; i++) {
        const reply = await post({ stream: i % 2 === 1 })
        await reply.text()
        all.push(reply.status)
      }
      return all
    },
    reload: (next: object[]) => gateway.reload({ plugins: budget(next) }),
    async meters() {
      const reply = await send(`${gateway.url}/api/budgets`, { headers: bearer(USER_KEY) })
      return (await reply.json()).budgets as { limit: number; spent: number; reserved: number }[]
    },
  }
}

const requests = (limit: number, more: object = {}) => ({
  ...{ scope: 'key', unit: 'requests', limit, window: 'month' },
  ...more,
})
const tokens = (limit: number) => requests(limit, { unit: 'tokens' })

describe('budget: reload', () => {
  it('raises and lowers a limit, and what was spent stays spent', async (t) => {
    const rig = await started(t, [requests(2)])
    assert.deepEqual(await rig.statuses(3), [200, 200, 403])
    await rig.reload([requests(4)])
    assert.deepEqual(await rig.statuses(3), [200, 200, 403])
    await rig.reload([requests(3)])
    assert.deepEqual(await rig.statuses(1), [403])
    assert.partialDeepStrictEqual(await rig.meters(), [{ limit: 3, spent: 4, reserved: 0 }])
    await rig.reload([requests(3, { id: 'anew' })])
    assert.deepEqual(await rig.statuses(1), [200])
  })

  it('keeps the old limits when the new ones are invalid', async (t) => {
    const rig = await started(t, [requests(1)])
    await assert.rejects(rig.reload([requests(1.5)]), /limits\[0\]\.limit must be a whole number of requests/)
    assert.deepEqual(await rig.statuses(2), [200, 403])
  })

  it('lets a stream end by the limits that it began with, and leaks nothing', async (t) => {
    const rig = await started(t, [tokens(1000)])
    const { promise: open, resolve: go } = Promise.withResolvers<void>()
    const events = chunks({ choices: [{ content: 'one two red cat' }], usage: null })
    rig.provider.reply(stream([...events.slice(0, 3), open, ...events.slice(3)]))
    const running = await rig.post({ stream: true })
    await running.event()
    await rig.reload([tokens(2000)])
    assert.partialDeepStrictEqual(await rig.meters(), [{ limit: 2000, spent: 0, reserved: 1000 }])
    go()
    const { service } = JSON.parse((await running.events()).at(-2) ?? '{}')
    assert.partialDeepStrictEqual(service.budget, [{ limit: 1000, spent: 12 }])
    assert.partialDeepStrictEqual(await rig.meters(), [{ limit: 2000, spent: 12, reserved: 0 }])
  })
})
