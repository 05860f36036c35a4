import {
  defineFact,
  definePlugin,
  type Exchange,
  type Instance,
  type OptionProblem,
  type TextView,
} from 'governed-gateway'
import { requestRuleWarnings, TextRules } from 'governed-gateway/kit'
import { Rule } from './rule.ts'
import { schema } from './schema.ts'

/** Refuses or redacts by the operator's rules. */
export default definePlugin({
  name: 'policy',
  description: 'Denies requests and replies by text, model, label, caller, role, count and size',
  schema,
  lookbehind: 0,
  maxBuffered: 4096, // More than any keyword or window, so our holds never overflow.
  events: { 'policy.detected': { severity: 'detection', title: 'Policy rule matched' } },
  check: ({ rules }, tools) => [...duplicateNames(rules), ...requestRuleWarnings('rules', rules, tools)],
  create(options) {
    const rules = options.rules.map((rule, i) => new Rule(rule, i))
    const requests = rules.filter((rule) => !rule.hasText && rule.where.looksAt('input'))
    const replies = rules.filter((rule) => rule.evaluatesReply)
    return {
      ...detectorOf(rules, new TextRules(options.rules, options.window)),
      apply(hooks) {
        // One tap per rule, so that monitor mode evaluates and records each of them.
        for (const rule of requests) hooks.block.tap('policy', (x) => evaluate(rule, x))
        if (replies.length === 0) return
        hooks.onChunk.tap('policy', (views, x) => {
          for (const rule of replies) evaluateReply(rule, views, x)
        })
      },
    }
  },
})

function detectorOf(rules: readonly Rule[], texts: TextRules): Pick<Instance, 'detect' | 'detects' | 'memoKey'> {
  const { directions: detects } = texts
  if (detects === undefined) return {}
  return {
    detects,
    memoKey: (x) => texts.memoKey(x),
    detect(view, x) {
      return texts.each(view, x, ({ rule, start, end }) => {
        view.report((rules[rule] as Rule).finding(view, start, end))
      })
    },
  }
}

/** Events and reasons name the rule, so rule names must be unique. */
function duplicateNames(rules: readonly { readonly name?: string }[]): OptionProblem[] {
  const first = new Map<string, number>()
  return rules.flatMap(({ name }, i) => {
    const at = name === undefined ? undefined : first.get(name)
    if (name !== undefined && at === undefined) first.set(name, i)
    return at === undefined
      ? []
      : [
          {
            option: `rules[${i}].name`,
            message: `"${name}" is the name of rules[${at}] too`,
            severity: 'warning' as const,
          },
        ]
  })
}

function evaluate(rule: Rule, x: Exchange) {
  if (!rule.matchesRequest(x)) return undefined
  if (rule.action === 'block') return rule.verdict('input')
  record(rule, 'input', x)
  return undefined
}

/** Rules that this reply already matched; a stream evaluates them many times. */
const matchedFact = defineFact<Set<Rule>>('policy/matched')

function evaluateReply(rule: Rule, views: readonly TextView[], x: Exchange): void {
  const known = x.facts.get(matchedFact)
  if (known?.has(rule) === true || !rule.concerns(x)) return
  if (!views.some((view) => rule.matchesReply(view, x))) return
  x.facts.set(matchedFact, (known ?? new Set()).add(rule))
  if (rule.action === 'block') x.reply.block(rule.verdict('output'))
  else record(rule, 'output', x)
}

function record(rule: Rule, direction: 'input' | 'output', x: Exchange): void {
  const { policy, reason } = rule.verdict(direction)
  x.emit('policy.would_block', { policy, reason })
}
