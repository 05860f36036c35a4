/**
 * `npm run eval:detection`: how much is found, what harmless text suffers, what a stream holds back, and what it all
 * costs, each against its limit. Add `--verbose` for examples, names of corpora or groups to run only these.
 */
import { readdirSync } from 'node:fs'
import type { PluginSpec, TextView } from '../../core/engine/contract/plugin.ts'
import { bundledPlugins, loadPlugin } from '../../core/engine/host/loader.ts'
import { PACKAGE_ROOT } from '../../core/engine/util/package.ts'
import { measureArguments, measureSecretArguments } from './arguments.ts'
import { measureBorders } from './borders.ts'
import type { Corpus } from './corpus.ts'
import { Drive } from './drive.ts'
import * as limits from './limits.ts'
import {
  average,
  type Harm,
  measureCost,
  measureHarm,
  measureRecall,
  measureTokenCost,
  measureWorst,
  percentile,
  type Recall,
} from './measure.ts'
import { measureRestoration } from './restoration.ts'
import { worstTexts } from './worst.ts'

const verbose = process.argv.includes('--verbose')
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
let failures = 0

const print = (line = ''): void => void process.stdout.write(`${line}\n`)
const percent = (share: number): string => `${(share * 100).toFixed(1)}`.padStart(6)

function verdict(ok: boolean): string {
  if (!ok) failures++
  return ok ? 'ok' : 'BELOW LIMIT'
}

async function corpora(): Promise<Corpus[]> {
  const folder = new URL('./corpora/', import.meta.url)
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .sort()
  const all: Corpus[] = []
  for (const file of files)
    all.push(...(((await import(new URL(file, folder).href)) as { default?: Corpus[] }).default ?? []))
  return all.filter(
    (corpus) => wanted.length === 0 || wanted.some((name) => corpus.name.includes(name) || corpus.group === name),
  )
}

async function plugins(): Promise<Map<string, PluginSpec>> {
  const found = new Map<string, PluginSpec>()
  for (const name of bundledPlugins()) {
    if (['pii', 'secrets', 'injection'].includes(name)) found.set(name, await loadPlugin(name, PACKAGE_ROOT))
  }
  await prepare(found.get('injection') as PluginSpec)
  return found
}

/** A first text waits for tables that are made in turns; a drive waits for nothing. */
async function prepare(spec: PluginSpec): Promise<void> {
  const { instance, x } = new Drive(spec)
  const text = { text: 'What is the weather?', role: 'user', channel: 'content', hold() {}, report() {} }
  await instance.detect?.(text as unknown as TextView, x)
}

function reportRecall(rows: readonly { corpus: Corpus; recall: Recall }[]): void {
  print(`${'Recall, % of values'.padEnd(40)}values  whole  chars tokens  bytes`)
  for (const { corpus, recall } of rows) {
    const cells = [recall.buffered, recall.characters, recall.tokens, recall.bytes].map((n) =>
      percent(n / recall.values),
    )
    print(`  ${corpus.name.padEnd(36)}${String(recall.values).padStart(8)} ${cells.join(' ')}`)
    if (verbose) for (const text of recall.missed) print(`      missed in ${JSON.stringify(text)}`)
  }
  for (const [group, least] of Object.entries(limits.MIN_RECALL)) {
    const members = rows.filter(({ corpus }) => corpus.group === group)
    if (members.length === 0) {
      // A run of everything that lacks a group must not pass for one that reached its limit.
      if (wanted.length === 0) print(`= ${group.padEnd(36)}       0  no values  ${verdict(false)}`)
      continue
    }
    const sum = (pick: (recall: Recall) => number) => members.reduce((total, { recall }) => total + pick(recall), 0)
    const values = sum((recall) => recall.values)
    const whole = sum((recall) => recall.buffered) / values
    const streamed =
      Math.min(
        sum((recall) => recall.characters),
        sum((recall) => recall.tokens),
        sum((recall) => recall.bytes),
      ) / values
    const ok = whole >= least && streamed >= whole - limits.MAX_STREAM_LOSS
    print(
      `= ${group.padEnd(36)}${String(values).padStart(8)} ${percent(whole)}  streamed ${percent(streamed)}  at least ${percent(least)}  ${verdict(ok)}`,
    )
  }
}

function reportHarm(rows: readonly { corpus: Corpus; harm: Harm }[]): void {
  print(`${'\nHarmless text'.padEnd(41)}texts  altered %   hold: average  p95  longest`)
  const held: number[] = []
  const heldNames: number[] = []
  const waited: number[] = []
  const explained: Harm['explained'][number][] = []
  for (const { corpus, harm } of rows) {
    const share = harm.altered / harm.texts
    const most = limits.MAX_ALTERED[corpus.group] ?? 0
    const named = corpus.options !== undefined && 'names' in corpus.options
    for (const n of harm.held) (named ? heldNames : held).push(n)
    if (!named && corpus.group !== 'near misses') {
      for (const n of harm.waited) waited.push(n)
      explained.push(...harm.explained)
    }
    const hold = `${average(harm.held).toFixed(2).padStart(18)} ${String(percentile(harm.held, 0.95)).padStart(4)} ${String(harm.held.at(-1) ?? 0).padStart(8)}`
    print(
      `  ${corpus.name.padEnd(36)}${String(harm.texts).padStart(8)} ${percent(share)} ${hold}  at most ${percent(most)}  ${verdict(share <= most)}`,
    )
    if (verbose) for (const example of harm.examples) print(`      ${example}`)
  }
  reportHold('hold-back with names', heldNames, limits.MAX_HOLD_NAMES)
  if (held.length === 0) return
  reportHold('hold-back', held, limits.MAX_HOLD)
  if (waited.length === 0) return
  waited.sort((a, b) => a - b)
  reportFirstOutput(waited, explained)
}

function reportHold(name: string, held: number[], most: { average: number; p95: number; longest: number }): void {
  if (held.length === 0) return
  held.sort((a, b) => a - b)
  const [mean, p95, longest] = [average(held), percentile(held, 0.95), held.at(-1)!]
  const ok = mean <= most.average && p95 <= most.p95 && longest <= most.longest
  print(
    `= ${name}: average ${mean.toFixed(2)} (≤ ${most.average}), p95 ${p95} (≤ ${most.p95}), longest ${longest} (≤ ${most.longest})  ${verdict(ok)}`,
  )
}

function reportFirstOutput(waited: readonly number[], explained: Harm['explained']): void {
  const most = limits.MAX_FIRST_OUTPUT
  const all = [...waited, ...explained.map(({ pieces }) => pieces)].sort((a, b) => a - b)
  const [p95, longest] = [percentile(all, 0.95), waited.at(-1)!]
  print(
    `= first output: average ${average(all).toFixed(2)} tokens later, p95 ${p95} (≤ ${most}), longest ${longest} (≤ ${most})  ${verdict(Math.max(p95, longest) <= most)}`,
  )
  const share = explained.length / all.length
  print(
    `= first output where a text opens like a value: ${explained.length} of ${all.length} texts (≤ ${percent(limits.MAX_OPENING_LIKE_VALUES).trim()} %), longest ${Math.max(0, ...explained.map(({ pieces }) => pieces))}  ${verdict(share <= limits.MAX_OPENING_LIKE_VALUES)}`,
  )
  const openings = new Map(explained.map(({ opening, pieces }) => [opening, pieces]))
  if (verbose) for (const [opening, pieces] of openings) print(`      ${pieces} ${JSON.stringify(opening)}`)
}

function reportArguments(specs: ReadonlyMap<string, PluginSpec>, corpora: readonly Corpus[]): void {
  const { calls, rewritten, broken } = measureArguments(specs, corpora)
  const ok = broken.length <= limits.MAX_BROKEN_ARGUMENTS
  print(`\nTool arguments: ${broken.length} of ${rewritten} rewritten (${calls} in all) broken  ${verdict(ok)}`)
  if (verbose) for (const line of broken.slice(0, 20)) print(`      ${line}`)
  const secrets = measureSecretArguments(specs, corpora)
  const share = secrets.found / secrets.values
  const least = limits.MIN_SECRETS_IN_ARGUMENTS
  print(
    `  secrets in them: ${secrets.found} of ${secrets.values} found, ${percent(share)} % (≥ ${percent(least)})  ${verdict(share >= least)}`,
  )
  if (verbose) for (const line of secrets.missed.slice(0, 20)) print(`      ${line}`)
}

function reportCost(specs: readonly PluginSpec[], harmless: readonly Corpus[]): void {
  const names = specs.map((spec) => spec.name).join(' + ')
  print(`\nCost, ${names}`)
  const cases = harmless
    .filter((corpus) => corpus.plugin === 'pii' && corpus.group !== 'near misses')
    .flatMap((corpus) => corpus.cases().slice(0, 150))
  const text = measureCost(specs, cases)
  print(
    `  ordinary text: ${text.each.toFixed(1)} µs per KB, ${text.ratio.toFixed(1)} times the yardstick (≤ ${limits.MAX_TEXT_RATIO})  ${verdict(text.ratio <= limits.MAX_TEXT_RATIO)}`,
  )
  const token = measureTokenCost(specs, cases)
  print(
    `  a streamed token: ${token.each.toFixed(2)} µs, ${token.ratio.toFixed(1)} times the yardstick (≤ ${limits.MAX_TOKEN_RATIO}), core views included  ${verdict(token.ratio <= limits.MAX_TOKEN_RATIO)}`,
  )
  const times = worstTexts().map(({ name, text }) => ({ name, best: measureWorst(specs, text) }))
  times.sort((a, b) => b.best - a.best)
  print(
    `  50 KB of the worst text: ${times[0]!.best.toFixed(1)} ms (≤ ${limits.MAX_WORST_MS}), ${times[0]!.name}  ${verdict(times[0]!.best <= limits.MAX_WORST_MS)}`,
  )
  if (verbose) for (const { name, best } of times.slice(1, 12)) print(`      ${best.toFixed(1)} ms ${name}`)
}

function reportRestoration(spec: PluginSpec): void {
  const { trips, exact, failed } = measureRestoration(spec)
  print(
    `\nTokenise, restore: ${exact} of ${trips} exact, ${percent(exact / trips)} % (≥ ${percent(limits.MIN_RESTORED)})  ${verdict(exact / trips >= limits.MIN_RESTORED)}`,
  )
  if (verbose) for (const line of failed) print(`      ${line}`)
}

function reportBorders(specs: ReadonlyMap<string, PluginSpec>, corpora: readonly Corpus[]): void {
  const { values, found, missed, chats, altered, examples } = measureBorders(specs, corpora)
  const least = limits.MIN_CUT_RECALL
  print(
    `\nCut over two messages: ${found} of ${values} values found, ${percent(found / values)} % (≥ ${percent(least)})  ${verdict(found / values >= least)}`,
  )
  const most = limits.MAX_CHATS_ALTERED
  print(`  harmless chats altered over a border: ${altered} of ${chats}  ${verdict(altered / chats <= most)}`)
  if (verbose) for (const line of [...missed.slice(0, 20), ...examples]) print(`      ${line}`)
}

const specs = await plugins()
const all = (await corpora()).filter((corpus) => specs.has(corpus.plugin))
const positive = all.filter((corpus) => corpus.kind === 'positive')
reportRecall(positive.map((corpus) => ({ corpus, recall: measureRecall(specs.get(corpus.plugin)!, corpus) })))
const harmless = all.filter((corpus) => corpus.kind === 'harmless')
reportHarm(harmless.map((corpus) => ({ corpus, harm: measureHarm(specs.get(corpus.plugin)!, corpus) })))
if (wanted.length === 0) {
  reportCost(
    [...specs.values()].filter((spec) => spec.name !== 'injection'),
    harmless,
  )
  const pii = specs.get('pii')
  if (pii !== undefined) reportRestoration(pii)
  reportArguments(
    specs,
    positive.filter((corpus) => corpus.plugin !== 'injection'),
  )
  reportBorders(specs, all)
}
print(failures === 0 ? '\nEvery limit is kept.' : `\n${failures} limits are not kept.`)
process.exitCode = failures === 0 ? 0 : 1
