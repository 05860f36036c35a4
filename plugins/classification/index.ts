import { resolve } from 'node:path'
import { definePlugin, type Instance, isLevel, LEVELS, type Options } from 'governed-gateway'
import { concerns, requestRuleWarnings, TextRules } from 'governed-gateway/kit'
import { AppliedLabels } from './applied-labels.ts'
import { schema } from './schema.ts'

type Rule = Options<typeof schema>['rules'][number]

export default definePlugin({
  name: 'classification',
  description: 'Labels requests and replies by what they hold, by key, team and model',
  schema,
  lookbehind: 0,
  maxBuffered: 4096, // More than any keyword or window, so our holds never overflow.
  flags: { classification: { values: LEVELS, default: 'PUBLIC' } },
  check: ({ rules }, tools) => requestRuleWarnings('rules', rules, tools),
  create(options, { configFolder }) {
    const { rules, labels_dir: folder } = options
    const types = rules.map(({ name }, i) => (name ?? `rule_${i + 1}`).replaceAll('-', '_'))
    const own = folder === undefined ? undefined : resolve(configFolder, folder)
    const labels = options.labels.length === 0 ? undefined : new AppliedLabels(options.labels, own)
    return {
      ...detectorOf(rules, types, new TextRules(rules, options.window), labels),
      apply(hooks) {
        // Also runs at each reload, when the files may be others.
        labels?.read()
        // A minimum label applies in every mode, but mode=off skips classify.
        hooks.preRequest.tap('classification', (x) => {
          x.raise(options.default, 'classification/default')
          const flag = x.flag('classification')
          if (isLevel(flag)) x.raise(flag, 'classification/flag')
          for (const [i, rule] of rules.entries()) {
            if (isForRequests(rule) && concerns(rule, x)) x.raise(rule.label, `classification/${types[i]}`)
          }
        })
        if (labels === undefined) return
        hooks.block.tap('classification', (x) => labels.raise(x, 'input'))
        hooks.postResponse.tap('classification', (x) => labels.raise(x, 'output'))
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
  labels: AppliedLabels | undefined,
): Pick<Instance, 'detect' | 'detects' | 'memoKey'> {
  const detects = labels === undefined ? texts.directions : 'both'
  if (detects === undefined) return {}
  return {
    detects,
    memoKey(x) {
      const key = texts.memoKey(x)
      if (key === undefined || labels === undefined) return key
      return key.length > 200 ? undefined : `${labels.digest} ${key}`
    },
    detect(view, x) {
      labels?.report(view)
      return texts.each(view, x, ({ rule, start, end }) => {
        view.report({ type: types[rule] as string, start, end, level: (rules[rule] as Rule).label })
      })
    },
  }
}
