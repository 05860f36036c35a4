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

/** Refuses or redacts by the rules of the operator: text, model, label, caller, roles, counts and sizes. */
export default definePlugin({
  name: 'policy',
  description: 'Denies requests and replies by text, model, label, caller, role, count and size',
  schema,
  lookbehind: 0,
  maxBuffered: 4096, // More than any keyword or window, so that no hold of ours overflows.
  events: { 'policy.detected': { severity: 'detection', title: 'Policy rule matched' } },
  check: ({ rules }, tools) => [...twins(rules), ...requestRuleWarnings('rules', rules, tools)],
  create(options) {
    const rules = options.rules.map((rule, i) => new Rule(rule, i))
    const requests = rules.filter((rule) => !rule.isText && rule.where.looksAt('input'))
    const replies = rules.filter((rule) => rule.judgesReply)
    return {
      ...detectorOf(rules, new TextRules(options.rules, options.window)),
      apply(hooks) {
        // One tap for each rule: in monitor mode every one of them is asked and recorded.
        for (const rule of requests) hooks.block.tap('policy', (x) => judge(rule, x))
        if (replies.length === 0) return
        hooks.onChunk.tap('policy', (views, x) => {
          for (const rule of replies) judgeReply(rule, views, x)
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
      for (const { rule, start, end } of texts.find(view, x))
        view.report((rules[rule] as Rule).finding(view, start, end))
    },
  }
}

/** Events and reasons name the rule, so rule names must be unique. */
function twins(rules: readonly { readonly name?: string }[]): OptionProblem[] {
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

function judge(rule: Rule, x: Exchange) {
  if (!rule.refuses(x)) return undefined
  if (rule.action === 'block') return rule.verdict('input')
  record(rule, 'input', x)
  return undefined
}

/** Rules that a reply broke already: a stream asks many times. */
const brokenFact = defineFact<Set<Rule>>('policy/broken')

function judgeReply(rule: Rule, views: readonly TextView[], x: Exchange): void {
  const known = x.facts.get(brokenFact)
  if (known?.has(rule) === true || !rule.concerns(x)) return
  if (!views.some((view) => rule.refusesReply(view, x))) return
  x.facts.set(brokenFact, (known ?? new Set()).add(rule))
  if (rule.action === 'block') x.reply.block(rule.verdict('output'))
  else record(rule, 'output', x)
}

function record(rule: Rule, direction: 'input' | 'output', x: Exchange): void {
  const { policy, reason } = rule.verdict(direction)
  x.emit('policy.would_block', { policy, reason })
}
