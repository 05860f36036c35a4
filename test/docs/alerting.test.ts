import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { respond, startReceiver } from '../../core/testing/receiver.ts'
import { asking, bearer, setup } from '../helpers/gateway.ts'
import { send } from '../helpers/http.ts'
import { Reader } from './reader.ts'

/** A key that the page is about. */
const KEY = 'sk-test-payroll-bot-0123456789'

/** What receivers get in the story that the page tells: the bodies, one a line. */
async function story(t: { after(fn: () => Promise<void>): void }): Promise<string> {
  const receivers = { slack: await startReceiver(), teams: await startReceiver(), generic: await startReceiver() }
  const all = Object.values(receivers)
  t.after(async () => void (await Promise.all(all.map((receiver) => receiver.close()))))
  const { gateway } = await setup(t, {
    config: {
      instance: 'gw-prod-1',
      keys: [{ id: 'payroll-bot', key: KEY }],
      egress: { allow: all.map(({ url }) => new URL(url).host) },
    },
    plugins: [
      { use: 'sessions' },
      { use: 'secrets' },
      {
        use: 'alerting',
        options: {
          enabled: true,
          dedupe_window_seconds: 5,
          destinations: Object.entries(receivers).map(([type, { url }]) => ({ name: type, type, url })),
        },
      },
    ],
  })
  const token = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
  const ask = () =>
    send(`${gateway.baseURL}/chat/completions`, {
      headers: { ...bearer(KEY), 'x-client-request-id': 'test-1' },
      body: asking(`My token is ${token}`, { model: 'gpt-5-mini' }),
    })
  for (const { status } of await Promise.all([ask(), ask(), ask()])) assert.equal(status, 403)
  // The alert, and the digest of the other two.
  const bodies = await Promise.all(all.map(async (receiver) => [await receiver.next(), await receiver.next()]))
  return bodies
    .flat()
    .map(({ body }) => String(body))
    .join('\n')
}

it('docs/alerting.md shows what receivers get, and how the first alert gets there', async (t) => {
  const reader = await Reader.open(t, 'docs/alerting.md')
  reader.arrived = await story(t)
  reader.stand('"host-1"', JSON.stringify(hostname()))
  for (const heading of ['Slack', 'Teams', 'Generic webhook', 'The digest']) await reader.read(heading)

  const slack = await startReceiver()
  t.after(() => slack.close())
  slack.reply(respond(200, 'ok'), respond(200, 'ok'))
  reader.stand('https://hooks.slack.com/services/…', slack.url)
  appendFileSync(join(reader.copy.root, 'config/gateway.yaml'), `egress: { allow: ["${new URL(slack.url).host}"] }\n`)
  await reader.read('From nothing to the first alert')
  assert.match(String((await slack.next()).body), /Test/)
  reader.finish()
})
