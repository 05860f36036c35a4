import { definePlugin, type Json, limitsFact, Stage } from 'governed-gateway'
import { check } from './check.ts'
import { Credits } from './credits.ts'
import { type Limit, readLimits } from './limits.ts'
import { BudgetManager } from './manager.ts'
import { Meters } from './meters.ts'
import { routes } from './routes.ts'
import { errors, events, schema } from './schema.ts'
import { Thresholds } from './thresholds.ts'
import { loadTokenizer } from './tokens.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'budget.exceeded': { [key: string]: Json }
    'budget.threshold': { [key: string]: Json }
  }
}

/** How long after the start to load the tokenizer, which holds up everything else for a moment. */
const TOKENIZER_AFTER_MS = 1000

/** Enforces the operator's limits: reserves before the model is called, settles after. */
export default definePlugin({
  name: 'budget',
  description: 'Limits requests, tokens and dollars per key, team or model, or overall',
  governs: 'usage',
  countsMirrors: true,
  timeoutMs: 5000,
  schema,
  flags: { budget: { values: ['off', 'warn', 'enforce'], integer: true, default: 'enforce' } },
  events,
  errors,
  check,
  create(options, services) {
    const limits = readLimits(options)
    const credits = new Credits(services)
    const raised = (key: string, limit: Limit) => credits.raised(key, limit)
    const meters = new Meters(services, limits, raised)
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
      raised,
      settled: (entries, states) => thresholds.check(entries, states),
    })
    let loading: NodeJS.Timeout | undefined
    return {
      apply(hooks) {
        hooks.block.tap({ name: 'budget', stage: Stage.Final }, (x) => book.open(x))
        // Without limits, only flags and callers need counting, and only other plugins bring them.
        const flagged = [...services.flags.values()].some(({ owner }) => owner !== 'budget')
        if (book.counts || flagged || services.provided.has(limitsFact.key))
          hooks.onChunk.tap('budget', (views, x) => book.accountOf(x)?.onChunk(views))
        hooks.postResponse.tap('budget', (x) => book.close(x))
      },
      routes: routes({ meters, credits, services }),
      async start() {
        meters.start()
        await credits.start()
        // After the start. A request that needs it earlier loads it, and reports what is wrong with it.
        if (book.counts) loading = setTimeout(() => loadTokenizer().catch(() => {}), TOKENIZER_AFTER_MS).unref()
      },
      async stop() {
        clearTimeout(loading)
        meters.stop()
        credits.stop()
      },
    }
  },
})
