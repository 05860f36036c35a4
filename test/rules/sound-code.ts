/** Code in which a linter found nothing: kept in `node_modules/.cache`, so that a run reads only what was edited since. */
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'

const FILE = join(PACKAGE_ROOT, 'node_modules/.cache/sound-code.json')

function kept(): string[] {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8')) as string[]
  } catch {
    return []
  }
}

export class SoundCode {
  readonly #linter: string
  readonly #known = new Set(kept())
  readonly #seen = new Set<string>()

  /** @param linter its version and settings: another one finds other things */
  constructor(linter: string) {
    this.#linter = linter
  }

  has(rules: string, code: string): boolean {
    const key = this.#keyOf(rules, code)
    if (this.#known.has(key)) this.#seen.add(key)
    return this.#known.has(key)
  }

  add(rules: string, code: string): void {
    this.#seen.add(this.#keyOf(rules, code))
  }

  /** What was seen in this run, for the next. */
  keep(): void {
    mkdirSync(dirname(FILE), { recursive: true })
    writeFileSync(FILE, JSON.stringify([...this.#seen]))
  }

  #keyOf(rules: string, code: string): string {
    return hash('sha256', JSON.stringify([this.#linter, rules, code]))
  }
}
