import { type Direction, defineFact, definePlugin, type Exchange, type TextView } from 'governed-gateway'
import { warmUp } from 'governed-gateway/kit'
import { FLAG_VALUES, type FlagValue, type Plan, planOf } from './actions.ts'
import { checkOptions } from './check-options.ts'
import type { Columns } from './engine/columns.ts'
import { mayAnswer } from './engine/question.ts'
import { MAX_ADDRESS, MAX_MATCH } from './engine/scanner.ts'
import { Finder } from './finder.ts'
import type { Found } from './found.ts'
import { memberContext } from './member.ts'
import { NAME_KINDS } from './names/kinds.ts'
import { Restorer, type Span } from './restorer.ts'
import { type Options, schema } from './schema.ts'
import { SAMPLE } from './warm-up.ts'

/** Longer texts are not read again at each call: only new text, and this many characters before it. */
const MARGIN = 4 * MAX_MATCH
/** Characters of a long complete text to read in one turn; more than any match of the operator's patterns. */
const TURN_LENGTH = 32 * 1024

export default definePlugin({
  name: 'pii',
  description: 'Finds personal data in requests and replies, and redacts, tokenises or blocks it',
  lookbehind: 0,
  maxBuffered: MAX_ADDRESS + 32,
  schema,
  flags: { pii: { values: FLAG_VALUES, option: 'action', aliases: { reversible: 'tokenize', mask: 'redact' } } },
  events: { 'pii.detected': { severity: 'detection', title: 'Personal data detected', category: 'data' } },
  create(options, services) {
    checkOptions(options)
    const finder = new Finder(options)
    const restorer = new Restorer(
      services.subkey('pii-tokens'),
      options.restore_tool_arguments,
      finder.kinds.map((kind) => kind.type),
    )
    const plans = new Plans(options, finder)
    let stopWarming = () => {}
    return {
      start() {
        // As a whole text, and as a chunk of a stream: near the end of unfinished text all patterns matter.
        const finds = SAMPLE.split('\n').flatMap((line) =>
          [true, false].map((final) => () => void finder.find(line, 0, final, () => undefined)),
        )
        stopWarming = warmUp([() => finder.prepare(), ...finds])
      },
      stop: () => stopWarming(),
      // Tokenised findings have a `replace`, so the core does not remember them.
      memoKey: (x) => String(x.flag('pii')),
      detect(view, x) {
        const plan = plans.of(view.direction, x)
        const spans = view.direction === 'output' ? restorer.restore(view, x) : restorer.escape(view, x, plan)
        if (plan.treatments.size === 0) return
        const onFound = (found: Found) => report(view, x, plan, found, restorer, spans)
        if (view.answer !== undefined) return scanAnswer(finder, view.text, view.answer, onFound)
        return view.final && view.text.length > TURN_LENGTH
          ? scanLongView(finder, view, x, onFound)
          : scanView(finder, view, columnsOf(finder, view, x), onFound)
      },
    }
  },
})

/** Treatments by direction and value of the flag, computed once. */
class Plans {
  readonly #options: Options
  readonly #finder: Finder
  readonly #known = { input: new Map<unknown, Plan>(), output: new Map<unknown, Plan>() }

  constructor(options: Options, finder: Finder) {
    this.#options = options
    this.#finder = finder
  }

  of(direction: Direction, x: Exchange): Plan {
    const flag = x.flag('pii') as FlagValue | undefined
    const known = this.#known[direction]
    let plan = known.get(flag)
    if (plan === undefined) {
      plan = planOf(this.#options, this.#finder.kinds, direction, flag)
      known.set(flag, plan)
    }
    return plan
  }
}

const contextOf = ({ context }: Finder, view: TextView): string =>
  view.before === '' ? memberContext(view) : view.before.slice(-context)

/** Of texts that grow, by the id of their view. */
const columnsFact = defineFact<Map<number, Columns>>('pii/columns')

/** Not a single line, unless it has a table of HTML or rows of SQL. */
const mayHaveTables = (text: string): boolean =>
  text.includes('\n') || text.includes('<') || text.includes('values') || text.includes('VALUES')

/** What is known of tables and lists in a text; undefined if it can have none. */
function columnsOf(finder: Finder, view: TextView, x: Exchange): Columns | undefined {
  let growing = x.facts.get(columnsFact)
  const known = growing?.get(view.id)
  if (view.final) {
    growing?.delete(view.id)
    return known ?? (mayHaveTables(view.text) ? finder.columnsFrom(view.offset) : undefined)
  }
  if (known !== undefined) return known
  if (growing === undefined) {
    growing = new Map()
    x.facts.set(columnsFact, growing)
  }
  const columns = finder.columnsFrom(view.offset)
  growing.set(view.id, columns)
  return columns
}

/** Runs the detectors over new text, and holds text that may still become a value. */
function scanView(finder: Finder, view: TextView, columns: Columns | undefined, report: (found: Found) => void): void {
  const left = contextOf(finder, view)
  const text = left === '' ? view.text : left + view.text
  const from = left.length + (view.fresh > MARGIN ? startOfWord(view.text, view.fresh - MARGIN) : 0)
  const shifted = (found: Found) => report({ ...found, start: found.start - left.length, end: found.end - left.length })
  columns?.read(text, view.offset - left.length)
  const hold = finder.find(text, from, view.final, shifted, columns, view.direction === 'input')
  if (!view.final && hold < text.length) view.hold(Math.max(0, hold - left.length))
}

/** What only the question names: a number alone may be any. */
function scanAnswer(finder: Finder, text: string, from: number, report: (found: Found) => void): void {
  const name = mayAnswer(text.slice(from)) ? finder.nameIn(text.slice(0, from)) : ''
  if (name === '') return
  const shift = from - name.length
  finder.find(name + text.slice(from), name.length, true, (found) =>
    report({ ...found, start: found.start + shift, end: found.end + shift }),
  )
}

/**
 * Like `scanView`, for a long complete text: reads pieces, and lets other exchanges run in between. Held text begins the
 * next piece, so the result is the same.
 */
async function scanLongView(
  finder: Finder,
  view: TextView,
  x: Exchange,
  report: (found: Found) => void,
): Promise<void> {
  const before = contextOf(finder, view)
  const text = before + view.text
  const columns = finder.columnsFrom(view.offset)
  for (let at = before.length; at < text.length; ) {
    const base = Math.max(0, at - finder.context)
    const end = Math.min(text.length, at + TURN_LENGTH)
    const shift = base - before.length
    const shifted = (found: Found) => report({ ...found, start: found.start + shift, end: found.end + shift })
    const piece = copyOf(text, base, end)
    columns.read(piece, view.offset + shift)
    const hold = finder.find(piece, at - base, end === text.length, shifted, columns, view.direction === 'input')
    if (end === text.length) return
    at = base + hold
    await x.nextTurn()
  }
}

/** A copy: reading a slice character by character takes twice as long. */
const copyOf = (text: string, start: number, end: number): string =>
  [text.slice(start, start + 1), text.slice(start + 1, end)].join('')

/** Moves back to the start of the word; in a script without spaces, to that of the run of letters. */
function startOfWord(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at)
  if (space >= 0 && at - space <= MAX_MATCH) return space + 1
  const least = Math.max(0, at - MAX_MATCH)
  let start = at
  while (start > least && NAME_PART.test(text[start - 1]!)) start--
  return start > least ? start : at
}

/** What the name of a mailbox may have; also halves of characters. */
const NAME_PART = /[\p{L}\p{N}\p{M}\ud800-\udfff.+%'’_-]/u

function report(
  view: TextView,
  x: Exchange,
  plan: Plan,
  found: Found,
  restorer: Restorer,
  taken: readonly Span[],
): void {
  const { type, start, end, score } = found
  const treatment = plan.treatments.get(type)
  // A restored value of the user is not a finding.
  if (treatment === undefined || isTaken(taken, start, end) || isAccidental(view, found)) return
  const { action, level } = treatment
  if (action !== 'tokenize') return view.report({ type, start, end, level, action, score, ...reasonOf(type, action) })
  view.report({ type, start, end, level, action, score, replace: restorer.tokenizer(type, view, found, x) })
}

/** Whether whole numbers of two messages happen to form a third: no digit group crosses the border. */
function isAccidental({ borders, text, answer }: TextView, { type, start, end, score }: Found): boolean {
  if (borders === undefined) return false
  // The last word of a message and the first of the next are no name.
  if (NAME_KINDS.some((kind) => kind.type === type)) return true
  if (answer !== undefined) return false
  if (score > 0.95 || /\p{L}/u.test(text.slice(start, end))) return false
  let from = start
  let spaced = false
  const shares: string[] = []
  for (let i = firstAfter(borders, start); from < end; i++) {
    const border = borders[i] ?? end
    shares.push(text.slice(from, Math.min(border, end)).trim())
    spaced ||= border < end && text.charAt(border - 1) === ' '
    from = border
  }
  const groups = spaced ? /\d \d/ : /\d\D+\d/
  return !shares.some((share) => groups.test(share))
}

/** Index of the first greater number in a sorted list. */
function firstAfter(numbers: readonly number[], least: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) <= least) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether any span overlaps. They are sorted by start and by end. */
function isTaken(spans: readonly Span[], start: number, end: number): boolean {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (spans[middle]!.end <= start) low = middle + 1
    else high = middle
  }
  const first = spans[low]
  return first !== undefined && first.start < end
}

const reasonOf = (type: string, action: string): { reason?: string } =>
  action === 'block' ? { reason: `Personal data of type ${type} is not allowed here.` } : {}
