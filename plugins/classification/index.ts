import { definePlugin, type Exchange, isLevel, LEVELS, type Level, type Options, type TextView } from 'governed-gateway'
import { concerns, inTurns, type RequestRuleOptions, requestRuleWarnings, TextRule } from 'governed-gateway/kit'
import { schema } from './schema.ts'

interface Rule {
  readonly name: string
  readonly label: Level
  readonly text: TextRule
  readonly request: RequestRuleOptions
}

/** Labels requests and replies by the rules of the operator. */
export default definePlugin({
  name: 'classification',
  description: 'Labels requests and replies by keywords, patterns, keys, teams and models',
  schema,
  maxBuffered: 4096, // More than any keyword or window, so that no hold of ours overflows.
  flags: { classification: { values: LEVELS, default: 'PUBLIC' } },
  check: ({ rules }, tools) => requestRuleWarnings('rules', rules, tools),
  create(options) {
    const rules = options.rules.map((rule, i) => compile(rule, i, options.window))
    const texts = rules.filter(({ text }) => text.hasText)
    const whole = rules.filter(({ text }) => !text.hasText && text.looksAt('input'))
    return {
      apply(hooks) {
        // Not in classify, which mode=off leaves out: a floor holds in every mode.
        hooks.preRequest.tap('classification', (x) => {
          x.raise(options.default, 'classification/default')
          const flag = x.flag('classification')
          if (isLevel(flag)) x.raise(flag, 'classification/flag')
          for (const { name, label, request } of whole)
            if (concerns(request, x)) x.raise(label, `classification/${name}`)
        })
        const input = texts.filter(({ text }) => text.looksAt('input'))
        const output = texts.filter(({ text }) => text.looksAt('output'))
        if (input.length > 0) hooks.classify.tap('classification', (x) => label(x.request.views, x, input))
        if (output.length > 0) hooks.onChunk.tap('classification', (views, x) => label(views, x, output))
      },
    }
  },
})

function compile(rule: Options<typeof schema>['rules'][number], index: number, window: number): Rule {
  const name = (rule.name ?? `rule_${index + 1}`).replaceAll('-', '_')
  return { name, label: rule.label, text: new TextRule(rule, window), request: rule }
}

function label(views: readonly TextView[], x: Exchange, rules: readonly Rule[]) {
  const asked = rules.filter(({ request }) => concerns(request, x))
  return inTurns(views, x, (view) => {
    for (const { name: type, label: level, text } of asked) {
      if (!text.appliesTo(view)) continue
      for (const { start, end } of text.find(view)) view.report({ type, start, end, level })
    }
  })
}
