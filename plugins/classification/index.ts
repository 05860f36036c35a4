import { definePlugin, type Instance, isLevel, LEVELS, type Options } from 'governed-gateway'
import { concerns, requestRuleWarnings, TextRules } from 'governed-gateway/kit'
import { schema } from './schema.ts'

type Rule = Options<typeof schema>['rules'][number]

export default definePlugin({
  name: 'classification',
  description: 'Labels requests and replies by keywords, patterns, keys, teams and models',
  schema,
  lookbehind: 0,
  maxBuffered: 4096, // More than any keyword or window, so our holds never overflow.
  flags: { classification: { values: LEVELS, default: 'PUBLIC' } },
  check: ({ rules }, tools) => requestRuleWarnings('rules', rules, tools),
  create(options) {
    const { rules } = options
    const types = rules.map(({ name }, i) => (name ?? `rule_${i + 1}`).replaceAll('-', '_'))
    return {
      ...detectorOf(rules, types, new TextRules(rules, options.window)),
      apply(hooks) {
        // A minimum label applies in every mode, but mode=off skips classify.
        hooks.preRequest.tap('classification', (x) => {
          x.raise(options.default, 'classification/default')
          const flag = x.flag('classification')
          if (isLevel(flag)) x.raise(flag, 'classification/flag')
          for (const [i, rule] of rules.entries()) {
            if (isForRequests(rule) && concerns(rule, x)) x.raise(rule.label, `classification/${types[i]}`)
          }
        })
      },
    }
  },
})

/** Whether the rule labels whole requests, not texts. */
const isForRequests = ({ keywords, patterns, on }: Rule): boolean =>
  keywords === undefined && patterns === undefined && on !== 'output'

function detectorOf(
  rules: readonly Rule[],
  types: readonly string[],
  texts: TextRules,
): Pick<Instance, 'detect' | 'detects' | 'memoKey'> {
  const { directions: detects } = texts
  if (detects === undefined) return {}
  return {
    detects,
    memoKey: (x) => texts.memoKey(x),
    detect(view, x) {
      return texts.each(view, x, ({ rule, start, end }) => {
        view.report({ type: types[rule] as string, start, end, level: (rules[rule] as Rule).label })
      })
    },
  }
}
