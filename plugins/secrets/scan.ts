/** Finds all secrets of a text from left to right, and the text that a stream must hold. */
import { TextUnits } from 'governed-gateway/kit'
import { type Anchor, type Anchors, fold, foldThree, mayFollow } from './anchors.ts'
import { matchBlock, nextEntry } from './blocks.ts'
import { readLabelled } from './labelled.ts'
import { isQualified, type LabelKind, type LabelWord, labelEnd, THEN } from './labels.ts'
import { type Answer, type Block, isMatch, type Match, type Undecided } from './match.ts'
import {
  atBoundary,
  isBehindUnderscore,
  isLong,
  MORE,
  matched,
  matchPattern,
  NO,
  repeatedTo,
  runBefore,
} from './pattern.ts'
import { matchPem } from './pem.ts'
import type { Recall } from './recall.ts'
import { HEX_KEYED } from './services.ts'
import { type Slot, slotAfter, slots } from './slots.ts'
import { matchBasic, matchBearer, matchJwt, matchUrl, matchUserOption } from './structured.ts'
import { matchTable } from './tables.ts'
import { clientSlots, servedSlot, tailEnd, tailedKind } from './tails.ts'
import { isUnspoken, plausibleKey, plausibleOpaque } from './values.ts'

const UNITS = new TextUnits()

export interface Scanner {
  readonly anchors: Anchors
  readonly minEntropy: number
}

export interface Scan {
  readonly matches: Match[]
  /** Start of text that may still become a secret; the length of the text if there is none. */
  readonly hold: number
}

export interface Span {
  readonly start: number
  readonly end: number
  readonly block?: Block | undefined
}

/**
 * Reads from `at`. Text before `from` is context: matches that end there are left out. With `final`, nothing is
 * held.
 *
 * @param past settled matches, in order: no new match may begin before the end of the last one
 * @param recall values of this text that were found; takes those that are found now
 * @param offset position of `text` in all of it
 */
export function scan(
  scanner: Scanner,
  text: string,
  at: number,
  from: number,
  final: boolean,
  past: readonly Span[],
  recall: Recall,
  offset: number,
): Scan {
  const { table, lists, behind } = scanner.anchors
  let hot = recall.hot(scanner.anchors.hot)
  const units = UNITS.of(text)
  const n = text.length
  const floor = past.at(-1)?.end ?? at
  let settled = 0
  const matches: Match[] = []
  // The value of a label may be several words after it; read the text in between first.
  let pending: Match | undefined
  // The next entry of a block of secrets.
  let entry: Match | undefined
  let hold = Number.POSITIVE_INFINITY
  let rolling = 0
  let i = at
  const follow = (block: Block): void => {
    const next = nextEntry(text, i, block, scanner.minEntropy, final)
    entry = next !== undefined && isMatch(next) ? next : undefined
    if (next !== undefined && !isMatch(next)) hold = Math.min(hold, next.from)
  }
  while (i < n) {
    const span = past[settled]
    if (span !== undefined && i >= span.start) {
      i = Math.max(i, span.end)
      const block = span.block ?? (entry !== undefined && entry.start < i ? entry.block : undefined)
      if (block !== undefined) follow(block)
      rolling = 0
      settled++
      continue
    }
    let code = units[i++]!
    rolling = fold(rolling, code)
    if (pending === undefined && entry === undefined) {
      // On to what may be an anchor.
      const stop = span === undefined ? n : span.start
      while (i < stop && ((hot[rolling >> 5]! >>> (rolling & 31)) & 1) === 0) {
        code = units[i++]!
        rolling = fold(rolling, code)
      }
    }
    const list = table[rolling]!
    let answer =
      list !== 0 && mayFollow(behind[list]!, units[i]!) ? tryAll(scanner, lists[list]!, text, i - 3, final) : undefined
    if (recall.values.length > 0 && i > 2 && (answer === undefined || startOf(answer) > i - 3))
      answer = recall.at(rolling, text, i - 3, offset, final) ?? answer
    const due = entry !== undefined && (pending === undefined || entry.start <= pending.start) ? entry : pending
    if (due !== undefined && i > due.start && (answer === undefined || startOf(answer) >= due.start)) answer = due
    if (answer === undefined) continue
    const start = startOf(answer)
    if (start >= hold || start < floor) continue
    if (!isMatch(answer)) {
      hold = start
      continue
    }
    if (start >= i) {
      if (answer.block !== undefined) entry = answer
      else if (pending === undefined || start < pending.start) pending = answer
      continue
    }
    if (pending !== undefined && answer.end > pending.start) pending = undefined
    if (answer.end > from) {
      matches.push(answer)
      recall.add(answer, text, offset)
      hot = recall.hot(scanner.anchors.hot)
    }
    if (answer.open) return { matches, hold: Math.max(start, from) }
    i = Math.max(i, answer.end)
    if (entry !== undefined && i > entry.start) follow(entry.block!)
    rolling = 0
  }
  const tail = final ? text.length : Math.min(openTail(scanner.anchors, text), recall.tail(text))
  return { matches, hold: Math.max(from, floor, Math.min(hold, tail)) }
}

/** `{"`, `{\n` and `{ "` in base64. */
const JWT_HEADS = ['eyJ', 'ewo', 'eyAi']

const startOf = (answer: Match | Undecided): number => (isMatch(answer) ? answer.start : answer.from)

/** The leftmost answer: a stream has to decide it first. */
function tryAll(scanner: Scanner, anchors: readonly Anchor[], text: string, at: number, final: boolean): Answer {
  let first: Answer
  for (const anchor of anchors) {
    const answer = tryOne(scanner, anchor, text, at, final)
    if (answer !== undefined && (first === undefined || startOf(answer) < startOf(first))) first = answer
  }
  return first
}

function tryOne(scanner: Scanner, anchor: Anchor, text: string, at: number, final: boolean): Answer {
  if (at < 0)
    return anchor.kind === 'label' && at + anchor.shift === 0
      ? tryLabel(scanner, anchor.label, text, 0, final)
      : undefined
  switch (anchor.kind) {
    case 'pattern':
      return tryPattern(anchor, text, at, final)
    case 'label':
      return tryLabel(scanner, anchor.label, text, at + anchor.shift, final)
    case 'jwt':
      return JWT_HEADS.some((head) => text.startsWith(head, at)) && atBoundary(text, at)
        ? matchJwt(text, at, final)
        : undefined
    case 'url':
      return text.startsWith('://', at) ? matchUrl(text, at, final) : undefined
    case 'pem':
      return text.startsWith('-----BEGIN ', at - 5) ? matchPem(text, at - 5, final) : undefined
    case 'block':
      return matchBlock(text, at, scanner.minEntropy, final)
    case 'user':
      return matchUserOption(text, at, final)
    case 'bearer':
      return isWord(text, at, 'bearer') ? matchBearer(text, at + 6, final, scanner.minEntropy) : undefined
    case 'basic':
      return isWord(text, at, 'basic') ? matchBasic(text, at + 5, final) : undefined
  }
}

function tryPattern(anchor: Anchor & { kind: 'pattern' }, text: string, head: number, final: boolean): Answer {
  const { literal, pattern } = anchor
  const { before } = pattern
  const at = head + pattern.shift
  if (literal.length > 3 && text.charCodeAt(at + 3) !== literal.charCodeAt(3)) return undefined
  if (!text.startsWith(literal, at)) return undefined
  const first = before === undefined ? at : runBefore(before, text, at)
  if (before !== undefined && (at - first < before.min || at - first > before.max)) return undefined
  if (!anchor.inWord && !atBoundary(text, first) && !(isLong(literal) && isBehindUnderscore(text, first)))
    return undefined
  let end = matchPattern(pattern, text, at, final)
  if (end === NO || isWithinBase64(text, first)) return undefined
  const { open } = matched
  let { once } = matched
  const start = before === undefined ? matched.start : first
  if (end === MORE) return { from: start }
  // A key of any length takes the first letters of its own copy after it.
  const copy = beginOf(literal, text, at + literal.length, end, final)
  if (copy >= 0) {
    const second = first + copy - at
    const to = repeatedTo(text, first, second)
    if (to === text.length && !final) return { from: start }
    if (to > end && (to - first) % (second - first) === 0) {
      once = second
      end = to
    }
  }
  const body = text.slice(before === undefined ? Math.max(start, at + literal.length) : first, Math.min(end, once))
  // Judge an open match only when it is complete, because its entropy can rise.
  if (!open || end - at >= 224) {
    if (anchor.anyLength && !isRandomBehind(literal, body)) return undefined
    if (!plausibleKey(body, anchor.entropy, anchor.capitals, literal.length < 3)) return undefined
    if (anchor.bothCases && !BOTH_CASES.test(body)) return undefined
    if (anchor.noHash && HASH.test(body)) return undefined
    if (anchor.unspoken && !BOTH_CASES.test(body) && !isUnspoken(body)) return undefined
    if (anchor.opaque && !(plausibleOpaque(body, anchor.entropy, false, false) && isUnspoken(body))) return undefined
    if (anchor.opaque && PUBLIC.test(text.slice(Math.max(0, at - 12), at))) return undefined
  }
  return { type: anchor.type, start, end, open, rest: { kind: 'set', set: pattern.tail } }
}

/** Random beyond doubt; behind a short beginning also longer, and in both cases. */
const isRandomBehind = (literal: string, body: string): boolean =>
  plausibleOpaque(body, 3, true, false) &&
  isUnspoken(body) &&
  (literal.length > 4 || (body.length > 19 && BOTH_CASES.test(body)))

/** How many characters of base64 before a slash or a plus tell that a key does not begin after it. */
const BASE64_BEFORE = 40
const BASE64_RUN = /^[A-Za-z0-9+/]{40}$/

/** Whether a word begins in the middle of base64, as in checksums of lock files and pictures; no path has so many capitals. */
function isWithinBase64(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1)
  if (code !== 47 && code !== 43) return false
  const before = text.slice(Math.max(0, at - BASE64_BEFORE), at)
  return (
    BASE64_RUN.test(before) && (before.match(/[A-Z]/g)?.length ?? 0) > 7 && /\d/.test(before) && /[a-z]/.test(before)
  )
}

/** `pk_live_…`, and `cs_live_…` in the address of a checkout. */
const PUBLIC = /(?:pk|pub(?:lic|lishable)?|id|(?:^|[^a-z])cs)$/i
const BOTH_CASES = /[a-z].*[A-Z]|[A-Z].*[a-z]/
const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/** Where `literal` begins from `at` up to `end`, or `-1`; unless `final`, as far as the text goes. */
function beginOf(literal: string, text: string, at: number, end: number, final: boolean): number {
  const whole = text.slice(at, end + literal.length - 1).indexOf(literal)
  if (whole >= 0 || final) return whole < 0 ? -1 : at + whole
  for (let i = Math.max(at, text.length - literal.length + 1); i < Math.min(end, text.length); i++)
    if (literal.startsWith(text.slice(i))) return i
  return -1
}

function tryLabel(scanner: Scanner, label: LabelWord, text: string, at: number, final: boolean): Answer {
  if (at < 0 || !isWord(text, at, label.word)) return undefined
  if (label.after !== undefined) {
    const slot = slotAfter(text, at + label.word.length, label.after, label.until)
    const answer = slot && readLabelled(scanner.minEntropy, text, at, slot, label.kind, final)
    return label.then === undefined ? answer : followed(answer, label.then, text, final)
  }
  if (!isQualified(text, at, label)) return undefined
  const read = (slot: Slot, kind: LabelKind): Answer =>
    readLabelled(
      scanner.minEntropy,
      text,
      at,
      slot,
      kind === 'service' && HEX_KEYED.has(label.word) ? 'hex_service' : kind,
      final,
    )
  const served = label.kind === 'service' ? servedSlot(text, at + label.word.length) : undefined
  const client = label.kind === 'service' ? clientSlots(text, at, at + label.word.length) : []
  const answer =
    (served && read(...served)) ??
    readSlots(label, text, at, read) ??
    firstOf(client, ([slot, kind]) => read(slot, kind))
  if (answer === undefined && label.kind === 'password' && label.word !== 'pass')
    return matchTable(text, at, at + label.word.length, scanner.minEntropy, final)
  return answer === undefined || !isMatch(answer) || answer.open ? answer : refine(scanner, text, answer, final)
}

/** Reads the value at one of the places after a label, or after a name that continues behind it. */
function readSlots(label: LabelWord, text: string, at: number, read: (slot: Slot, kind: LabelKind) => Answer): Answer {
  let end = labelEnd(text, at, label)
  let kind: LabelKind | undefined = label.kind
  if (end < 0) {
    kind = tailedKind(kind)
    if (kind === undefined) return undefined
    end = tailEnd(text, at + label.word.length, label.kind)
    if (end < 0) return undefined
  }
  return firstOf(slots(text, at, end, kind), (slot) => read(slot, kind))
}

/** The answer, if what follows the value bears it out. */
function followed(answer: Answer, then: RegExp, text: string, final: boolean): Answer {
  if (answer === undefined || !isMatch(answer)) return answer
  const rest = text.slice(answer.end, answer.end + THEN)
  if (!answer.open && then.test(rest)) return answer
  return !final && rest.length < THEN && !rest.includes('\n') ? { from: answer.start } : undefined
}

/** A labelled value with a published format gets the type of the format. */
function refine(scanner: Scanner, text: string, match: Match, final: boolean): Match {
  const { table, lists } = scanner.anchors
  const at = match.start
  const index = foldThree(text, at)
  for (const anchor of lists[table[index]!]!) {
    if (anchor.kind !== 'pattern' && anchor.kind !== 'jwt') continue
    const answer = tryOne(scanner, anchor, text, at, final)
    if (answer !== undefined && isMatch(answer))
      return { ...match, type: answer.type, end: Math.max(match.end, answer.end) }
  }
  return match
}

/** The first slot with a match. While it is undecided, later slots may still match and have to wait. */
function firstOf<T>(items: readonly T[], test: (item: T) => Answer): Answer {
  let hold: number | undefined
  for (const item of items) {
    const answer = test(item)
    if (answer === undefined) continue
    if (isMatch(answer) && hold === undefined) return answer
    hold = Math.min(hold ?? Number.POSITIVE_INFINITY, startOf(answer))
  }
  return hold === undefined ? undefined : { from: hold }
}

function isWord(text: string, at: number, word: string): boolean {
  // Most words that begin like an anchor continue otherwise.
  if (isOther(text.charCodeAt(at), word.charCodeAt(0))) return false
  if (word.length > 3 && isOther(text.charCodeAt(at + 3), word.charCodeAt(3))) return false
  return text.length - at >= word.length && text.slice(at, at + word.length).toLowerCase() === word
}

/** Whether an ASCII character is not this one in lower case. */
const isOther = (code: number, small: number): boolean =>
  code < 128 && (code >= 65 && code <= 90 ? code + 32 : code) !== small

/** Start of an ending that the next character could turn into the start of a secret. */
function openTail({ openings, openers, openingLengths, endings }: Anchors, text: string): number {
  const tail = tailBefore(endings, text)
  for (let i = Math.max(0, text.length - openingLengths[foldThree(text, text.length - 3)]!); i < tail; i++) {
    const starts = openers[text.charCodeAt(i)]
    if (starts === undefined || starts === 0) continue
    const isWord = atBoundary(text, i)
    const isPart = !isWord && isBehindUnderscore(text, i)
    if (starts === 1 && !isWord && !isPart) continue
    const opening = openings.get(text.slice(i))
    if (opening !== undefined && (opening.inWord || isWord || (isPart && opening.isLong))) return i
  }
  return tail
}

/** Start of an ending that may stand before a pattern. */
function tailBefore(endings: Anchors['endings'], text: string): number {
  let tail = text.length
  for (const { before, mark } of endings[text.charCodeAt(text.length - 1)] ?? []) {
    if (!text.endsWith(mark)) continue
    const end = text.length - mark.length
    const start = runBefore(before, text, end)
    const length = end - start
    if (start < tail && length >= before.min && length <= before.max && atBoundary(text, start)) tail = start
  }
  return tail
}
