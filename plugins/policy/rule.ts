import { type Exchange, exceeds, type Options, type TextView, type Verdict } from 'governed-gateway'
import { concerns, TextRule } from 'governed-gateway/kit'
import type { schema } from './schema.ts'
import { type Size, sizeOf } from './size.ts'

type RuleOptions = Options<typeof schema>['rules'][number]

/** One deny rule. All that it names must hold. */
export class Rule {
  /** Type of its findings: the name in snake_case. */
  readonly type: string
  readonly action: RuleOptions['action']
  readonly text: TextRule
  readonly #options: RuleOptions
  readonly #name: string

  constructor(options: RuleOptions, index: number, window: number) {
    this.#options = options
    this.#name = options.name ?? `rule_${index + 1}`
    this.type = this.#name.replaceAll('-', '_')
    this.action = options.action
    this.text = new TextRule(options, window)
  }

  /** Judged by what texts say, and not by the whole of a request or reply. */
  get isText(): boolean {
    return this.text.hasText
  }

  /** Whether a reply as a whole can break it. */
  get judgesReply(): boolean {
    const { label, max_characters: most } = this.#options
    return (
      !this.isText && this.text.looksAt('output') && (most !== undefined || (label !== undefined && !this.#hasLimit))
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

  /** Reports every place in a view where its text stands. */
  report(view: TextView): void {
    if (!this.text.appliesTo(view)) return
    const { action } = this
    const replace = this.#options.replace === undefined ? {} : { replace: this.#options.replace }
    const reason = this.reason(view.direction)
    for (const { start, end } of this.text.find(view)) {
      view.report({ type: this.type, start, end, action, reason, ...replace })
    }
  }

  /** Whether a request as a whole breaks the rule. */
  refuses(x: Exchange): boolean {
    const { label, roles } = this.#options
    if (!this.concerns(x) || (label !== undefined && exceeds(label, x.label))) return false
    if (roles?.some((role) => sizeOf(x).roles.has(role)) === false) return false
    return !this.#hasLimit || this.#isOverLimit(sizeOf(x))
  }

  #isOverLimit({ messages, longest, characters }: Size): boolean {
    const { max_messages: count, max_message_characters: one, max_characters: all } = this.#options
    return isOver(messages, count) || isOver(longest, one) || isOver(characters, all)
  }

  /** Whether one text of a reply, together with the label so far, breaks the rule. */
  refusesReply(view: TextView, x: Exchange): boolean {
    const { label, max_characters: most } = this.#options
    if (!this.text.appliesTo(view) || (label !== undefined && exceeds(label, x.outputLabel))) return false
    return most === undefined || view.offset + view.text.length > most
  }
}

const isOver = (value: number, limit: number | undefined): boolean => limit !== undefined && value > limit
