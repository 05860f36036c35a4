/** Options of plugins as forms, in a real browser. Skipped where no Chromium is installed. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'puppeteer-core'
import { loadPlugin } from '../../../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../../core/engine/util/package.ts'
import { loadConfig } from '../../../core/gateway/config/load.ts'
import { type PluginRig, startPlugin } from '../../../core/testing/index.ts'
import consolePage from '../../../plugins/console/index.ts'
import { CHROMIUM, drive, openBrowser } from './drive.ts'

const LIMITS = [{ scope: 'key', unit: 'requests', limit: 100, window: 'day' }]
const TOKEN = 'a-token-of-the-scraper'
const ENVIRONMENT = { SERVICE_SECRET: 's'.repeat(32), OPENAI_API_KEY: 'none-of-ours' }
const BUNDLED = ['flags', 'pii', 'secrets', 'injection', 'classification', 'policy', 'ratelimit', 'sessions', 'usage']

type Answer = Record<string, unknown> & { options: Record<string, unknown> }

describe('options of plugins in a browser', { skip: CHROMIUM === undefined ? 'needs Chromium' : false }, () => {
  let rig: PluginRig
  let browser: Browser
  let page: Page
  const problems: string[] = []

  before(async () => {
    rig = await startPlugin(consolePage, {
      with: [
        ...BUNDLED,
        { use: 'budget', options: { limits: LIMITS } },
        { use: 'metrics', options: { token: TOKEN } },
        'alerting',
      ],
      config: { settings: { override_options: ['budget', 'metrics'] } },
    })
    ;({ browser, page } = await openBrowser(problems))
    await page.setCookie({ name: 'none', value: 'none', url: rig.url })
    await page.goto(`${rig.url}/console`)
    await fill('Admin key', rig.adminKey)
    await press('Sign in')
    await shows('Decisions of the gateway')
    problems.length = 0
    await open('settings', 'Settings')
    await shows('Options of plugins')
  })
  after(async () => {
    await browser?.close()
    await rig?.close()
  })

  const { shows, told, fill, press, open, inaccessible } = drive(() => page)
  const unfold = async (name: string): Promise<void> => {
    const summary = `::-p-xpath(//details[.//h3[text()="Options of ${name}"]]/summary)`
    await (await page.waitForSelector(summary))?.click()
  }
  const optionsOf = async (name: string): Promise<Answer> =>
    (await rig.admin('GET', `/api/plugins/${name}/options`)).body as Answer
  /** What is told at the field with this label. */
  const wrong = (label: string): Promise<string> =>
    page
      .waitForSelector('.options [aria-invalid="true"]')
      .then((input) =>
        input!.evaluate((one) => [
          one.labels?.[0]?.textContent,
          one.parentElement?.querySelector('.error')?.textContent,
        ]),
      )
      .then(([name, text]) => {
        assert.equal(name, label)
        return String(text)
      })

  it('says in Live that the gateway does not answer, and goes on by itself', async () => {
    await open('live', 'Live')
    await page.setOfflineMode(true)
    await shows('No news: The gateway cannot be reached.')
    await page.setOfflineMode(false)
    await rig.send('Hello')
    await page.waitForFunction(`!document.querySelector('main').textContent.includes('No news: ')`)
    await shows('gpt-test')
    problems.length = 0
  })

  it('keeps sections and buttons in view, however narrow the window is', async () => {
    await rig.send('Hello')
    const before = page.viewport()
    for (const width of [900, 420]) {
      await page.setViewport({ width, height: 700 })
      await open('live', 'Live')
      await open('budgets', 'Budgets')
      await page.waitForSelector('aria/Reset key_requests_day of tester[role="button"]')
      const outside = await page.evaluate(`[...document.querySelectorAll('nav a, td button')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth)
        .map((one) => one.textContent)`)
      assert.deepEqual(outside, [], `${width} wide`)
    }
    await page.setViewport(before)
    await open('settings', 'Settings')
    await shows('Options of plugins')
  })

  it('makes a form of every plugin, which says the same as its options', async () => {
    const names = [...BUNDLED, 'budget', 'metrics', 'console']
    for (const name of names) {
      await unfold(name)
      await press(`Check options of ${name}`)
      // Looked for in the tree of assistive technology, it would be built anew for each frame.
      await page.waitForSelector(`pre[aria-label="Options of ${name} as YAML"]`)
      const yaml = await page.$eval(`pre[aria-label="Options of ${name} as YAML"]`, (pre) => pre.textContent)
      assert.equal(yaml, (await optionsOf(name)).yaml, name)
      const form = `[...document.querySelectorAll('details')].find((one) => one.querySelector('h3')?.textContent === 'Options of ${name}')`
      assert.deepEqual(await inaccessible('{}', form), [], name)
      await (await page.waitForSelector(`::-p-xpath(//details[.//h3[text()="Options of ${name}"]]/summary)`))?.click()
    }
    assert.deepEqual(problems, [])
  })

  it('reads back from a form what it was given, for all options of the full config', async () => {
    const { plugins } = loadConfig(join(PACKAGE_ROOT, 'config/full.yaml'), ENVIRONMENT)
    const given = await Promise.all(
      plugins.map(async ({ use, options }) => [use, (await loadPlugin(use, PACKAGE_ROOT)).schema, options] as const),
    )
    const read = await page.evaluate(`(async () => {
      const { formOf } = await import('/console/forms.js')
      const given = ${JSON.stringify(given)}
      return given.map(([use, schema, options]) => [use, formOf(schema, options, new Map()).read()])
    })()`)
    assert.deepEqual(
      read,
      given.map(([use, , options]) => [use, options]),
    )
    assert.ok(given.filter(([, , options]) => Object.keys(options).length > 0).length > 8)
  })

  it('makes controls of every form that a schema takes, and text of what it cannot express', async () => {
    const schema = {
      type: 'object',
      definitions: { name: { type: 'string', description: 'A name.' } },
      properties: {
        either: {
          anyOf: [
            { enum: ['day', 'week'] },
            { type: 'object', required: ['rolling'], properties: { rolling: { type: 'string' } } },
          ],
        },
        several: { type: ['string', 'integer', 'boolean'] },
        levels: { type: 'array', items: { enum: ['low', 'high'] } },
        numbers: { type: 'array', items: { type: 'integer' } },
        names: { type: 'object', additionalProperties: { $ref: '#/definitions/name' } },
        nested: { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'string' } } } },
        free: { type: 'object' },
        lines: { type: 'array', items: { type: 'string' } },
        text: { type: 'string' },
        empty: { type: 'string' },
        secrets: { type: 'array', items: { type: 'string', writeOnly: true } },
      },
    }
    const values = [
      {},
      { lines: [' a ', 'b\nc', ''], text: 'one\ntwo', empty: '', other: { kept: 1 } },
      { either: 'week', several: 7, levels: ['high'], numbers: [1, 2], names: { 'a b': 'c' } },
      {
        either: { rolling: '24h' },
        several: false,
        nested: [[['x', 'y'], []]],
        free: { a: [null] },
        secrets: ['********'],
      },
    ]
    const read = await page.evaluate(`(async () => {
      const { formOf } = await import('/console/forms.js')
      return ${JSON.stringify(values)}.map((value) => formOf(${JSON.stringify(schema)}, value, new Map()).read())
    })()`)
    assert.deepEqual(read, values)
  })

  it('tells what is wrong at its field, as deep as it lies, and saves what is right', async () => {
    await unfold('budget')
    await press('Add to limits')
    await press('Save options of budget')
    await told('.options fieldset fieldset + .item, .options .item:last-child', 'needs "scope"')
    await page.evaluate(`document.querySelectorAll('details[open] .item').length`)
    await press('Remove limits 2')
    await fill('limit (required)', '-5')
    await press('Save options of budget')
    assert.match(await wrong('limit (required)'), /must be >= 0/)
    await fill('limit (required)', '7')
    await press('Save options of budget')
    await told('#status', 'saved and in force')
    const { source, options } = await optionsOf('budget')
    assert.deepEqual({ source, options }, { source: 'override', options: { limits: [{ ...LIMITS[0], limit: 7 }] } })
    await press('Use those of the file')
    await page.locator('dialog ::-p-aria(Use those of the file[role="button"])').click()
    await told('#status', 'are those of the config file')
    assert.deepEqual((await optionsOf('budget')).options, { limits: LIMITS })
    assert.deepEqual(await inaccessible(), [])
  })

  it('has nested forms for settings too, with errors at their fields', async () => {
    await open('live', 'Live')
    await open('settings', 'Settings')
    await press('Add to destinations')
    await fill('name (required)', 'second')
    await fill('url (required)', 'http://10.0.0.1/')
    await press('Save alerting')
    const told = await page.waitForFunction(
      `document.querySelector('section[aria-label="Settings of alerting"] .item [aria-invalid="true"]')?.parentElement.textContent`,
    )
    assert.match(String(await told.jsonValue()), /url \(required\).*is in a private network/s)
    assert.deepEqual(await inaccessible(), [])
    await fill('url (required)', 'https://93.184.215.14/')
    await press('Save alerting')
    await page.waitForFunction(`document.querySelector('#status')?.textContent?.includes('alerting are saved')`)
    const { destinations } = (await rig.admin('GET', '/api/settings/alerting')).body
    assert.deepEqual(
      (destinations as { name: string }[]).map(({ name }) => name),
      ['second'],
    )
  })

  it('keeps a secret that it does not know', async () => {
    await unfold('metrics')
    assert.equal((await page.content()).includes(TOKEN), false)
    await fill('keys', 'tester')
    await press('Save options of metrics')
    await told('#status', 'The options of metrics are saved')
    const { options } = await optionsOf('metrics')
    assert.deepEqual(options, { token: '********', token_set: true, keys: ['tester'] })
    const scraped = await fetch(`${rig.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    assert.equal(scraped.status, 200)
  })

  it('shows the YAML where only the file decides', async () => {
    await unfold('secrets')
    await shows('add secrets to settings.override_options')
    assert.equal(await page.$('aria/Save options of secrets[role="button"]'), null)
    await page.select('::-p-aria(input[role="combobox"])', '1')
    await press('Check options of secrets')
    const yaml = await page.waitForSelector('aria/Options of secrets as YAML')
    assert.equal(await yaml?.evaluate((pre) => pre.textContent), '- use: secrets\n  options:\n    input: redact\n')
    assert.deepEqual(problems, [])
  })
})
