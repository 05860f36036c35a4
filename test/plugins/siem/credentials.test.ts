import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { encode, eventSource } from 'governed-gateway/kit'
import { type RecordedRequest, respond, startReceiver } from 'governed-gateway/testing'
import { ADMIN_KEY, bearer } from '../../helpers/gateway.ts'
import { send } from '../../helpers/http.ts'
import { admin, EAGER, exporting, PATH } from './helpers.ts'
import { event } from './rig.ts'

const FORMATS = ['json', 'cef', 'ocsf'] as const
const HTTP = ['webhook', 'splunk_hec', 'elastic', 'datadog', 'loki'] as const
/** In every setting that is a secret or carries one. */
const CANARY = 'canary5b1d'
const SECRETS = { auth_token: `token-${CANARY}`, signing_secret: `signing-${CANARY}-secret` }

const clean = (what: string, text: string): void =>
  assert.ok(!text.includes(CANARY), `${what}: ${text.slice(Math.max(0, text.indexOf(CANARY) - 60)).slice(0, 120)}`)

describe('credentials of the export', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trail-'))
  const path = join(folder, 'audit.jsonl')
  after(() => rmSync(folder, { recursive: true }))

  it('are in no event, in no format, at no destination, in no dead letter, trail, alert or log', async (t) => {
    const alerts = await startReceiver()
    t.after(() => alerts.close())
    let told = ''
    const ocsf = Promise.withResolvers<void>()
    const syslog = createServer((socket) => {
      socket.on('data', (bytes) => {
        told += bytes
        if (told.includes('"class_uid"')) ocsf.resolve()
      })
    })
    syslog.listen(0, '127.0.0.1')
    await once(syslog, 'listening')
    t.after(() => void syslog.close())
    const port = (syslog.address() as AddressInfo).port
    const plugins = [
      { use: 'audit-file', options: { path } },
      {
        use: 'alerting',
        options: {
          enabled: true,
          webhook_url: `${alerts.origin}/${CANARY}`,
          signing_secret: `alert-${CANARY}`,
          min_severity: 'all',
          max_alerts_per_minute: 60,
        },
      },
    ]
    const targets = [new URL(alerts.origin).host, `127.0.0.1:${port}`]
    const { receiver, gateway, ask } = await exporting(t, SECRETS, { plugins }, targets)
    const put = async (settings: object) => {
      const { status, body } = await admin(gateway.url, 'PUT', '', settings)
      assert.equal(status, 200, JSON.stringify(body))
      clean('answer of PUT', JSON.stringify(body))
    }
    const urls = { http: receiver.origin, tcp: `tcp://127.0.0.1:${port}` }
    const bodies: RecordedRequest[] = []
    for (const destination of HTTP) {
      for (const format of FORMATS) {
        await put({ ...EAGER, ...SECRETS, destination, format, url: urls.http, exclude_event_types: ['alert.*'] })
        receiver.reply(respond(200), respond(400, { code: 6 }))
        await admin(gateway.url, 'POST', '/test')
        await ask()
        bodies.push(await receiver.next(), await receiver.next())
      }
    }
    assert.ok(bodies.some(({ text }) => text.includes('"class_uid"')))
    for (const { text } of receiver.requests) clean('a body', text)
    for (const format of FORMATS) {
      await put({ ...SECRETS, destination: 'syslog', format, url: urls.tcp })
      await admin(gateway.url, 'POST', '/test')
    }
    await ocsf.promise
    clean('syslog', told)
    for (const [what, url] of [
      ['settings', `${gateway.url}${PATH}`],
      ['dead letters', `${gateway.url}${PATH}/dead-letter?limit=200`],
      ['status', `${gateway.url}${PATH}/status`],
      ['trail', `${gateway.url}/api/audit?limit=100`],
    ] as const) {
      clean(what, await (await send(url, { headers: bearer(ADMIN_KEY) })).text())
    }
    await alerts.next()
    for (const { text } of alerts.requests) clean('an alert', text)
    await gateway.close()
    clean('audit-file', readFileSync(path, 'utf8'))
    clean('log', JSON.stringify(gateway.log))
  })

  it('are in no format, even where the source was made of all settings', () => {
    const settings = { ...SECRETS, source_name: 'gw', environment: 'test', url: `https://x/?${CANARY}` }
    const source = eventSource(settings)
    assert.deepEqual(Object.keys(source), ['source_name', 'environment'])
    assert.ok(Object.isFrozen(source))
    for (const format of FORMATS) {
      clean(format, encode(format, event(), source))
      // @ts-expect-error: an object of settings is no source.
      clean(format, encode(format, event(), settings))
    }
  })
})
