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
  readonly services: Pick<Services, 'store' | 'emit' | 'keys' | 'limitsOf'>
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
    const note = spent > 0 || isKnown(entry, services) ? {} : { note: STRANGER }
    const now = credits.raised(key, limit)
    const left = Math.max(0, now.amount - spent - (state?.reserved ?? 0))
    return { ...about, limit: now.shown(now.amount), spent: limit.shown(spent), left: limit.shown(left), ...note }
  }
  const found = async (id: string, subject: string | undefined): Promise<Entry> => {
    const entry = await meters.find(id, subject ?? 'global')
    const scope = entry?.limit.scope ?? meters.scopeOf(id)
    if (scope === undefined) throw refused('id', 'There is no such budget. GET /api/budgets lists id and subject.')
    if (subject === undefined && scope !== 'global')
      throw refused('subject', `subject is required: the ${scope} whose budget it is. GET /api/budgets lists it.`)
    if (entry !== undefined) return entry
    if (scope === 'global') throw refused('subject', 'This budget counts all requests: leave subject out.')
    throw refused('subject', `This budget does not count such a ${scope}: see its match in the config.`)
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
          throw refused('amount', 'amount must be a whole number, or millionths of a dollar.')
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

const refused = (param: string, message: string): GatewayError => new GatewayError('GW_VALIDATION', message, { param })

/** Not an error: a caller of a plugin, such as one with a token, is known from its first request on. */
const STRANGER = 'Nobody of this name was counted yet, and no key has it: check subject.'

/** Whether a key or team is in the config, or known to a plugin. */
function isKnown(
  { limit: { scope }, subject }: Entry,
  { keys, limitsOf }: Pick<Services, 'keys' | 'limitsOf'>,
): boolean {
  if (scope !== 'key' && scope !== 'team') return true
  if (keys.some(({ id, team }) => (scope === 'key' ? id : team) === subject)) return true
  const limits = limitsOf(scope, subject)
  // Plugins know their keys. They answer for any team, with the limits that it has.
  return scope === 'key' ? limits !== undefined : limits !== undefined && limits.length > 0
}
