/** Every reading, place, form and shape once for itself, so that each class is known to hold or to fail. */
import { ASKS, REPLIES } from './attacks.ts'
import { CARRIERS } from './carriers.ts'
import { type Case, PACES, tagsOf } from './case.ts'
import { LEAVINGS } from './client.ts'
import { CODINGS } from './codings.ts'
import { CONFIGS, type ConfigName } from './configs.ts'
import { isExcluded } from './exclusions.ts'
import { FOREIGN } from './foreign.ts'
import { isPending } from './pending.ts'
import { IN_PLACES } from './places-in.ts'
import { canPlay, OUT_PLACES } from './places-out.ts'
import { READING_NAMES } from './readings.ts'
import { SPELLINGS } from './respell.ts'
import { ROUTE_ASKS } from './routes.ts'
import { LISTS, storedPlaces } from './stored-places.ts'
import { TALKS } from './talks.ts'
import { LINK_FORMS } from './tokens.ts'
import { KINDS } from './values.ts'
import { WARMTHS } from './warm.ts'
import { ENDINGS, FRAMINGS, INDEXES, MIXES, SPLITS } from './wire.ts'
import type { Worlds } from './worlds.ts'

const BASE: Case = {
  config: 'redact',
  side: 'input',
  place: 'user-content',
  kind: 'email',
  second: 'none',
  value: 1,
  reading: 'plain',
  outer: 'plain',
  stream: false,
  carrier: 'sentence',
  mix: 'none',
  cuts: [],
  pace: 'cuts',
  json: 'plain',
  framing: 'lf',
  split: 'events',
  ending: 'normal',
  indexes: 'normal',
  coding: 'none',
  leaves: 'stays',
  twin: false,
  warm: 'cold',
}

const OUT: Partial<Case> = { side: 'output', place: 'content', stream: true }

/** Each row is a class; its cases must all hold. */
export function grid(seed: number): Map<string, Case[]> {
  const rows = new Map<string, Case[]>()
  let value = seed
  const add = (row: string, part: Partial<Case>): void => {
    value += 7919
    const x: Case = { ...BASE, ...part, value }
    rows.set(row, [...(rows.get(row) ?? []), x])
  }
  for (const kind of KINDS) {
    for (const config of Object.keys(CONFIGS) as ConfigName[]) {
      const { input, output } = CONFIGS[config] as { input: readonly string[]; output: readonly string[] }
      if (input.includes(kind) || config === 'monitor') add(`kind:${kind}`, { config, kind })
      if (!output.includes(kind)) continue
      add(`kind:${kind}`, { ...OUT, config, kind })
      add(`kind:${kind}`, { ...OUT, config, kind, cuts: [120, 340, 500, 560, 780] })
      add(`kind:${kind}`, { ...OUT, config, kind, stream: false })
    }
    if (kind === 'aws_letters') continue
    for (const reading of READING_NAMES) {
      add(`input reading:${reading}`, { reading, kind })
      add(`output reading:${reading}`, { ...OUT, reading, kind, cuts: [300, 420, 510, 640] })
    }
    for (const carrier of CARRIERS) {
      add(`carrier:${carrier}`, { carrier, kind })
      add(`carrier:${carrier}`, { ...OUT, carrier, kind, cuts: [300, 420, 510, 640] })
      add(`carrier:${carrier}`, { ...OUT, carrier, kind, stream: false })
    }
    for (const pace of PACES) {
      for (const reading of READING_NAMES) add(`pace:${pace} ${reading}`, { ...OUT, pace, reading, kind })
    }
    for (const json of SPELLINGS) {
      add(`json:${json}`, { json, kind })
      add(`json:${json}`, { ...OUT, json, kind, stream: false })
      add(`json:${json}`, { ...OUT, json, kind, cuts: [300, 420, 510, 640] })
    }
    for (const other of KINDS) {
      add(`second:${other}`, { kind, second: other })
      add(`second:${other}`, { ...OUT, kind, second: other, pace: 'tokens' })
      add(`second:${other}`, { ...OUT, config: 'mixed', kind, second: other, stream: false })
    }
    for (const warm of WARMTHS)
      for (const config of ['redact', 'mixed', 'block'] as const)
        add(`warm:${warm}`, { config, kind, warm, carrier: 'late' })
    for (const mix of MIXES) add(`mix:${mix}`, { ...OUT, mix, kind, cuts: [250, 400, 500, 750] })
    for (const place of Object.keys(REPLIES.chat)) {
      add(`reply:${place}`, { ...OUT, side: 'reply', place, kind })
      add(`reply:${place}`, { ...OUT, side: 'reply', place, kind, stream: false })
    }
    for (const place of Object.keys(TALKS)) {
      for (const config of ['redact', 'tokenize', 'block'] as const) {
        const { input } = CONFIGS[config] as { input: readonly string[] }
        if (!input.includes(kind)) continue
        add(`talk:${place}`, { side: 'talk', config, place, kind })
        add(`talk:${place}`, { side: 'talk', config, place, kind, stream: true, pace: 'tokens' })
      }
    }
    for (const isStream of [false, true]) {
      for (const [at, place] of storedPlaces(isStream).entries())
        if (Object.hasOwn(LISTS, place) || at % 32 === 0)
          add(`stored:${place}`, { side: 'stored', place, kind, stream: isStream })
    }
    for (const place of Object.keys(ASKS)) add(`ask:${place}`, { side: 'ask', place, kind })
    for (const [at, place] of Object.keys(ROUTE_ASKS).entries())
      if (at % KINDS.length === KINDS.indexOf(kind)) add(`route:${place.split(' ')[0]}`, { side: 'route', place, kind })
    for (const ending of ENDINGS) add(`ending:${ending}`, { ...OUT, kind, ending, cuts: [250, 500, 750] })
    for (const framing of FRAMINGS) add(`framing:${framing}`, { ...OUT, kind, framing, cuts: [250, 500, 750] })
    for (const split of SPLITS) add(`split:${split}`, { ...OUT, kind, split, cuts: [250, 500, 750] })
    for (const indexes of INDEXES) add(`indexes:${indexes}`, { ...OUT, kind, indexes, cuts: [250, 500, 750] })
    for (const coding of CODINGS) {
      add(`coding:${coding}`, { ...OUT, kind, coding, cuts: [250, 500, 750] })
      add(`coding:${coding}`, { ...OUT, kind, coding, stream: false })
    }
    for (const leaves of LEAVINGS) {
      add(`leaves:${leaves}`, { ...OUT, kind, leaves, cuts: [250, 500, 750], split: 'bytes' })
      add(`leaves:${leaves}`, { kind, leaves })
    }
    for (const config of ['redact', 'tokenize'] as const)
      add('twin', { ...OUT, config, kind, twin: true, carrier: 'twice', cuts: [120, 340, 500, 560, 780] })
    if (kind === 'email' || kind === 'pem') {
      add('far', { kind, carrier: 'far' })
      add('far', { ...OUT, kind, carrier: 'far', cuts: [300, 420, 999] })
      add('far', { ...OUT, kind, carrier: 'far', stream: false })
    }
    for (const place of Object.keys(IN_PLACES)) {
      add(`place:input:${place}`, { place, kind })
      add(`cut place:input:${place}`, { place, kind, cuts: [250, 500, 750] })
    }
    for (const [place, one] of Object.entries(OUT_PLACES)) {
      if (canPlay(one, true)) add(`streamed place:output:${place}`, { ...OUT, place, kind })
      if (canPlay(one, true)) add(`streamed cut place:output:${place}`, { ...OUT, place, kind, cuts: [250, 500, 750] })
      if (canPlay(one, false)) add(`buffered place:output:${place}`, { ...OUT, place, kind, stream: false })
    }
  }
  for (const [place, one] of Object.entries(OUT_PLACES)) {
    if (canPlay(one, true)) add(`clean:${place}`, { ...OUT, side: 'clean', place, cuts: [250, 500, 750] })
    if (canPlay(one, false)) add(`clean:${place}`, { ...OUT, side: 'clean', place, stream: false })
  }
  for (const place of Object.keys(IN_PLACES)) add(`clean:input:${place}`, { side: 'clean-input', place, cuts: [500] })
  for (const place of Object.keys(LINK_FORMS)) {
    const token: Partial<Case> = { config: 'tokenize', side: 'token', place }
    for (const kind of ['email', 'card', 'ip'] as const) {
      add(`token:${place}`, { ...token, kind })
      add(`token:${place}`, { ...token, kind, stream: true, cuts: [200, 400, 600, 800] })
      add(`token:${place}`, { ...token, kind, stream: true, cuts: Array.from({ length: 60 }, (_, i) => i * 16 + 8) })
    }
  }
  for (const place of Object.keys(FOREIGN)) {
    const foreign: Partial<Case> = { config: 'tokenize', side: 'foreign', place }
    for (const kind of ['email', 'phone', 'ip'] as const) {
      add(`foreign:${place}`, { ...foreign, kind })
      add(`foreign:${place}`, { ...foreign, kind, stream: true, pace: 'tokens' })
    }
  }
  for (const [place, one] of Object.entries(OUT_PLACES)) {
    const returned: Partial<Case> = { config: 'tokenize', side: 'return', place }
    if (canPlay(one, true)) add(`return:${place}`, { ...returned, stream: true, cuts: [250, 500, 750] })
    if (canPlay(one, false)) add(`return:${place}`, returned)
  }
  return rows
}

export interface Row {
  name: string
  done: number
  /** Cases that fail, with their faults. */
  failed: { case: Case; faults: readonly string[] }[]
}

export async function runGrid(
  worlds: Worlds,
  rows: ReadonlyMap<string, readonly Case[]>,
  pending: boolean,
  onRow: (row: Row) => void,
  /** Of each row only some, other ones in other rows. */
  mostOf: (row: string) => number = () => Number.POSITIVE_INFINITY,
): Promise<void> {
  let turn = 0
  for (const [name, all] of rows) {
    turn += 1
    const most = mostOf(name)
    const list =
      all.length <= most ? all : Array.from({ length: most }, (_, i) => all[(turn + i * 4) % all.length] as Case)
    const row: Row = { name, done: 0, failed: [] }
    for (const x of list) {
      if (isExcluded(x) || (!pending && isPending(tagsOf(x)))) continue
      row.done += 1
      const { faults } = await worlds.judge(x)
      if (faults.length > 0) row.failed.push({ case: x, faults })
    }
    onRow(row)
  }
}
