import type { Awaitable, Direction, Exchange, TextView } from '../engine/contract/plugin.ts'
import { type Steps, stepByStep } from '../engine/util/steps.ts'
import { KeywordAutomaton } from './keyword-automaton.ts'
import type { Literal } from './keyword-nodes.ts'
import { PATTERN_WINDOW, Patterns } from './patterns.ts'
import { concerns, type RequestRuleOptions } from './request-rule.ts'
import { TextRule, type TextRuleOptions } from './text-rule.ts'

/** One rule: its texts, the places that count, and whose requests. */
export type TextRulesOptions = TextRuleOptions & RequestRuleOptions

/** A place where a rule's text stands: a half-open span of the view's text. */
export interface TextRuleHit {
  /** Position of the rule in the list. */
  readonly rule: number
  readonly start: number
  readonly end: number
}

type Asker = Pick<Exchange, 'caller' | 'request'>

/**
 * Many rules with keywords and patterns. Keywords of rules with the same conditions are found in one pass, so that further
 * ones cost next to nothing. Rules without keywords and patterns are ignored.
 *
 * @example
 * const rules = new TextRules(options.rules)
 * return {
 *   detects: rules.directions,
 *   memoKey: (x) => rules.memoKey(x),
 *   detect(view, x) {
 *     return rules.each(view, x, ({ rule, start, end }) => view.report({ type: `rule_${rule}`, start, end, action: 'block' }))
 *   },
 * }
 */
export class TextRules {
  readonly #input: readonly Group[]
  readonly #output: readonly Group[]

  /** @param window longest match of a pattern that is found in a stream, characters */
  constructor(rules: readonly TextRulesOptions[], window: number = PATTERN_WINDOW) {
    this.#input = groupsOf(rules, 'input', window)
    this.#output = groupsOf(rules, 'output', window)
  }

  /** The texts that any rule looks at; undefined if no rule has keywords or patterns. */
  get directions(): Direction | 'both' | undefined {
    if (this.#input.length > 0) return this.#output.length > 0 ? 'both' : 'input'
    return this.#output.length > 0 ? 'output' : undefined
  }

  /** For `memoKey` of a plugin: what the hits in a request depend on besides its texts. */
  memoKey(x: Asker): string | undefined {
    const key = this.#input.map((group) => (group.concerns(x) ? '1' : '0')).join('')
    return key.length <= 256 ? key : undefined
  }

  /** The hits in a view, rule by rule; on an unfinished stream, also holds possible starts of a hit. */
  find(view: TextView, x: Asker): TextRuleHit[] {
    const hits: TextRuleHit[] = []
    let held = view.text.length
    for (const group of this.#groupsFor(view, x)) held = Math.min(held, group.find(view, hits))
    if (!view.final && held < view.text.length) view.hold(held)
    return inOrder(hits)
  }

  /** Calls `take` with each hit of `find`; for a long complete text in turns, and the promise settles after the last one. */
  each(view: TextView, x: Asker & Pick<Exchange, 'nextTurn'>, take: (hit: TextRuleHit) => void): Awaitable<void> {
    if (view.final && view.text.length > LONG) return stepByStep(this.#eachInSteps(view, x, take), () => x.nextTurn())
    for (const hit of this.find(view, x)) take(hit)
  }

  *#eachInSteps(view: TextView, x: Asker, take: (hit: TextRuleHit) => void): Steps<void> {
    const hits: TextRuleHit[] = []
    for (const group of this.#groupsFor(view, x)) yield* group.findInSteps(view, hits)
    for (const [i, hit] of inOrder(hits).entries()) {
      take(hit)
      if (i % HITS_OF_STEP === HITS_OF_STEP - 1) yield
    }
  }

  #groupsFor(view: TextView, x: Asker): Group[] {
    const groups = view.direction === 'input' ? this.#input : this.#output
    return groups.filter((group) => group.appliesTo(view) && group.concerns(x))
  }
}

/** A longer text is searched in turns; characters. */
const LONG = 32 * 1024
const HITS_OF_STEP = 4096

const inOrder = (hits: TextRuleHit[]): TextRuleHit[] => (hits.length > 1 ? hits.sort((a, b) => a.rule - b.rule) : hits)

function groupsOf(rules: readonly TextRulesOptions[], direction: Direction, window: number): Group[] {
  const groups = new Map<string, Member[]>()
  for (const [rule, options] of rules.entries()) {
    const { on = 'both', keywords = [], patterns = [] } = options
    if ((on !== 'both' && on !== direction) || keywords.length + patterns.length === 0) continue
    const { roles, channels, keys, teams, models } = options
    const conditions = JSON.stringify([roles, channels, keys, teams, models])
    const members = groups.get(conditions) ?? []
    groups.set(conditions, members)
    members.push({ rule, options })
  }
  return [...groups.values()].map((members) => new Group(members, window))
}

interface Member {
  readonly rule: number
  readonly options: TextRulesOptions
}

/** Rules with the same conditions. */
class Group {
  readonly #conditions: TextRule
  readonly #requests: RequestRuleOptions | undefined
  readonly #automata: readonly KeywordAutomaton[]
  readonly #patterns: readonly { readonly rule: number; readonly patterns: Patterns }[]

  constructor(members: readonly Member[], window: number) {
    const { roles, channels, keys, teams, models } = (members[0] as Member).options
    this.#conditions = new TextRule({ ...(roles && { roles }), ...(channels && { channels }) })
    const requests = { ...(keys && { keys }), ...(teams && { teams }), ...(models && { models }) }
    this.#requests = Object.keys(requests).length > 0 ? requests : undefined
    this.#automata = [true, false].flatMap((caseSensitive) => {
      const literals = members.flatMap((member) => literalsOf(member, caseSensitive))
      return literals.length > 0 ? [new KeywordAutomaton(literals, caseSensitive)] : []
    })
    this.#patterns = members.flatMap(({ rule, options: { patterns } }) =>
      patterns === undefined ? [] : [{ rule, patterns: new Patterns(patterns, { window }) }],
    )
  }

  appliesTo(view: TextView): boolean {
    return this.#conditions.appliesTo(view)
  }

  concerns(x: Asker): boolean {
    return this.#requests === undefined || concerns(this.#requests, x)
  }

  /** Adds the hits and returns where a stream must wait. */
  find({ text, before, final }: TextView, hits: TextRuleHit[]): number {
    let held = text.length
    const hold = (at: number) => {
      held = Math.min(held, at)
    }
    const view = { text, before, final, hold }
    for (const automaton of this.#automata) {
      hold(automaton.find(view, ({ owner }, start, end) => hits.push({ rule: owner, start, end })))
    }
    for (const { rule, patterns } of this.#patterns) {
      for (const { start, end } of patterns.find(view)) hits.push({ rule, start, end })
    }
    return held
  }

  /** Adds the hits in a complete text. */
  *findInSteps({ text, before, final }: TextView, hits: TextRuleHit[]): Steps<void> {
    const view = { text, before, final, hold: () => undefined }
    for (const automaton of this.#automata) {
      yield* automaton.findInSteps(view, ({ owner }, start, end) => hits.push({ rule: owner, start, end }))
    }
    for (const { rule, patterns } of this.#patterns) {
      for (const { start, end } of yield* patterns.findInSteps(view)) hits.push({ rule, start, end })
      yield
    }
  }
}

function literalsOf({ rule, options }: Member, caseSensitive: boolean): Literal[] {
  const { keywords = [], case_sensitive: matters = false, whole_words: wholeWords = true } = options
  return matters === caseSensitive ? keywords.map((text) => ({ text, owner: rule, wholeWords })) : []
}
