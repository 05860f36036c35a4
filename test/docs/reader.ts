/** Goes through a page block by block, as a reader would who has two terminals and a fresh clone. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { parseConfig } from '../../core/gateway/config/load.ts'
import { validatePlugins } from '../../core/gateway/validate-plugins.ts'
import type { Owner } from '../helpers/gateway.ts'
import { freePorts } from '../helpers/ports.ts'
import { assertPrinted, assertShown } from './answers.ts'
import { type Copy, freshCopy } from './copy.ts'
import { type Block, blocksOf } from './page.ts'
import { type Output, Terminal } from './terminal.ts'

/** What stands in for a text of the page: a free port, a real key for `gw_…`, a receiver on this machine. */
export type StandIns = readonly (readonly [shown: string | RegExp, real: string])[]

export class Reader {
  readonly copy: Copy
  readonly #blocks: readonly Block[]
  readonly #standIns: (readonly [string | RegExp, string])[]
  readonly #main: Terminal
  readonly #other: Terminal
  #next = 0
  /** What to do with blocks of another language, or with `yaml` that is no config of the gateway. */
  readonly others = new Map<string, (text: string) => Promise<void> | void>()
  /** What came from elsewhere than the terminals, such as bodies that a receiver got. */
  arrived = ''

  /** Opens a page. Ports of the page become free ones. */
  static async open(owner: Owner, page: string, env: Readonly<Record<string, string>> = {}): Promise<Reader> {
    const [port, receiver] = await freePorts(2)
    const reader = new Reader(page, { SERVICE_PORT: String(port), ...env }, [
      [/\b8787\b/g, String(port)],
      [/\b9000\b/g, String(receiver)],
    ])
    owner.after(() => reader.close())
    return reader
  }

  private constructor(page: string, env: Readonly<Record<string, string>>, standIns: StandIns) {
    this.copy = freshCopy(page !== 'README.md')
    this.#blocks = blocksOf(page, this.copy.root)
    this.#standIns = [...standIns]
    const open = () => new Terminal(this.copy.root, this.copy.aside, { ...this.copy.env, ...env })
    this.#main = open()
    this.#other = open()
  }

  /** From here on the page means this. */
  stand(shown: string | RegExp, real: string): void {
    this.#standIns.push([shown, real])
  }

  /** What a text of the page means here. */
  meant(text: string): string {
    return this.#standIns.reduce((rest, [shown, real]) => rest.replaceAll(shown, real), text)
  }

  get main(): Terminal {
    return this.#main
  }

  get printed(): string {
    return `${this.#main.printed}\n${this.#other.printed}\n${this.arrived}`
  }

  /** Goes on within a section: so many of its blocks, or all that are left of it. */
  async read(heading: string, count = Number.POSITIVE_INFINITY): Promise<Output[]> {
    const outputs: Output[] = []
    assert.equal(this.#blocks[this.#next]?.heading, heading, 'sections are read in their order')
    const end = this.#next + count
    for (let block = this.#blocks[this.#next]; block?.heading === heading; block = this.#blocks[this.#next]) {
      if (this.#next >= end) break
      this.#next += 1
      if (block.notRun !== undefined) continue
      const output = await this.#do(block).catch((cause: unknown) => {
        throw new Error(`line ${block.line}: ${cause instanceof Error ? cause.message : String(cause)}`)
      })
      if (output !== undefined) outputs.push(output)
    }
    return outputs
  }

  /** Begins the page anew, in the same copy. */
  again(): void {
    this.#next = 0
  }

  /** Fails unless the whole page was read. */
  finish(): void {
    assert.equal(this.#blocks[this.#next]?.heading, undefined)
  }

  /** Ctrl-C where the gateway runs. */
  async stop(): Promise<void> {
    if (this.#main.busy) await this.#main.interrupt()
  }

  async close(): Promise<void> {
    await this.stop().catch(() => undefined)
    const left = [...(await this.#main.close()), ...(await this.#other.close())]
    this.copy.remove()
    assert.deepEqual(left, [], 'the page says how to stop what it starts')
  }

  async #do(block: Block): Promise<Output | undefined> {
    const text = this.meant(block.text)
    if (block.language === 'sh') return this.#run(text)
    const other = this.others.get(block.language)
    if (other !== undefined) await other(text)
    else if (block.language === 'yaml') await checkYaml(text, this.copy.root)
    else if (block.language === 'json') assertShown(text, this.printed)
    else if (block.language === '') assertPrinted(text, this.printed)
    else if (block.language !== 'text') throw new Error(`no way to run a block of ${block.language}`)
    return undefined
  }

  /** A second gateway needs the terminal of the first; everything else goes on beside it. */
  async #run(text: string): Promise<Output> {
    const key = /^ {2}default +(gw_\S+)$/m.exec(this.#main.printed)?.[1]
    const admin = /^ {2}admin +(gw_\S+) {2}\(admin\)$/m.exec(this.#main.printed)?.[1]
    const commands = text.replaceAll('ADMIN_KEY=gw_…', `ADMIN_KEY=${admin}`).replaceAll('gw_…', key ?? 'gw_…')
    const left = /gw_…|sk-…|HASH_OF|_KEY=OPS|req_…|https?:\/\/[^\s'"]*…/.exec(commands)
    assert.equal(left, null, `nothing stands in for ${left?.[0]}`)
    if (!/npm start|kill %/.test(commands)) return (this.#main.busy ? this.#other : this.#main).run(commands)
    await this.stop()
    return this.#main.run(commands)
  }
}

/** A whole config, or a part of one, is what `check` accepts. What it takes from the environment is there. */
export async function checkYaml(text: string, folder: string): Promise<void> {
  const shown = parse(text) as Record<string, unknown>
  const whole = shown.upstreams === undefined ? stringify({ upstreams: { demo: { kind: 'demo' } } }) + text : text
  const env = Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => [
      name,
      'a stand-in for a secret of 32 characters'.replaceAll(' ', '-'),
    ]),
  )
  const config = parseConfig(whole, join(folder, 'shown.yaml'), env)
  assert.deepEqual((await validatePlugins(config, folder)).problems, [])
}

export function save(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}
