import { definePlugin, type Json, Stage } from 'governed-gateway'
import { unknownSelectors } from './check.ts'
import { readLimits } from './limits.ts'
import { BudgetManager } from './manager.ts'
import { Meters } from './meters.ts'
import { errors, events, schema } from './schema.ts'
import { Thresholds } from './thresholds.ts'
import { loadTokenizer } from './tokens.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'budget.exceeded': { [key: string]: Json }
    'budget.threshold': { [key: string]: Json }
  }
}

/** Enforces the operator's limits: reserves before the model is called, settles after. */
export default definePlugin({
  name: 'budget',
  description: 'Limits requests, tokens and dollars per key, team or model, or overall',
  governs: 'usage',
  timeoutMs: 5000,
  schema,
  flags: { budget: { values: ['off', 'warn', 'enforce'], integer: true, default: 'enforce' } },
  events,
  errors,
  check: unknownSelectors,
  create(options, services) {
    const limits = readLimits(options)
    const meters = new Meters(services, limits)
    services.figure({
      name: 'budget_left_ratio',
      help: 'Share of each limit that is left, for the key, team or user that used most of it.',
      kind: 'gauge',
      across: 'first',
      read: () => meters.left(),
    })
    const thresholds = new Thresholds(services, options.thresholds)
    const book = new BudgetManager(options, limits, {
      granted: (entries) => meters.note(entries),
      settled: (entries, states) => thresholds.check(entries, states),
    })
    return {
      apply(hooks) {
        hooks.block.tap({ name: 'budget', stage: Stage.Final }, (x) => book.open(x))
        // Without limits, only a request's flag needs counting, and only another plugin can set flags.
        const flagged = [...services.flags.values()].some(({ owner }) => owner !== 'budget')
        if (book.counts || flagged) hooks.onChunk.tap('budget', (views, x) => book.accountOf(x)?.onChunk(views))
        hooks.postResponse.tap('budget', (x) => book.close(x))
      },
      routes: [
        {
          method: 'GET',
          path: '/api/budgets',
          auth: 'user',
          handle: async ({ caller }) => ({ body: { budgets: await meters.list(caller) } }),
        },
      ],
      async start() {
        if (book.counts) await loadTokenizer()
      },
    }
  },
})
