/** `start --trace-hooks`: which taps ran, and nothing of what they saw. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asking } from '../../../helpers/gateway.ts'
import { ALL } from '../../../helpers/rounds.ts'
import { until } from '../../../helpers/until.ts'
import { startCluster } from '../cluster/setup.ts'

const SECRET_TEXT = 'zanzibar'
const RULES = [{ name: 'no', models: ['forbidden'], reason: 'That model is not allowed' }]
const PLUGINS = [{ use: 'sessions' }, { use: 'pii' }, { use: 'policy', options: { rules: RULES } }]

/** Times differ. */
const untimed = (tree: string): string[] =>
  tree.split('\n').map((line) => line.replace(/ +\d+\.\d\d ms/, '').replace(/^req_\S+/, 'req'))

describe('start --trace-hooks', () => {
  for (const workers of ALL ? [1, 2] : [2]) {
    it(`shows a tree for each request (workers: ${workers})`, async (t) => {
      const rig = await startCluster(t, { workers, plugins: PLUGINS }, { args: ['--trace-hooks'] })
      const trees = (count: number) =>
        until(() => {
          const found = rig.gateway
            .greeting()
            .split(/^(?=req_)/m)
            .slice(1)
          return found.length >= count && found
        })
      await (await rig.post({ body: asking(SECRET_TEXT) })).text()
      await trees(1)
      await (await rig.post({ body: asking(SECRET_TEXT, { model: 'forbidden' }) })).text()
      await trees(2)
      await (await rig.post({ body: asking(SECRET_TEXT, { stream: true }) })).text()
      const [plain, blocked, streamed] = (await trees(3)).map(untimed) as [string[], string[], string[]]
      assert.equal(plain[0], 'req request.completed')
      assert.ok(plain.includes('├─ preRequest') && plain.includes('├─ onChunk'), plain.join('\n'))
      assert.ok(plain.some((line) => /[├└]─ pii +nothing$/.test(line)))
      assert.equal(blocked[0], 'req request.blocked')
      assert.ok(
        blocked.some((line) => /[├└]─ policy +verdict$/.test(line)),
        blocked.join('\n'),
      )
      assert.ok(
        streamed.some((line) => /pii +nothing/.test(line)),
        streamed.join('\n'),
      )
      assert.ok(!rig.gateway.greeting().includes(SECRET_TEXT))
    })
  }
})
