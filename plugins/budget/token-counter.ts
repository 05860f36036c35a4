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
/** Characters of an unfinished tool call to count; the rest is extrapolated. */
const COUNTED_HELD = 32 * 1024

/** Counts generated tokens: exactly in batches, by length in between. */
export class TokenCounter {
  readonly #count: Count
  #exact = 0
  /** Uncounted text by view. */
  readonly #pending = new Map<number, string>()
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
    for (const text of this.#pending.values()) this.#exact += this.#count(text)
    this.#pending.clear()
    this.#pendingTokens = 0
    return this.#exact + (held === undefined || held.characters === 0 ? 0 : this.#heldTokens(held.text()))
  }

  #heldTokens(text: string): number {
    const counted = text.slice(0, COUNTED_HELD)
    return Math.ceil(this.#count(counted) * (text.length / counted.length))
  }

  add(views: readonly TextView[]): void {
    const whole = views.length > 1 ? joinedOf(views) : undefined
    for (const view of views) {
      if (view.reading !== undefined || !COUNTED.has(view.channel) || whole?.has(view.path) === true) continue
      if (view.channel === 'tool_arguments') this.#exact += PER_ARGUMENT
      const fresh = view.fresh === 0 ? view.text : view.text.slice(view.fresh)
      if (fresh !== '') this.#grow(view.id, fresh)
    }
  }

  #grow(id: number, fresh: string): void {
    const text = (this.#pending.get(id) ?? '') + fresh
    if (text.length < BATCH) {
      this.#pending.set(id, text)
      this.#pendingTokens += estimate(fresh)
      return
    }
    // The last word may continue.
    const space = text.lastIndexOf(' ')
    const end = space > 0 ? space : text.length
    this.#exact += this.#count(text.slice(0, end))
    this.#pending.set(id, text.slice(end))
    this.#pendingTokens = 0
    for (const rest of this.#pending.values()) this.#pendingTokens += estimate(rest)
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
