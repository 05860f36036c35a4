import { type Channel, defineFact, type Exchange, type TextView } from 'governed-gateway'
import type { Treatments } from './actions.ts'
import { findTokens, isInsideUrl, LITERAL, openToken, type TokenSpan, Tokens } from './tokens.ts'

const NOTE =
  'Some values in this conversation are replaced by tokens such as EMAIL_k3v7q2m5xa. Treat a token as the value it stands for. ' +
  'Where you need the value, write the token exactly as it is: do not change, translate, shorten, explain or invent tokens.'

/** Where a value may come back: text that a person reads. */
const READABLE: ReadonlySet<Channel> = new Set(['content', 'reasoning', 'refusal', 'transcript'])
/** Characters after a token that decide whether it stands in an address. */
const LOOKAHEAD = 2

const tokensFact = defineFact<Tokens>('pii/tokens')

/** Puts tokens in place of values in requests, and the values back in the replies to these very requests. */
export class Restorer {
  readonly #key: Buffer
  readonly #inTools: boolean
  /** Beginnings of tokens, `EMAIL`: what else has the form of one is a word of somebody's. */
  readonly #types: ReadonlySet<string>

  constructor(key: Buffer, inTools: boolean, types: readonly string[]) {
    this.#key = key
    this.#types = new Set([...types, LITERAL].map((type) => type.toUpperCase()))
    this.#inTools = inTools
  }

  /** The replacement for a value of this type; it is asked for once the core has settled what is rewritten. */
  tokenizer(type: string, x: Exchange): (value: string) => string {
    const tokens = this.#tokensOf(x)
    return (value) => tokens.add(type, value)
  }

  /** User text that looks like a token is tokenised itself: it reaches the model as another token and comes back as it was. */
  escape(view: TextView, x: Exchange, plan: Treatments): readonly TokenSpan[] {
    if (![...plan.values()].some((treatment) => treatment.action === 'tokenize')) return []
    const spans = findTokens(view.text, 0).filter((span) => this.#types.has(span.type))
    for (const { start, end } of spans) {
      view.report({ type: LITERAL, start, end, action: 'tokenize', replace: this.tokenizer(LITERAL, x) })
    }
    return spans
  }

  /** Turns tokens back and returns where they stand; what may be the first half of one is held. */
  restore(view: TextView, x: Exchange): readonly TokenSpan[] {
    const tokens = x.facts.get(tokensFact)
    if (tokens === undefined || tokens.size === 0 || !this.#isOpen(view.channel)) return []
    const text = view.before + view.text
    const shift = view.before.length
    const known: TokenSpan[] = []
    for (const span of findTokens(text, shift)) {
      const value = tokens.valueOf(span.token)
      const at = { ...span, start: span.start - shift, end: span.end - shift }
      if (value === undefined) {
        if (!this.#types.has(span.type)) continue
        view.report({ type: 'unknown_token', start: at.start, end: at.end, action: 'detect', level: 'PUBLIC' })
        continue
      }
      if (!view.final && span.end + LOOKAHEAD > text.length) {
        view.hold(at.start)
        return known
      }
      if (!isInsideUrl(text, span.start, span.end)) x.reply.restore(view, at.start, at.end, value)
      known.push(at)
    }
    if (!view.final) this.#holdOpen(view, tokens)
    return known
  }

  #isOpen(channel: Channel): boolean {
    return READABLE.has(channel) || (this.#inTools && channel === 'tool_arguments')
  }

  #holdOpen(view: TextView, tokens: Tokens): void {
    const start = openToken(view.text, 0)
    if (start < view.text.length && tokens.mayBegin(view.text.slice(start))) view.hold(start)
  }

  #tokensOf(x: Exchange): Tokens {
    let tokens = x.facts.get(tokensFact)
    if (tokens === undefined) {
      tokens = new Tokens(this.#key, x.caller.keyId)
      x.facts.set(tokensFact, tokens)
      // Nothing is rewritten under `monitor`, so there is nothing to explain either.
      if (x.mode !== 'monitor') x.request.addSystemNote(NOTE)
    }
    return tokens
  }
}
