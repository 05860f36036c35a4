/**
 * `npm run screenshots`: pictures of the console for the docs, of `config/demo.sh` under load. Needs Redis and Chromium.
 * Not part of the tests: figures differ from run to run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import puppeteer, { type Page } from 'puppeteer-core'
import { PACKAGE_ROOT } from '../core/engine/util/package.ts'

const OUT = join(PACKAGE_ROOT, 'docs/images')
const MAX_BYTES = 150_000
const PORT = 18_787
const SECONDS = Number(process.argv[2] ?? 30)
const SHOTS: readonly (readonly [section: string, scheme: 'light' | 'dark', act?: (page: Page) => Promise<void>])[] = [
  ['live', 'light'],
  ['live', 'dark'],
  ['audit', 'light', openExchange],
  ['playground', 'light', tryPrompt],
  ['system', 'dark'],
]

const executablePath = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path))
if (executablePath === undefined) throw new Error('Chromium is not installed')

const demo = spawn(join(PACKAGE_ROOT, 'config/demo.sh'), ['--port', String(PORT), '--rate', '12'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const ended = once(demo, 'close')
try {
  let shown = ''
  demo.stdout.setEncoding('utf8').on('data', (text) => (shown += text))
  while (!shown.includes('Ctrl-C'))
    await Promise.race([once(demo.stdout, 'data'), ended.then(() => Promise.reject(shown))])
  const key = /^admin key +(.+)$/m.exec(shown)?.[1] ?? ''
  await sleep(SECONDS * 1000)
  await take(`http://127.0.0.1:${PORT}/console`, key)
} finally {
  demo.kill('SIGINT')
  await ended
}

async function take(url: string, key: string): Promise<void> {
  mkdirSync(OUT, { recursive: true })
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none']
  const browser = await puppeteer.launch({ executablePath: executablePath as string, args })
  try {
    const page = await browser.newPage()
    await page.setViewport({ width: 1100, height: 640 })
    await page.goto(url)
    await (await page.waitForSelector('aria/Admin key'))?.type(key)
    await (await page.waitForSelector('aria/Sign in[role="button"]'))?.click()
    await page.waitForSelector('nav a[href="#live"]')
    for (const [section, scheme, act] of SHOTS) {
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      await page.click(`nav a[href="#${section}"]`)
      await page.waitForFunction(`document.querySelector('main')?.children[1]?.childElementCount`)
      // Live shows what happens from now on; others read their figures.
      await sleep(section === 'live' ? 6000 : 1500)
      await act?.(page)
      const path = join(OUT, `console-${section}${scheme === 'dark' ? '-dark' : ''}.png`) as `${string}.png`
      await page.screenshot({ path, optimizeForSpeed: false })
      const { size } = statSync(path)
      process.stdout.write(`${path} ${size}\n`)
      if (size > MAX_BYTES) process.exitCode = 1
    }
  } finally {
    await browser.close()
  }
}

/** One in which something was found. */
async function openExchange(page: Page): Promise<void> {
  const row = `[...document.querySelectorAll('main tr')].find((row) => row.textContent.includes('request.redacted'))`
  await page.evaluate(`${row}.querySelector('a, button').click()`)
  await page.waitForFunction(`document.querySelector('main h2')`)
}

async function tryPrompt(page: Page): Promise<void> {
  await (await page.waitForSelector('aria/Prompt'))?.type('The customer jane.doe@example.com asks for an invoice.')
  const model = await page.waitForSelector('aria/Model')
  await model?.evaluate((input) => ((input as unknown as { value: string }).value = ''))
  await model?.type('gpt-demo')
  await (await page.waitForSelector('aria/Try it[role="button"]'))?.click()
  await sleep(2000)
}
