const limit = {
  type: 'object',
  additionalProperties: false,
  required: ['scope', 'unit', 'limit', 'window'],
  properties: {
    id: {
      type: 'string',
      description:
        'Names the limit in errors, events and the store: lower-case letters, digits, - and _, at most 64. A new id starts at zero. Default scope, unit and window, such as key_usd_month.',
      pattern: '^[a-z][a-z0-9_-]{0,63}$',
    },
    scope: {
      type: 'string',
      description:
        'Which requests share one meter: those of a key, of a team (keys without a team have none), for a model as the provider names it, or all.',
      enum: ['key', 'team', 'model', 'global'],
    },
    unit: {
      type: 'string',
      description: 'The unit: requests, tokens of prompt and completion together, or their price in US dollars.',
      enum: ['requests', 'tokens', 'usd'],
    },
    limit: {
      type: 'number',
      description: 'The amount per window. Whole numbers, except usd, which counts in millionths.',
      minimum: 0,
      maximum: 1_000_000_000_000,
    },
    window: {
      description:
        'The current minute, hour, day, week (from Monday) or month, UTC; or {rolling: 24h}, the time up to now: a number with s, m, h or d, 1s to 400d.',
      anyOf: [
        { type: 'string', enum: ['minute', 'hour', 'day', 'week', 'month'] },
        {
          type: 'object',
          additionalProperties: false,
          required: ['rolling'],
          properties: {
            rolling: {
              type: 'string',
              description: 'Length of the time up to now, such as 90s, 30m, 24h or 30d; at most 400d.',
              pattern: '^[1-9]\\d{0,7}[smhd]$',
            },
          },
        },
      ],
    },
    match: {
      type: 'array',
      description:
        'Only for these keys, teams or models, by name or with * for any characters. Not with scope global. Default all.',
      minItems: 1,
      items: { type: 'string', format: 'glob' },
    },
  },
} as const

const price = {
  type: 'object',
  additionalProperties: false,
  required: ['model', 'input', 'output'],
  properties: {
    model: {
      type: 'string',
      description: 'Name of the model as the provider knows it, or with * for any characters.',
      format: 'glob',
    },
    upstream: {
      type: 'string',
      description: 'Only when this upstream of the config answers. Default any.',
      minLength: 1,
      maxLength: 256,
    },
    input: {
      type: 'number',
      description: 'Prompt tokens, US dollars per million.',
      minimum: 0,
      maximum: 1e6,
    },
    cached_input: {
      type: 'number',
      description: 'Prompt tokens from the provider’s cache, US dollars per million. Default as input.',
      minimum: 0,
      maximum: 1e6,
    },
    cache_write_input: {
      type: 'number',
      description:
        'Prompt tokens that the provider writes to its cache, US dollars per million. Default 1.25 times input.',
      minimum: 0,
      maximum: 1e6,
    },
    cache_write_1h_input: {
      type: 'number',
      description:
        'Prompt tokens that the provider writes to its cache for an hour, US dollars per million. Default twice input.',
      minimum: 0,
      maximum: 1e6,
    },
    output: {
      type: 'number',
      description: 'Completion tokens, including reasoning, US dollars per million.',
      minimum: 0,
      maximum: 1e6,
    },
  },
} as const

export const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limits: {
      type: 'array',
      description: 'All limits that apply to a request must have room. Default none.',
      default: [],
      items: limit,
    },
    default_completion_tokens: {
      type: 'integer',
      description:
        'Tokens reserved for each choice of a request without a maximum, at most what the model can write. A longer stream takes more as it grows. 1 to 1000000. Default 1024.',
      minimum: 1,
      maximum: 1_000_000,
      default: 1024,
    },
    min_completion_tokens: {
      type: 'integer',
      description:
        'If a limit has less room, a request gets a lower maximum, as long as each choice keeps these tokens, or its own maximum if that is less. 1 to 1000000. Default 16.',
      minimum: 1,
      maximum: 1_000_000,
      default: 16,
    },
    wait_seconds: {
      type: 'number',
      description:
        'How long a request waits for tokens or dollars that running requests have reserved but may not use; seconds, 0 to 300. After that, or at once if nothing is left, it is refused. Default 10.',
      minimum: 0,
      maximum: 300,
      default: 10,
    },
    cap_unbounded: {
      type: 'boolean',
      description:
        'Sends the reservation as the maximum of buffered requests without one, so that no reply can exceed it. Otherwise such a reply may overrun, and the overrun is charged. Default false.',
      default: false,
    },
    status: {
      type: 'integer',
      description:
        'Status of a refusal: 403 as policy_block, which SDKs do not retry; or 429 or 402 as insufficient_quota. Default 403.',
      enum: [403, 429, 402],
      default: 403,
    },
    thresholds: {
      type: 'array',
      description: 'Percent of a limit at which budget.threshold is emitted, once in a window. Default 80, 95 and 100.',
      default: [80, 95, 100],
      uniqueItems: true,
      items: { type: 'integer', minimum: 1, maximum: 100 },
    },
    unknown_price: {
      type: 'string',
      description:
        'A request under a usd limit for a model without a price: refuse, or allow at no charge. Default refuse.',
      enum: ['refuse', 'allow'],
      default: 'refuse',
    },
    prices: {
      type: 'array',
      description: 'Prices of models, before those that come with the plugin; the first match applies.',
      default: [],
      items: price,
    },
  },
} as const

const about = {
  budget: { type: 'string', description: 'Id of the budget.' },
  scope: { type: 'string', description: '`key`, `team`, `model` or `global`.' },
  subject: { type: 'string', description: 'The key, team or model that the budget counts.' },
  unit: { type: 'string', description: '`requests`, `tokens` or `usd`.' },
  limit: { type: 'number', description: 'Amount of the budget, in `unit`.' },
  spent: { type: 'number', description: 'Amount used, in `unit`.' },
  resets_at: { type: ['string', 'null'], description: 'Time of the next reset (ISO 8601), or null.' },
  reason: { type: 'string', maxLength: 1024, description: 'Explanation for people.' },
} as const

const REMEDY =
  'Wait until `resets_at`, or ask the operator for more. `error.budget` names the exhausted limit, unless it is the flag `budget`.'

export const errors = {
  budget_exceeded: { status: 403, type: 'policy_block', retryable: false, limit: true, remedy: REMEDY },
  insufficient_quota: {
    status: 429,
    type: 'insufficient_quota',
    retryable: false,
    limit: true,
    remedy: `Replaces \`budget_exceeded\` if the plugin has \`status: 429\` or \`402\`. ${REMEDY}`,
  },
} as const

/** Own members of this plugin's events. */
export const events = {
  'budget.adjusted': {
    severity: 'action',
    title: 'Budget topped up or reset',
    category: 'change',
    disposition: 'logged',
    schema: {
      type: 'object',
      description: 'An admin added to a budget until the end of its window, or let it begin again.',
      required: ['budget', 'scope', 'subject', 'unit', 'action', 'amount', 'changed_by'],
      properties: {
        budget: about.budget,
        scope: about.scope,
        subject: about.subject,
        unit: about.unit,
        action: { type: 'string', enum: ['top_up', 'reset'], description: 'What was done.' },
        amount: { type: 'number', description: 'Amount added, in `unit`; for a reset, what had been used.' },
        changed_by: { type: 'string', description: 'Id of the admin key.' },
      },
    },
  },
  'budget.exceeded': {
    severity: 'block',
    title: 'Budget exceeded',
    disposition: 'rejected',
    schema: {
      type: 'object',
      description: 'A budget was exhausted: the request was refused, or its reply ended early.',
      required: ['phase', 'budget', 'scope', 'unit', 'limit', 'spent', 'resets_at'],
      properties: {
        ...about,
        left: { type: 'number', description: 'Amount neither used nor reserved, in `unit`.' },
        phase: {
          type: 'string',
          enum: ['request', 'reply'],
          description: 'The request was refused, or the reply ended early.',
        },
      },
    },
  },
  'budget.threshold': {
    severity: 'detection',
    title: 'Budget threshold reached',
    schema: {
      type: 'object',
      description: 'Usage reached a threshold of a budget.',
      required: ['percent', 'budget', 'scope', 'subject', 'unit', 'window', 'limit', 'spent', 'resets_at'],
      properties: {
        ...about,
        percent: { type: 'integer', description: 'Threshold that was reached, percent of the limit.' },
        window: { type: 'string', description: 'Window of the budget, such as `month` or `rolling 24h`.' },
      },
    },
  },
} as const
