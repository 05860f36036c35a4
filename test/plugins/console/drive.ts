/** What a person, or a program that assists one, does with the console in a browser. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'

/** Undefined where none is installed. */
export const CHROMIUM = ['chromium-headless-shell', 'chromium', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path))

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Hour = Partial<
  Record<'requests' | 'blocked' | 'p50_ms' | 'p95_ms' | 'prompt_tokens' | 'completion_tokens' | 'usd', number>
>

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[]
}

/** @param problems gets the errors that the page logs, except refused requests, which tests expect */
export async function openBrowser(problems: string[]): Promise<{ browser: Browser; page: Page }> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage']
  const browser = await puppeteer.launch({ executablePath: CHROMIUM as string, args, timeout: 60_000 })
  const page = await browser.newPage()
  page.setDefaultTimeout(30_000)
  // By default it looks at each frame, for which the page is drawn.
  const wait = page.waitForFunction.bind(page)
  page.waitForFunction = (look, options, ...args) => wait(look, { polling: 50, ...options }, ...args)
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    // A refused request is a line of its own.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
  })
  return { browser, page }
}

/** @param page once it is open */
export function drive(page: () => Page) {
  const text = async (): Promise<string> => page().$eval('main', (main) => main.textContent ?? '')
  const shows = (what: string) =>
    page().waitForFunction(`document.querySelector('main')?.textContent?.includes(${JSON.stringify(what)})`)
  const told = (where: string, what: string) =>
    page().waitForFunction(`document.querySelector('${where}')?.textContent?.includes(${JSON.stringify(what)})`)
  const fill = async (label: string, value: string): Promise<void> => {
    const input = await page().waitForSelector(`aria/${label}`)
    await input?.evaluate((element) => ((element as unknown as { value: string }).value = ''))
    await input?.type(value)
  }
  /** A button that is drawn anew meanwhile is looked up again. */
  const press = (label: string): Promise<void> => page().locator(`aria/${label}[role="button"]`).click()
  const section = (name: string, what: string) => told(`section[aria-label="Settings of ${name}"]`, what)
  const fillIn = async (name: string, label: string, value: string): Promise<void> => {
    const inputs = await page().$$(`section[aria-label="Settings of ${name}"] .field`)
    for (const one of inputs) {
      if ((await one.$eval('label', (element) => element.textContent)) === label)
        await (await one.$('input'))?.type(value)
    }
  }
  /** The cells of a table, by the beginning of its caption. */
  const rows = async (caption: string): Promise<string[][]> =>
    (await page().evaluate(`[...document.querySelectorAll('main table')]
      .filter((one) => one.caption.textContent.startsWith(${JSON.stringify(caption)}))
      .flatMap((one) => [...one.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)))`)) as never
  /** That a plot, and its table, show the hours of the API. */
  const drawn = async (
    title: string,
    hours: readonly Hour[],
    series: readonly ((hour: Hour) => number | undefined)[],
  ) => {
    const values = hours.map((hour) => series.map((value) => value(hour) ?? 0))
    const most = Math.max(...values.flat())
    const { top, lines } = (await page().evaluate(`{
      const figure = [...document.querySelectorAll('figure')].find((one) => one.textContent.startsWith('${title}'))
      const lines = [...figure.querySelectorAll('path:not(.area)')].map((path) => path.getAttribute('d'))
      ;({ top: figure.querySelector('svg text').textContent, lines })
    }`)) as { top: string; lines: string[] }
    const near = (shown: string, value: number) =>
      Math.abs(Number(shown.replaceAll(',', '')) - value) <= value * 0.006 + 1e-9
    assert.ok(near(top, most), `${title}: ${top}, not ${most}`)
    const told = (await rows(`${title}, `)).filter(([, ...cells]) => cells.some((cell) => cell !== '0'))
    const used = values.filter((row) => row.some((value) => value !== 0))
    assert.equal(told.length, used.length, title)
    for (const [i, [, ...cells]] of told.entries()) {
      for (const [j, cell] of cells.entries())
        assert.ok(near(cell, used[i]?.[j] ?? -1), `${title}: ${cell}, not ${used[i]?.[j]}`)
    }
    // From 128, which is nothing, up to 10, which is the most.
    for (const [j, line] of lines.entries()) {
      const highest = Math.min(...[...line.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y)))
      const share = Math.max(...values.map((row) => row[j] ?? 0)) / most
      assert.ok(Math.abs(128 - highest - share * 118) < 0.2, `${title}: line ${j} reaches ${highest}`)
    }
  }
  const open = async (id: string, title: string): Promise<void> => {
    // One that a failed test left open.
    await page().evaluate(`document.querySelector('dialog')?.close()`)
    await page().click(`nav a[href="#${id}"]`)
    await page().waitForFunction(`document.querySelector('h1')?.textContent === ${JSON.stringify(title)}`)
  }
  /** Problems that assistive technology would have with what is shown, or with one part of it. */
  const inaccessible = async (rules = '{}', within = 'document'): Promise<string[]> => {
    // Not by a script element: the page's policy forbids it.
    if ((await page().evaluate('typeof axe')) === 'undefined') await page().evaluate(AXE)
    const result = (await page().evaluate(`axe.run(${within}, ${rules})`)) as AxeResult
    return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
  }
  return { text, shows, told, fill, press, section, fillIn, rows, drawn, open, inaccessible }
}
