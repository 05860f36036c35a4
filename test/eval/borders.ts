/** Values cut over two messages, and what harmless messages in a row suffer. */
import type { PluginSpec } from '../../core/engine/contract/plugin.ts'
import type { Corpus } from './corpus.ts'
import { Drive } from './drive.ts'
import { Random, seedOf } from './random.ts'

export interface Borders {
  readonly values: number
  /** Of which no letter and no digit is left in the clear. */
  readonly found: number
  readonly missed: readonly string[]
  readonly chats: number
  readonly altered: number
  readonly examples: readonly string[]
}

/** One value of so many is cut, at a place by chance. */
const ONE_OF = 5
const CHATS = 30_000
const ROLES = ['user', 'assistant', 'tool', 'system'] as const

export function measureBorders(specs: ReadonlyMap<string, PluginSpec>, corpora: readonly Corpus[]): Borders {
  return { ...measureCuts(specs, corpora), ...measureChats(specs, corpora) }
}

function measureCuts(specs: ReadonlyMap<string, PluginSpec>, corpora: readonly Corpus[]) {
  const random = new Random(seedOf('cuts'))
  const missed: string[] = []
  let values = 0
  for (const corpus of corpora) {
    if (corpus.kind !== 'positive' || corpus.detectOnly || corpus.plugin === 'injection') continue
    // Names are not looked for over borders, and half an address is often an address.
    if (corpus.group === 'street addresses') continue
    if (corpus.options !== undefined && 'names' in corpus.options) continue
    const drive = new Drive(specs.get(corpus.plugin)!, corpus.options)
    for (const { text, values: known = [] } of corpus.cases()) {
      for (const { start, end } of known) {
        if (end - start < 8 || !random.chance(1 / ONE_OF)) continue
        const covered = drive
          .next()
          .input(text)
          .findings.some((one) => one.start <= start && one.end >= end)
        if (!covered) continue
        values++
        const cut = random.int(start + 2, end - 2)
        const texts = [text.slice(0, cut), text.slice(cut)]
        const { findings } = drive.next().messages(texts.map((part) => ({ role: 'user', text: part })))
        const [left, right] = texts.map((part, i) => without(part, findings[i]!)) as [string, string]
        const rest = left.slice(start) + right.slice(0, end - cut)
        if (/[\p{L}\p{N}]/u.test(rest)) missed.push(JSON.stringify(texts))
      }
    }
  }
  return { values, found: values - missed.length, missed }
}

/** The text with a blank for each character that is found. */
function without(text: string, findings: readonly { readonly start: number; readonly end: number }[]): string {
  let out = text
  for (const { start, end } of findings) out = out.slice(0, start) + ' '.repeat(end - start) + out.slice(end)
  return out
}

function measureChats(specs: ReadonlyMap<string, PluginSpec>, corpora: readonly Corpus[]) {
  const random = new Random(seedOf('chats'))
  const texts = corpora.filter(({ kind }) => kind === 'harmless').flatMap((corpus) => corpus.cases())
  const drives = [...specs.values()].map((spec) => new Drive(spec))
  const examples: string[] = []
  for (let i = 0; i < CHATS; i++) {
    const said = Array.from({ length: random.int(2, 4) }, () => ({
      role: random.pick(ROLES),
      text: random.pick(texts).text.slice(-2000),
    }))
    if (drives.some((drive) => drive.next().messages(said).overBorders))
      examples.push(JSON.stringify(said.map(({ role, text }) => [role, text.slice(0, 60), text.slice(-60)])))
  }
  return { chats: CHATS, altered: examples.length, examples }
}
