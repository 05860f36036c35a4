/** The console in a real browser. Skipped where no Chromium is installed. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'puppeteer-core'
import { packageVersion } from '../../../core/engine/util/package.ts'
import { type PluginRig, type Receiver, respond, startPlugin, startReceiver } from '../../../core/testing/index.ts'
import consolePage from '../../../plugins/console/index.ts'
import { until } from '../../helpers/until.ts'
import { CHROMIUM, drive, type Hour, openBrowser } from './drive.ts'

const LIMITS = [{ scope: 'key', unit: 'requests', limit: 100, window: 'day' }]

const RULES = [{ name: 'no_falcon', keywords: ['falcon'], reason: 'Falcons stay here.' }]
const PRICES = [{ model: '*', input: 1, output: 2 }]

describe('the console in a browser', { skip: CHROMIUM === undefined ? 'needs Chromium' : false }, () => {
  let rig: PluginRig
  let receiver: Receiver
  let folder: string
  let browser: Browser
  let page: Page
  const [problems, refused]: [string[], string[]] = [[], []]

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gw-console-'))
    const audit = { use: 'audit-file', options: { path: join(folder, 'audit.jsonl') } }
    const policy = { use: 'policy', options: { rules: RULES } }
    const plugins = ['flags', 'pii', policy, 'keys', 'usage', 'siem', 'alerting', audit]
    receiver = await startReceiver()
    rig = await startPlugin(consolePage, {
      with: [...plugins, { use: 'budget', options: { limits: LIMITS, prices: PRICES } }],
      egress: { allow: [new URL(receiver.url).host] },
    })
    ;({ browser, page } = await openBrowser(problems))
    page.on('response', (reply) => reply.ok() || refused.push(reply.url()))
    await page.goto(`${rig.url}/console`)
  })
  after(async () => {
    await browser?.close()
    await rig?.close()
    await receiver?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const { text, shows, told, fill, press, section, fillIn, rows, drawn, open, inaccessible } = drive(() => page)

  it('signs in with an admin key only', async () => {
    await shows('Admin key')
    assert.deepEqual([await inaccessible(), refused], [[], []])
    await fill('Admin key', 'wrong-key')
    await press('Sign in')
    await shows('This key is not valid.')
    await fill('Admin key', rig.adminKey)
    await press('Sign in')
    await shows('Decisions of the gateway')
    assert.equal(await page.evaluate('document.cookie'), '')
  })

  it('shows decisions as they happen, and no text', async () => {
    await rig.send('I am kim@example.org')
    await shows('1 × email')
    assert.equal((await text()).includes('kim@example.org'), false)
  })

  it('creates, rotates and revokes a key', async () => {
    await open('keys', 'Keys')
    await press('New key')
    await fill('Id', 'tester')
    await press('Create key')
    await told('dialog', "There is already a key 'tester'.")
    await fill('Id', 'browser')
    await fill('Models', 'gpt-*, other')
    await press('Add a limit')
    await fill('Limit 1', '50')
    await press('Create key')
    const secret = await page.waitForSelector('dialog input[readonly]')
    const key = await secret?.evaluate((input) => (input as unknown as { value: string }).value)
    assert.equal((await rig.send('Hello', { headers: { authorization: `Bearer ${key}` } })).status, 200)
    await press('Done')
    await shows('$50 per month')
    const { models, limits } = (await rig.admin('GET', '/api/keys/browser')).body
    assert.deepEqual([models, limits], [['gpt-*', 'other'], [{ unit: 'usd', limit: 50, window: 'month' }]])
    await press('Rotate browser')
    await press('Rotate')
    await press('Done')
    await press('Revoke browser')
    await press('Revoke')
    await shows('revoked')
    assert.equal((await rig.send('Hello', { headers: { authorization: `Bearer ${key}` } })).status, 401)
  })

  it('changes a key and the limits of a team, and shows what is wrong at the field', async () => {
    await rig.admin('POST', '/api/keys', { id: 'app', team: 'blue', limits: [{ ...LIMITS[0], scope: undefined }] })
    await open('live', 'Live')
    await open('keys', 'Keys')
    await press('Edit app')
    await fill('Expires', 'tomorrow')
    await press('Save')
    await told('dialog', 'must be a date')
    await fill('Expires', '2099-12-31')
    await fill('Limit 1', '7')
    await press('Save')
    await shows('2099-12-31')
    const { expires, limits, team, models } = (await rig.admin('GET', '/api/keys/app')).body
    const day = { unit: 'requests', limit: 7, window: 'day' }
    assert.deepEqual([expires, limits, team, models], ['2099-12-31', [day], 'blue', ['*']])
    const [event] = rig.events.filter(({ type }) => type === 'key.updated')
    assert.deepEqual(event?.fields, ['expires', 'limits'])
    await press('Edit limits of team blue')
    assert.deepEqual(await inaccessible(), [])
    await press('Add a limit')
    await fill('Limit 1', '200')
    await press('Save')
    await shows('$200 per month')
    await press('Edit limits of team blue')
    await press('Remove limit 1')
    await press('Save')
    await page.waitForFunction(`!document.querySelector('main').textContent.includes('$200 per month')`)
  })

  it('shows an exchange as a timeline: events, every hook, and the request to the provider', async () => {
    await open('live', 'Live')
    const { events } = await rig.send('I am pat@example.org', { stream: true })
    const link = await page.waitForSelector(`a[href="#audit/${events.at(-1)?.request_id}"]`)
    await link?.click()
    await shows('What took')
    const shown = await text()
    for (const part of ['request.completed', 'pii.detected', 'classify', 'onChunk', 'postResponse', 'upstream'])
      assert.ok(shown.includes(part), part)
    assert.match(shown, /provider \(gpt-test\)/)
    assert.equal(shown.includes('pat@example.org'), false)
    assert.doesNotMatch(shown, /[[{]"/, 'no JSON')
    assert.deepEqual(await inaccessible(), [])
  })

  it('shows what was found, held back, decided and asked, in rows', async () => {
    await open('live', 'Live')
    const shows1 = async (id: unknown): Promise<void> => {
      const link = await page.waitForSelector(`a[href="#audit/${id}"]`)
      await link?.click()
      await shows('What took')
    }
    const reply = 'Write to lee@example.org or call.'
    const { events, text: got } = await rig.send('I am kim@example.org', { stream: true, reply })
    assert.equal(got, 'Write to [EMAIL] or call.')
    await shows1(events.at(-1)?.request_id)
    assert.deepEqual(await rows('What was found'), [
      ['email', 'request', '1', 'redact'],
      ['email', 'reply', '1', 'redact'],
    ])
    const course = await rows('What took')
    const [provider] = course.filter(([hook]) => hook === 'upstream')
    assert.equal(provider?.[1], 'provider (gpt-test)')
    assert.match(String(provider?.[5]), /^first byte after [\d.]+ ms$/)
    assert.equal(provider?.[6], '200')
    const [pii] = course.filter(([hook, name]) => hook === 'onChunk' && name === 'pii')
    assert.match(String(pii?.[5]), /^up to \d+ characters, \d+ ×$/)
    await open('live', 'Live')
    const blocked = await rig.send('The falcon flies')
    await shows1(blocked.events.at(-1)?.request_id)
    assert.match(
      String(await page.$eval('main .card > p', (line) => line.textContent)),
      /^block request\.blocked · 403 · policy policy\/no_falcon/,
    )
    assert.ok((await text()).includes('Falcons stay here.'))
    assert.equal((await rows('What took')).filter(([hook]) => hook === 'upstream').length, 0)
    assert.deepEqual(await inaccessible(), [])
  })

  it('keeps names of models and keys on one line', async () => {
    await page.setViewport({ width: 1000, height: 700 })
    await open('live', 'Live')
    await rig.send({ model: 'a-model-with-a-rather-long-name-2026-01-02', messages: [{ role: 'user', content: 'Hi' }] })
    await shows('a-model-with-a-rather-long-name')
    const broken = await page.evaluate(`[...document.querySelectorAll('td.id')]
      .filter((cell) => {
        const range = document.createRange()
        range.selectNodeContents(cell)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
      })
      .map((cell) => cell.textContent)`)
    assert.deepEqual(broken, [])
  })

  it('draws traffic as it was, and gives it as CSV', async () => {
    await open('traffic', 'Traffic')
    await shows('Usage by key')
    const { usage } = (await rig.admin('GET', '/api/usage?since=1d&by=key')).body as { usage: Record<string, number>[] }
    const requests = usage.reduce((sum, row) => sum + (row.requests ?? 0), 0)
    const tiles = await page.$eval('.tiles', (list) => list.textContent)
    assert.match(String(tiles), new RegExp(`^Requests${requests}Blocked`))
    const { usage: hours } = (await rig.admin('GET', '/api/usage?since=1d&by=hour')).body as { usage: Hour[] }
    const tokens = (hour: Hour) => (hour.prompt_tokens ?? 0) + (hour.completion_tokens ?? 0)
    for (const [title, ...series] of [
      ['Requests', (hour) => hour.requests, (hour) => hour.blocked],
      ['Latency', (hour) => hour.p50_ms, (hour) => hour.p95_ms],
      ['Tokens', tokens],
      ['Cost', (hour) => hour.usd],
    ] as [string, ...((hour: Hour) => number | undefined)[]][]) {
      await drawn(title, hours, series)
    }
    await page.evaluate(`{
      const make = URL.createObjectURL.bind(URL)
      URL.createObjectURL = (blob) => { window.csv = blob; return make(blob) }
    }`)
    await (await page.waitForSelector('aria/Download as CSV'))?.click()
    await page.waitForFunction('window.csv !== undefined')
    const csv = (await page.evaluate('window.csv.text()')) as string
    assert.match(csv, /^key,requests,served,.*\r\n/)
    assert.equal(csv.split('\r\n').length, usage.length + 2)
  })

  it('shows what came from outside as text, whatever it is', async () => {
    const evil = '<img src=x onerror="window.hacked=1">\u202e<script>window.hacked=1</script>'
    await rig.admin('POST', '/api/keys', { id: 'evil', description: evil, team: '<b>javascript:hacked</b>' })
    await rig.send({ model: '<img src=x onerror=hacked()>' })
    for (const [id, title, part] of [
      ['keys', 'Keys', evil],
      ['audit', 'Audit', 'key.created'],
      ['live', 'Live', 'tester'],
    ] as const) {
      await open(id, title)
      await shows(part)
      assert.equal(await page.$eval('main', (main) => main.querySelectorAll('img, script, b, iframe').length), 0)
    }
    await page.evaluate(`location.hash = '#audit/' + encodeURIComponent('<img src=x onerror=hacked()>')`)
    await shows('has no events of this exchange')
    assert.equal(await page.evaluate('window.hacked'), undefined)
  })

  it('can be used with the keyboard alone', async () => {
    await open('live', 'Live')
    await page.focus('.skip')
    const walked: string[] = []
    for (let i = 0; i < 11; i++) {
      await page.keyboard.press('Tab')
      walked.push((await page.evaluate('document.activeElement.textContent')) as string)
    }
    assert.deepEqual(walked.slice(0, 10), [...SECTIONS.map(([, title]) => title), 'Sign out', 'Pause'])
    await page.focus('nav a[href="#keys"]')
    await page.keyboard.press('Enter')
    await shows('Changes hold on every worker')
    await page.focus('.bar button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('by-hand')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog input[readonly]')
    await page.keyboard.press('Escape')
    await page.waitForFunction(`document.querySelector('dialog') === null`)
    assert.equal((await rig.admin('GET', '/api/keys/by-hand')).status, 200)
  })

  it('tries a prompt without a model', async () => {
    await open('playground', 'Playground')
    const posted = () => rig.provider.requests.filter(({ method }) => method === 'POST').length
    const asked = posted()
    await fill('Prompt', 'I am kim@example.org')
    await fill('Model', 'gpt-test')
    await press('Try it')
    await shows('What would be sent')
    const shown = await text()
    assert.ok(shown.includes('pii') && shown.includes('I am [EMAIL]'), shown)
    await fill('Prompt', 'The falcon of kim@example.org')
    await press('Try it')
    await shows('Falcons stay here.')
    assert.deepEqual(await rows('Found'), [
      ['pii', 'email', 'redact', '1'],
      ['policy', 'no_falcon', 'block', '1'],
    ])
    assert.equal(posted(), asked)
  })

  it('shows errors of settings at their fields', async () => {
    await open('settings', 'Settings')
    await fill('url', 'http://10.0.0.1/')
    await press('Save siem')
    const field = await page.waitForSelector('section[aria-label="Settings of siem"] [aria-invalid="true"]')
    const told = await field?.evaluate((input) => input.parentElement?.querySelector('.error')?.textContent ?? '')
    assert.match(told ?? '', /^is in a private network/)
    await press('Test siem')
    await section('siem', 'ok')
    await press('Deliveries of siem')
    await page.waitForFunction(
      `document.querySelector('section[aria-label="Settings of siem"]')?.textContent?.includes('queue')`,
    )
  })

  it('sends a test alert, and says at the field what is missing', async () => {
    await open('settings', 'Settings')
    await press('Test alerting')
    await page.waitForSelector('section[aria-label="Settings of alerting"] [aria-invalid="true"]')
    await section('alerting', 'No receiver is configured')
    await fillIn('alerting', 'webhook_url', receiver.url)
    await press('Save alerting')
    await page.waitForFunction(`document.querySelector('#status')?.textContent?.includes('alerting are saved')`)
    await press('Test alerting')
    await section('alerting', 'Test of alerting')
    assert.deepEqual(
      (await rows('Test of alerting')).map(([ok, status]) => [ok, status]),
      [['yes', '200']],
    )
    assert.match(receiver.requests.at(-1)?.body.toString() ?? '', /A test of the alerting settings/)
    receiver.reply(respond(500))
    await press('Test alerting')
    await page.waitForFunction(
      `document.querySelector('section[aria-label="Settings of alerting"] [role=status]')?.textContent?.includes('no')`,
    )
    assert.deepEqual(
      (await rows('Test of alerting')).map(([ok, status]) => [ok, status]),
      [['no', '500']],
    )
    await press('Deliveries of alerting')
    await section('alerting', 'delivery log of alerting')
    assert.equal((await rows('delivery log of alerting')).length, 2)
    assert.deepEqual(await inaccessible(), [])
  })

  it('tops a budget up, and lets it begin again', async () => {
    await open('budgets', 'Budgets')
    await press('Top up key_requests_day of tester')
    await shows('200')
    await press('Reset key_requests_day of tester')
    await press('Reset')
    const spent = async () =>
      ((await rig.admin('GET', '/api/budgets')).body.budgets as Record<string, unknown>[]).find(
        ({ id, subject }) => id === 'key_requests_day' && subject === 'tester',
      )
    await page.waitForFunction(`document.querySelector('#status')?.textContent?.includes('was changed')`)
    await until(async () => (await spent())?.left === 100)
  })

  it('shows plugins with their versions, and upstreams', async () => {
    await open('system', 'System')
    await shows('Failures in a row')
    const plugins = await rows('Plugins in the order of the config')
    assert.deepEqual(
      plugins.filter(([name]) => name === 'pii').map((row) => row.slice(0, 4)),
      [['pii', packageVersion(), 'enforce', 'block']],
    )
    assert.deepEqual(
      (await rows('Upstreams')).map((row) => [...row.slice(0, 2), row.includes('undefined')]),
      [['provider', 'closed', false]],
    )
  })

  it('shows what each node on one Redis sees of its upstreams', async () => {
    await open('live', 'Live')
    // As the route answers on a store that nodes share.
    await page.evaluate(`{
      const real = Response.prototype.json
      Response.prototype.json = async function () {
        const { upstreams, ...rest } = await real.call(this)
        return { ...rest, upstreams, nodes: upstreams && ['one', 'two'].map((node) => ({ node, upstreams })) }
      }
    }`)
    await open('system', 'System')
    await shows('Failures in a row')
    for (const node of ['one', 'two'])
      assert.equal((await rows(`Upstreams, as the node ${node} sees them`))[0]?.[0], 'provider')
  })

  it('has no barriers in any section, light or dark, and breaks no rule of its own policy', async () => {
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      for (const [id, title] of SECTIONS) {
        await open(id, title)
        await page.waitForFunction(`document.querySelector('main')?.children[1]?.childElementCount`)
        const rules = scheme === 'light' ? '{}' : `{ runOnly: ['color-contrast'] }`
        assert.deepEqual([id, scheme, await inaccessible(rules)], [id, scheme, []])
      }
    }
    assert.deepEqual(problems, [])
  })

  it('signs out', async () => {
    await press('Sign out')
    await shows('You are signed out.')
    await page.reload()
    await shows('Admin key')
  })
})

const SECTIONS = [
  ['live', 'Live'],
  ['traffic', 'Traffic'],
  ['audit', 'Audit'],
  ['budgets', 'Budgets'],
  ['keys', 'Keys'],
  ['settings', 'Settings'],
  ['playground', 'Playground'],
  ['system', 'System'],
] as const
