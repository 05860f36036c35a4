import { definePlugin, type Exchange, Late } from 'governed-gateway'
import { Account } from './account.ts'
import { meterKey, readLimits } from './limits.ts'
import type { Entry, Rate } from './plan.ts'
import { schema } from './schema.ts'

const FREE: Rate = { input: 0, cached: 0, output: 0 }

/** Keeps what requests use within the operator's limits: reserved before the model is called, settled after. */
export default definePlugin({
  name: 'budget',
  description: 'Keeps requests, tokens and dollars of keys, teams, models and all within limits',
  governs: 'usage',
  schema,
  flags: { budget: { values: ['off', 'warn', 'enforce'], integer: true, default: 'enforce' } },
  create(options) {
    const limits = readLimits(options)
    const accounts = new WeakMap<Exchange, Account>()
    return {
      apply(hooks) {
        hooks.block.tap({ name: 'budget', stage: Late }, (x) => {
          const entries = limits.flatMap((limit): Entry[] => {
            const subject = limit.subject(x.caller, x.request.model)
            return subject === undefined ? [] : [{ limit, subject, key: meterKey(limit, subject) }]
          })
          if (entries.length === 0) return undefined
          const flag = x.flag('budget')
          const plan = { prompt: 0, choices: 1, most: 0, least: 0, rate: FREE }
          const account = new Account(x, entries, plan, options, flag !== 'warn' && flag !== 'off')
          accounts.set(x, account)
          return undefined
        })
        hooks.postResponse.tap('budget', (x) => {
          const account = accounts.get(x)
          if (account === undefined) return
          const { progress } = x.reply
          if (progress === 'sent' || progress === 'begun') account.settle(0, 0, 0, FREE, () => {})
          else account.release()
        })
      },
    }
  },
})
