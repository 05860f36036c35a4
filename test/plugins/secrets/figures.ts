/**
 * Recall, precision and cost of the defaults. `node --import tsx --conditions=governed-gateway-source
 * test/plugins/secrets/figures.ts`
 */
import { readFileSync } from 'node:fs'
import { buildAnchors } from '../../../plugins/secrets/anchors.ts'
import plugin from '../../../plugins/secrets/index.ts'
import { KINDS } from '../../../plugins/secrets/kinds/index.ts'
import { findAll } from '../../../plugins/secrets/stream.ts'
import { harness } from '../../helpers/detector.ts'
import { secretCases } from './data/cases.ts'
import { type HarmlessCase, harmlessCases } from './data/harmless.ts'

const redacting = harness(plugin as never, { input: 'redact' })
const scanner = { anchors: buildAnchors(KINDS, true), minEntropy: 3 }

export async function recall(count: number, seed: number): Promise<{ family: string; found: number; of: number }[]> {
  const rows = new Map<string, { family: string; found: number; of: number }>()
  for (const { family, text, value } of secretCases(count, seed)) {
    const row = rows.get(family) ?? { family, found: 0, of: 0 }
    rows.set(family, row)
    row.of++
    if (!(await redacting.input(text)).text.includes(value)) row.found++
  }
  return [...rows.values()]
}

export async function precision(cases: readonly HarmlessCase[]): Promise<{ altered: string[]; of: number }> {
  const altered: string[] = []
  for (const { text } of cases) if ((await redacting.input(text)).text !== text) altered.push(text.slice(0, 120))
  return { altered, of: cases.length }
}

/** Best of five, milliseconds. */
export function costOf(text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const from = performance.now()
    findAll(scanner, [], text, '')
    best = Math.min(best, performance.now() - from)
  }
  return best
}

const LONG = 'aB1-'.repeat(55)
export const WORST: Readonly<Record<string, string>> = {
  labels: 'password: a ',
  'labels in prose': 'password is ',
  'labels that qualify': 'api key ',
  'labels without end': 'token=',
  'quoted labels': 'secret: "a',
  'label words': 'password for a b c d e ',
  'CJK labels': '密码',
  prefixes: 'xoxb-',
  'long bodies': `sk-${LONG}`,
  'long values': `token=${LONG}`,
  'long passwords': `password=${'a-1'.repeat(70)}`,
  jwt: 'eyJhbGciOiJIUzI1NiJ9.',
  pem: '-----BEGIN PRIVATE KEY-----\nComment: ',
  'pem markers': '-----BEGIN ',
  urls: 'a://b:',
  'urls with users': 'x://a:b/c?@',
  telegram: '12345678:',
  headers: 'Authorization: ',
  elements: '<password>',
  dashes: '-',
  spaces: ' ',
  letters: 'a',
  wide: 'é',
}

if (process.argv[1]?.endsWith('figures.ts') === true) {
  const lines: string[] = [`types: ${KINDS.length} in tables`]
  for (const { family, found, of } of await recall(25, 97))
    lines.push(`recall ${family}: ${((100 * found) / of).toFixed(2)} % (${found} of ${of})`)
  const { altered, of } = await precision(harmlessCases(200, 101))
  lines.push(`harmless altered: ${altered.length} of ${of}`)
  const prose = readFileSync(new URL('../../../plugins/secrets/README.md', import.meta.url), 'utf8')
    .repeat(4)
    .slice(0, 16_384)
  const code = readFileSync(new URL('../../../plugins/secrets/scan.ts', import.meta.url), 'utf8')
    .repeat(4)
    .slice(0, 16_384)
  for (const [name, text] of [
    ['README', prose],
    ['code', code],
  ] as const) {
    for (let i = 0; i < 200; i++) costOf(text)
    lines.push(`cost ${name}: ${((costOf(text) * 1000) / 16).toFixed(1)} µs/KB`)
  }
  const worst = Object.entries(WORST).map(
    ([name, piece]) => [name, costOf(piece.repeat(Math.ceil(50_000 / piece.length)).slice(0, 50_000))] as const,
  )
  for (const [name, ms] of worst.sort((a, b) => b[1] - a[1]).slice(0, 3))
    lines.push(`worst 50 KB: ${ms.toFixed(1)} ms (${name})`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
