import type { Channel, HeldText, TextView } from 'governed-gateway'
import type { Count } from './tokens.ts'

/** Characters to count in one batch: counting single tokens would cost more than the relay. */
const BATCH = 512

/** Channels that a model generates. */
const COUNTED: ReadonlySet<Channel> = new Set([
  'content',
  'reasoning',
  'refusal',
  'transcript',
  'tool_name',
  'tool_arguments',
])
/** Tokens for quotes, braces and commas around each text of a call. */
const PER_ARGUMENT = 2
/** Characters of an unfinished tool call, or of the ends of many texts, to count at once; the rest is extrapolated. */
const COUNTED_AT_ONCE = 32 * 1024

/** Text of a view that is not counted yet, and about how many tokens it has. */
interface Pending {
  readonly text: string
  readonly tokens: number
}

/** Counts generated tokens: exactly in batches, by length in between. */
export class TokenCounter {
  readonly #count: Count
  #exact = 0
  readonly #pending = new Map<number, Pending>()
  #pendingTokens = 0

  constructor(count: Count) {
    this.#count = count
  }

  /** Approximate number of tokens. */
  tokens(held: HeldText | undefined): number {
    return this.#exact + this.#pendingTokens + (held === undefined ? 0 : held.characters / 4)
  }

  /** Number of tokens, with all pending text counted. */
  total(held: HeldText | undefined): number {
    this.#exact += this.#countPending()
    this.#pending.clear()
    this.#pendingTokens = 0
    return this.#exact + (held === undefined || held.characters === 0 ? 0 : this.#heldTokens(held.text()))
  }

  #countPending(): number {
    let counted = 0
    let estimated = 0
    let characters = 0
    for (const { text, tokens } of this.#pending.values()) {
      if (characters > COUNTED_AT_ONCE) return Math.ceil(counted * (this.#pendingTokens / estimated))
      counted += this.#count(text)
      estimated += tokens
      characters += text.length
    }
    return counted
  }

  #heldTokens(text: string): number {
    const counted = text.slice(0, COUNTED_AT_ONCE)
    return Math.ceil(this.#count(counted) * (text.length / counted.length))
  }

  add(views: readonly TextView[]): void {
    views.forEach(this.adding(views))
  }

  /** Like `add`, for a caller that takes the views one by one, in turns. */
  adding(views: readonly TextView[]): (view: TextView) => void {
    const whole = views.length > 1 ? joinedOf(views) : undefined
    return (view) => {
      if (view.reading !== undefined || !COUNTED.has(view.channel) || whole?.has(view.path) === true) return
      if (view.channel === 'tool_arguments') this.#exact += PER_ARGUMENT
      const fresh = view.fresh === 0 ? view.text : view.text.slice(view.fresh)
      if (fresh !== '') this.#grow(view.id, fresh)
    }
  }

  #grow(id: number, fresh: string): void {
    const before = this.#pending.get(id)
    const text = (before?.text ?? '') + fresh
    if (text.length < BATCH) return this.#keep(id, before, text, (before?.tokens ?? 0) + estimate(fresh))
    // The last word may continue.
    const space = text.lastIndexOf(' ')
    const end = space > 0 ? space : text.length
    this.#exact += this.#count(text.slice(0, end))
    const rest = text.slice(end)
    this.#keep(id, before, rest, estimate(rest))
  }

  #keep(id: number, before: Pending | undefined, text: string, tokens: number): void {
    this.#pendingTokens += tokens - (before?.tokens ?? 0)
    this.#pending.set(id, { text, tokens })
  }
}

/** Four characters per token in Latin scripts, about one in others. */
function estimate(text: string): number {
  return text.charCodeAt(text.length >> 1) < 0x250 ? text.length / 4 : text.length
}

/** Paths of views that repeat the texts of their parts. */
function joinedOf(views: readonly TextView[]): ReadonlySet<string> {
  const parents = new Set<string>()
  for (const { path } of views) {
    const at = path.lastIndexOf('[')
    if (at > 0) parents.add(path.slice(0, at))
  }
  return parents
}
