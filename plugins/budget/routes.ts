import { GatewayError, type Json, type Route, type Services } from 'governed-gateway'
import type { Credits } from './credits.ts'
import { MICRO } from './limits.ts'
import type { Meters } from './meters.ts'
import type { Entry } from './plan.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'budget.adjusted': { [key: string]: Json }
  }
}

const meter = {
  id: { type: 'string', minLength: 1, maxLength: 128 },
  subject: { type: 'string', minLength: 1, maxLength: 256 },
} as const
const resetBody = { type: 'object', additionalProperties: false, required: ['id'], properties: meter } as const
const topUpBody = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'amount'],
  properties: { ...meter, amount: { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000_000 } },
} as const

export interface RouteParts {
  readonly meters: Meters
  readonly credits: Credits
  readonly services: Pick<Services, 'store' | 'emit'>
}

export const routes = ({ meters, credits, services }: RouteParts): readonly Route[] => {
  const adjust = async (entry: Entry, action: 'reset' | 'top_up', added: number | undefined, by: string) => {
    const { limit, key, subject } = entry
    const [state] = await services.store.inspect([{ key, window: limit.window }])
    const spent = state?.spent ?? 0
    const rolling = typeof limit.window === 'object' && 'rolling' in limit.window ? limit.window.rolling : 0
    const until = rolling > 0 ? Date.now() + rolling : (state?.resetsAt ?? Date.now())
    await meters.register(entry)
    await credits.change(key, until, (before) => (added === undefined ? spent : before + added))
    const amount = limit.shown(added ?? spent)
    const about = { budget: limit.id, scope: limit.scope, subject: subject.slice(0, 256), unit: limit.unit }
    services.emit('budget.adjusted', { ...about, action, amount, changed_by: by })
    const now = credits.raised(key, limit)
    const left = Math.max(0, now.amount - spent - (state?.reserved ?? 0))
    return { ...about, limit: now.shown(now.amount), spent: limit.shown(spent), left: limit.shown(left) }
  }
  const found = async (id: string, subject: string | undefined): Promise<Entry> => {
    const entry = await meters.find(id, subject ?? 'global')
    if (subject === undefined && entry !== undefined && entry.limit.scope !== 'global') {
      const message = `subject is required: the ${entry.limit.scope} whose budget it is. GET /api/budgets lists it.`
      throw new GatewayError('GW_VALIDATION', message, { param: 'subject' })
    }
    if (entry !== undefined) return entry
    throw new GatewayError('GW_VALIDATION', 'There is no such budget. GET /api/budgets lists id and subject.', {
      param: 'id',
    })
  }
  return [
    {
      method: 'GET',
      path: '/api/budgets',
      auth: 'user',
      handle: async ({ caller }) => ({ body: { budgets: await meters.list(caller) } }),
    },
    {
      method: 'POST',
      path: '/api/budgets/top-up',
      auth: 'admin',
      body: topUpBody,
      handle: async ({ body, caller }) => {
        const { id, subject, amount } = body as { id: string; subject?: string; amount: number }
        const entry = await found(id, subject)
        const added = entry.limit.unit === 'usd' ? Math.round(amount * MICRO) : amount
        if (!Number.isInteger(added) || added === 0)
          throw new GatewayError('GW_VALIDATION', 'amount must be a whole number, or millionths of a dollar.', {
            param: 'amount',
          })
        return { body: await adjust(entry, 'top_up', added, caller.keyId) }
      },
    },
    {
      method: 'POST',
      path: '/api/budgets/reset',
      auth: 'admin',
      body: resetBody,
      handle: async ({ body, caller }) => {
        const { id, subject } = body as { id: string; subject?: string }
        return { body: await adjust(await found(id, subject), 'reset', undefined, caller.keyId) }
      },
    },
  ]
}
