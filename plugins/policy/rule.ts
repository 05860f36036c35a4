import { type Exchange, exceeds, type Finding, type Options, type TextView, type Verdict } from 'governed-gateway'
import { concerns, TextRule } from 'governed-gateway/kit'
import type { schema } from './schema.ts'
import { type Size, sizeOf } from './size.ts'

type RuleOptions = Options<typeof schema>['rules'][number]

/** One deny rule. All of its conditions must hold. */
export class Rule {
  /** Type of its findings: the name in snake_case. */
  readonly type: string
  readonly action: RuleOptions['action']
  /** The places and directions that it inspects. */
  readonly where: TextRule
  readonly #options: RuleOptions
  readonly #name: string

  constructor(options: RuleOptions, index: number) {
    this.#options = options
    this.#name = options.name ?? `rule_${index + 1}`
    this.type = this.#name.replaceAll('-', '_')
    this.action = options.action
    const { keywords: _keywords, patterns: _patterns, ...conditions } = options
    this.where = new TextRule(conditions)
  }

  /** Whether it looks for text, instead of evaluating a whole request or reply. */
  get hasText(): boolean {
    return this.#options.keywords !== undefined || this.#options.patterns !== undefined
  }

  /** Whether it can match a whole reply. */
  get evaluatesReply(): boolean {
    const { label, max_characters: most } = this.#options
    return (
      !this.hasText && this.where.looksAt('output') && (most !== undefined || (label !== undefined && !this.#hasLimit))
    )
  }

  get #hasLimit(): boolean {
    const { max_messages: a, max_message_characters: b, max_characters: c } = this.#options
    return a !== undefined || b !== undefined || c !== undefined
  }

  concerns(x: Exchange): boolean {
    return concerns(this.#options, x)
  }

  reason(direction: 'input' | 'output'): string {
    const what = direction === 'input' ? 'request' : 'reply'
    return this.#options.reason ?? `The rule '${this.#name}' does not allow this ${what}.`
  }

  verdict(direction: 'input' | 'output'): Verdict & { policy: string } {
    return { reason: this.reason(direction), policy: `policy/${this.type}` }
  }

  /** The finding for a match of its text. */
  finding({ direction }: TextView, start: number, end: number): Finding {
    const { type, action } = this
    const { replace } = this.#options
    return { type, start, end, action, reason: this.reason(direction), ...(replace !== undefined && { replace }) }
  }

  /** Whether a whole request matches. */
  matchesRequest(x: Exchange): boolean {
    const { label, roles } = this.#options
    if (!this.concerns(x) || (label !== undefined && exceeds(label, x.label))) return false
    if (roles?.some((role) => sizeOf(x).roles.has(role)) === false) return false
    return !this.#hasLimit || this.#isOverLimit(sizeOf(x))
  }

  #isOverLimit({ messages, longest, characters }: Size): boolean {
    const { max_messages: count, max_message_characters: one, max_characters: all } = this.#options
    return isOver(messages, count) || isOver(longest, one) || isOver(characters, all)
  }

  /** Whether one text of a reply, with the label so far, matches. */
  matchesReply(view: TextView, x: Exchange): boolean {
    const { label, max_characters: most } = this.#options
    if (!this.where.appliesTo(view) || (label !== undefined && exceeds(label, x.outputLabel))) return false
    return most === undefined || view.offset + view.text.length > most
  }
}

const isOver = (value: number, limit: number | undefined): boolean => limit !== undefined && value > limit
