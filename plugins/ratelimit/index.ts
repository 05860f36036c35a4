import {
  defineFact,
  definePlugin,
  type Exchange,
  type Hold,
  type Refusal,
  type Rejection,
  Stage,
} from 'governed-gateway'
import { requestRuleWarnings } from 'governed-gateway/kit'
import { headers, tightest } from './headers.ts'
import { type Count, Limits, MAX_WAIT_MS, type Unit } from './limits.ts'
import { schema } from './schema.ts'
import { SpentCounts } from './spent.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'ratelimit.exceeded': { limit: string; scope: string; unit: Unit; retry_after: number }
  }
}

interface Taken {
  readonly hold: Hold
  readonly counts: readonly Count[]
}

const takenFact = defineFact<Taken>('ratelimit/taken')

/** Limits requests, tokens and open streams of keys, teams and models. Exact across processes and nodes. */
export default definePlugin({
  name: 'ratelimit',
  description: 'Limits requests and tokens per minute and concurrent streams, per key, team or model, or overall',
  governs: 'usage',
  schema,
  events: {
    'ratelimit.exceeded': {
      severity: 'action',
      title: 'Rate limit exceeded',
      schema: {
        type: 'object',
        description: 'A request was over a rate limit, and got 429.',
        required: ['limit', 'scope', 'unit', 'retry_after'],
        properties: {
          limit: { type: 'string', description: 'Name of the limit.' },
          scope: {
            type: 'string',
            enum: ['key', 'team', 'model', 'global'],
            description: 'Whose requests the limit counts.',
          },
          unit: { type: 'string', enum: ['requests', 'tokens', 'streams'], description: 'What the limit counts.' },
          retry_after: { type: 'integer', description: 'Seconds that the client should wait (`Retry-After`).' },
        },
      },
    },
  },
  check: ({ limits = [] }, tools) => requestRuleWarnings('limits', limits, tools),
  create({ limits: configured = [], default_completion_tokens: completionTokens = 1024 }) {
    const limits = new Limits(configured, completionTokens)
    if (configured.length === 0) return {}
    const spent = new SpentCounts()

    function refuse(x: Exchange, count: Count, resetsAt: number | null): Rejection {
      const { limit, scope, unit, request } = count
      const now = Date.now()
      const rejection = rejectionOf(count, resetsAt, now)
      x.emit('ratelimit.exceeded', { limit, scope, unit, retry_after: rejection.retryAfter })
      const zero = [{ unit, limit: request.limit, left: 0, resetsAt }]
      for (const [name, value] of headers(zero, now)) x.reply.setHeader(name, value)
      return rejection
    }

    return {
      apply(hooks) {
        hooks.preRequest.tap('ratelimit', (x) => {
          const counts = limits.for(x)
          if (counts.length === 0) return undefined
          const known = spent.find(counts, Date.now())
          if (known !== undefined) return refuse(x, known.count, known.resetsAt)
          if (counts.some(({ unit }) => unit === 'tokens')) x.request.wantUsage()
          const hold = x.reserve({
            scopes: counts.map(({ request }) => request),
            refused(refusal: Refusal) {
              const count = counts.find(({ request }) => request.key === refusal.key) as Count
              // In monitor mode nothing is refused; the host only records this.
              if (!hold.enforced) return rejectionOf(count, refusal.resetsAt, Date.now())
              spent.note(count, refusal.resetsAt, Date.now())
              return refuse(x, count, refusal.resetsAt)
            },
            granted(scopes) {
              for (const [name, value] of headers(tightest(counts, scopes), Date.now())) x.reply.setHeader(name, value)
            },
          })
          x.facts.set(takenFact, { hold, counts })
          return undefined
        })
        // After `budget`, which estimates usage that the provider did not report.
        hooks.postResponse.tap({ name: 'ratelimit', stage: Stage.Final }, (x) => {
          const own = x.facts.get(takenFact)
          if (own === undefined) return
          // An exchange that ends before the model, such as a dry run, is counted without a check. So look
          // for spent limits here.
          own.hold.settle(
            used(x, own),
            own.hold.enforced ? (states) => spent.noteSpent(own.counts, states, Date.now()) : undefined,
          )
        })
      },
    }
  },
})

/** A request always counts, tokens only if the model was called, and an ended stream no longer. */
function used({ reply }: Exchange, { hold, counts }: Taken): Record<string, number> {
  const amounts: Record<string, number> = {}
  const { usage, outcome, committed } = reply
  const asked = hold.scopes !== undefined && (committed || outcome !== 'upstream_failed')
  for (const { unit, request } of counts) {
    if (unit === 'requests') amounts[request.key] = 1
    else if (unit === 'streams' || !asked) amounts[request.key] = 0
    else if (usage !== undefined) amounts[request.key] = usage.prompt + usage.completion
    // Otherwise keep the estimate: the model was called, but reported no usage.
  }
  return amounts
}

function rejectionOf({ scope, unit, request }: Count, resetsAt: number | null, now: number) {
  // The store's clock may differ from ours, so never wait longer than the window and one slice.
  const wait = Math.min((resetsAt ?? now + 1000) - now, MAX_WAIT_MS)
  const retryAfter = Math.max(1, Math.ceil(wait / 1000))
  const message = messageFor(scope, unit, request.limit, retryAfter)
  return { error: 'GW_RATE_LIMITED', message, retryAfter } satisfies Rejection
}

const WORDS: Readonly<Record<Unit, string>> = {
  requests: 'requests per minute',
  tokens: 'tokens per minute',
  streams: 'streams at the same time',
}

function messageFor(scope: string, unit: Unit, limit: number, retryAfter: number): string {
  const whose = scope === 'global' ? 'the gateway' : `this ${scope}`
  return `Rate limit reached for ${whose}: ${limit} ${WORDS[unit]}. Try again in ${retryAfter} s.`
}
