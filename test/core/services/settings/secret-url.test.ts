import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startReceiver } from 'governed-gateway/testing'
import { carriesSecret } from '../../../../core/engine/host/secret-url.ts'
import { temporaryFolder } from '../../../helpers/folder.ts'
import { settingsOf } from '../../../plugins/siem/helpers.ts'

const TOKEN = 'Q3EGRIXTNO5ZKLPV'
const MASK = '********'

describe('a url', () => {
  it('is a secret with user info, a query, a fragment, or a token in its path', () => {
    const base = 'https://93.184.215.14'
    for (const rest of ['/services/T0AB12CD/B0EF34GH/XXXXXXXXXXXXXXXXXXXXXXXX', '/hook?key=a', '/#a', `/in/${TOKEN}`]) {
      assert.equal(carriesSecret(base + rest), true, rest)
    }
    for (const url of [
      'https://user:pass@93.184.215.14/',
      'https://user@93.184.215.14/',
      'tls://u:p@siem:6514',
      'no url',
    ])
      assert.equal(carriesSecret(url), true, url)
    for (const rest of [
      '',
      '/',
      ':8088',
      '/hook',
      '/services/collector/event',
      '/api/v2/logs/',
      '/_bulk',
      '/audit-log_2026',
    ]) {
      assert.equal(carriesSecret(base + rest), false, rest)
    }
    assert.equal(carriesSecret('tls://siem.example.org:6514'), false)
    assert.equal(carriesSecret(undefined), false)
  })
})

describe('the url of siem', () => {
  it('is masked and encrypted with a token in it, can be sent back as it was read, and is used', async (t) => {
    const folder = temporaryFolder()
    const receiver = await startReceiver()
    t.after(() => receiver.close())
    const egress = { allow: [new URL(receiver.url).host] }
    const { rig, get, put } = await settingsOf(t, { egress, config: { store: `file:${folder}` } })
    const url = `${receiver.origin}/services/${TOKEN}`
    const answer = await put({ enabled: true, url, flush_interval_seconds: 0.1 })
    assert.equal(answer.status, 200)
    const read = await get()
    assert.deepEqual([read.url, read.url_set], [MASK, true])
    assert.ok(!JSON.stringify([answer.body, read, rig.events]).includes(TOKEN))
    assert.equal((await put({ ...read, environment: 'test' })).status, 200)
    await rig.send('Hello')
    const { url: path } = await receiver.next()
    assert.equal(path, `/services/${TOKEN}`)
    for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue
      assert.ok(!readFileSync(join(name.parentPath, name.name), 'latin1').includes(TOKEN), name.name)
    }
  })

  it('reads back as it is without one, also where it comes from the environment', async (t) => {
    const plain = await settingsOf(t, { env: { SERVICE_SIEM_URL: 'https://93.184.215.14:8088/services/collector' } })
    const { url, ...more } = await plain.get()
    assert.equal(url, 'https://93.184.215.14:8088/services/collector')
    assert.ok(!('url_set' in more))
    const secret = await settingsOf(t, { env: { SERVICE_SIEM_URL: `https://93.184.215.14/?token=${TOKEN}` } })
    assert.equal((await secret.get()).url, MASK)
    const kept = await secret.put({ ...(await secret.get()), environment: 'test' })
    assert.equal((kept.body.sources as { url: string }).url, 'env')
  })

  it('with a token is not sent to another kind of receiver', async (t) => {
    const { put } = await settingsOf(t)
    await put({ url: `https://93.184.215.14/in/${TOKEN}` })
    const moved = await put({ destination: 'datadog' })
    assert.equal(moved.status, 400)
    assert.match(JSON.stringify(moved.body), /url: must be sent again/)
    assert.equal((await put({ destination: 'datadog', url: 'https://93.184.215.15/' })).status, 200)
    assert.equal((await put({ destination: 'webhook' })).status, 200)
  })
})
