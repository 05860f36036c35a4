/** The console in a real browser. Skipped where no Chromium is installed. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { type PluginRig, startPlugin } from '../../../core/testing/index.ts'
import consolePage from '../../../plugins/console/index.ts'

const CHROMIUM = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path))
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const LIMITS = [{ scope: 'key', unit: 'requests', limit: 100, window: 'day' }]

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

describe('the console in a browser', { skip: CHROMIUM === undefined ? 'needs Chromium' : false }, () => {
  let rig: PluginRig
  let browser: Browser
  let page: Page
  const problems: string[] = []

  before(async () => {
    const plugins = ['flags', 'pii', 'keys', 'usage', 'siem', 'alerting']
    rig = await startPlugin(consolePage, { with: [...plugins, { use: 'budget', options: { limits: LIMITS } }] })
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
    browser = await puppeteer.launch({ executablePath: CHROMIUM as string, args, timeout: 60_000 })
    page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      // A refused request is a line of its own, and is expected here.
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
    })
    await page.goto(`${rig.url}/console`)
  })
  after(async () => {
    await browser?.close()
    await rig?.close()
  })

  const text = async (): Promise<string> => page.$eval('main', (main) => main.textContent ?? '')
  const shows = (what: string) =>
    page.waitForFunction(`document.querySelector('main')?.textContent?.includes(${JSON.stringify(what)})`)
  const fill = async (label: string, value: string): Promise<void> => {
    const input = await page.waitForSelector(`aria/${label}`)
    await input?.evaluate((element) => ((element as unknown as { value: string }).value = ''))
    await input?.type(value)
  }
  const press = async (label: string): Promise<void> => {
    const button = await page.waitForSelector(`aria/${label}[role="button"]`)
    await button?.click()
  }
  const open = async (id: string, title: string): Promise<void> => {
    await page.click(`nav a[href="#${id}"]`)
    await page.waitForFunction(`document.querySelector('h1')?.textContent === ${JSON.stringify(title)}`)
  }
  /** Problems that assistive technology would have with what is shown. */
  const inaccessible = async (rules = ''): Promise<string[]> => {
    // Not by a script element: the page's policy forbids it.
    await page.evaluate(AXE)
    const result = (await page.evaluate(`axe.run(${rules})`)) as AxeResult
    return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }

  it('signs in with an admin key only', async () => {
    await shows('Admin key')
    assert.deepEqual(await inaccessible(), [])
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
    await fill('Id', 'tester')
    await press('Create key')
    await shows("There is already a key 'tester'.")
    await fill('Id', 'browser')
    await press('Create key')
    const secret = await page.waitForSelector('dialog input')
    const key = await secret?.evaluate((input) => (input as unknown as { value: string }).value)
    assert.equal((await rig.send('Hello', { headers: { authorization: `Bearer ${key}` } })).status, 200)
    await press('Done')
    await press('Rotate browser')
    await press('Rotate')
    await press('Done')
    await press('Revoke browser')
    await press('Revoke')
    await shows('revoked')
    assert.equal((await rig.send('Hello', { headers: { authorization: `Bearer ${key}` } })).status, 401)
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
    assert.equal(posted(), asked)
  })

  it('shows errors of settings at their fields', async () => {
    await open('settings', 'Settings')
    await fill('url', 'http://169.254.169.254/')
    await press('Save siem')
    const field = await page.waitForSelector('section[aria-label="Settings of siem"] [aria-invalid="true"]')
    const told = await field?.evaluate((input) => input.parentElement?.querySelector('.error')?.textContent ?? '')
    assert.notEqual(told, '')
  })

  it('tops a budget up', async () => {
    await open('budgets', 'Budgets')
    await press('Top up key_requests_day of tester')
    await shows('200')
  })

  it('has no barriers in any section, light or dark, and breaks no rule of its own policy', async () => {
    for (const scheme of ['light', 'dark']) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      for (const [id, title] of SECTIONS) {
        await open(id, title)
        await page.waitForFunction(`document.querySelector('main')?.children[1]?.childElementCount`)
        const rules = scheme === 'light' ? '' : `{ runOnly: ['color-contrast'] }`
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
