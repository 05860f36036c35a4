import { type Channel, defineFact, type Exchange, type TextView } from 'governed-gateway'
import type { Plan } from './actions.ts'
import { personName } from './names/kinds.ts'
import { titlesOf } from './names/titles.ts'
import { LOOKAHEAD } from './places/scanner.ts'
import { type Reading, Readings } from './readings.ts'
import { findTokens, LITERAL, openToken, type TokenSpan, Tokens } from './tokens.ts'

const NOTE =
  'Some values in this conversation are replaced by tokens such as EMAIL_k3v7q2m5xa. Treat a token as the value it stands for. ' +
  'Where you need the value, write the token exactly as it is: do not change, translate, shorten, explain or invent tokens.'

/** Channels that a person reads, where values may be restored. */
const READABLE: ReadonlySet<Channel> = new Set(['content', 'reasoning', 'refusal', 'transcript'])

export interface Span {
  readonly start: number
  readonly end: number
}

const tokensFact = defineFact<Tokens>('pii/tokens')
const readingsFact = defineFact<Readings>('pii/readings')

/** Replaces values by tokens in requests, and restores them in the replies to the same requests. */
export class Restorer {
  readonly #key: Buffer
  readonly #inTools: boolean
  /** Token prefixes, such as `EMAIL`. Other matches are ordinary text. */
  readonly #types: ReadonlySet<string>

  constructor(key: Buffer, inTools: boolean, types: readonly string[]) {
    this.#key = key
    this.#types = new Set([...types, LITERAL].map((type) => type.toUpperCase()))
    this.#inTools = inTools
  }

  /** Replacement for a value of this type; called after the core has merged the findings. */
  tokenizer(type: string, view: TextView, { start, end }: Span, x: Exchange): (value: string) => string {
    const tokens = this.#tokensOf(x)
    const found = view.source(view.sourceAt(start), view.sourceAt(end))
    if (type === personName.type) {
      tokens.expectPerson(type, found.slice(titlesOf(found).length))
      return (name) => withTitles(name, (bare) => tokens.addPerson(type, bare))
    }
    tokens.expect(type, found)
    for (const number of numbersAround(view, start, end, found)) tokens.expect(type, number)
    return (value) => tokens.add(type, value)
  }

  /**
   * Tokenises text that looks like a token: the model sees another token, and the reply shows the original text. A
   * token of a value in the same request came from here and stays: tool calls and thinking return with theirs.
   */
  escape(view: TextView, x: Exchange, { tokenizes }: Plan): readonly TokenSpan[] {
    if (!tokenizes) return []
    const spans = findTokens(view.text, 0).filter((span) => this.#types.has(span.type))
    for (const span of spans) this.#reportLookalike(view, span, this.#tokensOf(x))
    return spans
  }

  #reportLookalike(view: TextView, { start, end, token }: TokenSpan, tokens: Tokens): void {
    const span = { type: LITERAL, start, end } as const
    // Not counted nor rewritten. With `replace`, the core does not remember that nothing was found.
    if (tokens.isOwn(token)) return view.report({ ...span, action: 'detect', continued: true, replace: '' })
    // The value may stand in a text that is inspected later.
    const replace = (value: string) => (tokens.isOwn(token) ? value : tokens.add(LITERAL, value))
    view.report({ ...span, action: 'tokenize', replace })
  }

  /** Restores tokens where a value is safe, and returns their spans. Holds a possible partial token. */
  restore(view: TextView, x: Exchange): readonly TokenSpan[] {
    const tokens = x.facts.get(tokensFact)
    if (tokens === undefined || tokens.size === 0 || !this.#isOpen(view.channel)) return []
    // Only the first reading decides, because the client gets that text.
    if (view.reading !== undefined)
      return findTokens(view.text, 0).filter(({ token }) => tokens.valueOf(token) !== undefined)
    const reading = this.#readingOf(view, x, tokens)
    const left = view.before.length
    for (const span of findTokens(view.before + view.text, left + reading.at - view.offset)) {
      const start = span.start - left
      const end = span.end - left
      const value = tokens.valueOf(span.token)
      if (value === undefined) {
        if (this.#types.has(span.type)) {
          view.report({ type: 'unknown_token', start, end, action: 'detect', level: 'PUBLIC' })
        }
        continue
      }
      reading.readTo(view, start)
      const allowed = reading.allows(value, behind(view, end), view.final)
      if (allowed === undefined) {
        view.hold(start)
        return reading.known(view)
      }
      const spelling = allowed ? reading.spelling(value) : undefined
      if (spelling !== undefined) x.reply.restore(view, start, end, spelling)
      reading.readToken(view, { ...span, start, end }, value)
    }
    const open = view.final ? view.text.length : this.#openFrom(view, tokens)
    reading.readTo(view, open)
    if (open < view.text.length) view.hold(open)
    return reading.known(view)
  }

  #isOpen(channel: Channel): boolean {
    return READABLE.has(channel) || (this.#inTools && channel === 'tool_arguments')
  }

  #openFrom(view: TextView, tokens: Tokens): number {
    const left = view.before.length
    const start = openToken(view.before + view.text, left) - left
    return start < view.text.length && tokens.mayBegin(view.text.slice(start)) ? start : view.text.length
  }

  #readingOf(view: TextView, x: Exchange, tokens: Tokens): Reading {
    let readings = x.facts.get(readingsFact)
    if (readings === undefined) {
      readings = new Readings(tokens.continued, x.request.choices)
      x.facts.set(readingsFact, readings)
    }
    return readings.of(view)
  }

  #tokensOf(x: Exchange): Tokens {
    let tokens = x.facts.get(tokensFact)
    if (tokens === undefined) {
      tokens = new Tokens(this.#key, x.caller.keyId, x.request.continued)
      x.facts.set(tokensFact, tokens)
      // Monitor mode rewrites nothing, so the model needs no note.
      if (x.mode !== 'monitor') x.request.addSystemNote(NOTE)
    }
    return tokens
  }
}

/** Titles stay before the token: they tell the model how to address the person. */
function withTitles(name: string, tokenOf: (bare: string) => string): string {
  const titles = titlesOf(name)
  return titles + tokenOf(name.slice(titles.length))
}

/** Up to `LOOKAHEAD` characters after a token, without hidden text. */
function behind(view: TextView, end: number): string {
  const from = view.sourceAt(end)
  const last = view.sourceAt(view.text.length)
  for (let size = LOOKAHEAD; ; size *= 2) {
    const after = view.source(from, Math.min(from + size, last))
    if (after.length >= LOOKAHEAD || from + size >= last) return after.slice(0, LOOKAHEAD)
  }
}

/** Longest number, and what goes with digits of one. */
const LONGEST_NUMBER = 64
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi
const OF_NUMBER = /[\d.,e+-]/i

/** Numbers that the digits of a value may be a part of: in JSON the core replaces them whole, each element of a list by itself. */
function numbersAround(view: TextView, start: number, end: number, found: string): readonly string[] {
  const from = view.sourceAt(start)
  const to = view.sourceAt(end)
  const before = view.source(Math.max(0, from - LONGEST_NUMBER), from)
  const after = view.source(to, to + LONGEST_NUMBER)
  if (!OF_NUMBER.test(before.slice(-1) + after.charAt(0)) && !found.includes(',')) return []
  const numbers = [...(before + found + after).matchAll(NUMBER)]
  return numbers
    .filter(({ 0: number, index }) => index < before.length + found.length && index + number.length > before.length)
    .map(([number]) => number)
}
