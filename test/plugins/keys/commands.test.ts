import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { startPlugin } from '../../../core/testing/index.ts'
import keys from '../../../plugins/keys/index.ts'
import { blocksOf } from '../../docs/page.ts'

it('README.md gives commands for the common tasks that work as they stand', async (t) => {
  const budget = { use: 'budget', options: { prices: [{ model: '*', input: 2.5, output: 10 }] } }
  const rig = await startPlugin(keys, { with: [budget, 'usage'] })
  t.after(() => rig.close())
  const block = blocksOf('plugins/keys/README.md').find(({ heading, language }) => {
    return heading === 'Common tasks' && language === 'sh'
  })
  const commands = String(block?.text).replaceAll('http://localhost:8787', rig.url)
  const [define = '', ...tasks] = commands.split(/^(?=# )/m)
  // The key is used once, so that there is something to see and to top up.
  const run = async (task: string) => {
    const env = { ...process.env, ADMIN_KEY: rig.adminKey }
    const { stdout } = await promisify(execFile)('bash', ['-ec', define + task], { env })
    return stdout
  }
  const [made = '', ...others] = tasks
  const { key } = JSON.parse(await run(made)) as { key: string }
  const use = () => rig.send('Hello', { headers: { authorization: `Bearer ${key}` } })
  assert.equal((await use()).status, 200)
  const told: string[] = []
  for (const task of others) told.push(await run(task))
  for (const text of told) assert.equal(text.includes('"error"'), false, text)
  const [team, seen, changed, rotated, revoked] = told
  assert.match(String(team), /"limit":200/)
  assert.match(String(seen), /^day,model,requests.*\r\n.*,gpt-test,1,1,/)
  assert.match(String(seen), /"budgets":\[\{"id":"(?:key|team):usd_month"/)
  assert.match(String(changed), /"limit":60.*"left":50.*"limit":80/s)
  assert.match(String(rotated), /"key":"gw_/)
  assert.match(String(revoked), /"state":"revoked"/)
  assert.equal((await use()).status, 401)
})
