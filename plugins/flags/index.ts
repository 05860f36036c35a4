import {
  type Caller,
  definePlugin,
  type Exchange,
  flagsFact,
  type Rejection,
  type Services,
  Stage,
} from 'governed-gateway'
import { decide, defaultsProblems, readSettings } from './decide.ts'
import { dryRunAnswer } from './dry-run.ts'
import { type FlagValues, HEADER, isRejection, parseFlags } from './parse.ts'
import { schema } from './schema.ts'

declare module 'governed-gateway' {
  interface EventPayloads {
    'flags.rejected': { flag: string; value: string | number }
    'flags.loosened': { flags: string[] }
    'flags.dry_run': Record<string, never>
  }
}

/** Reads `X-Service-Flags` for all plugins, and sees to it that a request tightens what the operator set. */
export default definePlugin({
  name: 'flags',
  description: 'Lets a request tighten governance through X-Service-Flags, and loosen it if its key allows',
  governs: 'usage',
  provides: [flagsFact],
  schema,
  flags: {
    mode: {
      values: ['off', 'monitor', 'enforce', 'strict'],
      default: 'enforce',
      aliases: { observe: 'monitor', audit: 'monitor', shadow: 'monitor' },
    },
    dry_run: { values: ['false', 'true'], default: 'false' },
  },
  events: {
    'flags.rejected': {
      severity: 'action',
      title: 'Governance flag rejected',
      schema: {
        type: 'object',
        description: 'A request tried to loosen a flag that its key may not loosen.',
        required: ['flag', 'value'],
        properties: {
          flag: { type: 'string', description: 'Name of the flag.' },
          value: { type: ['string', 'integer'], description: 'Value that the request asked for.' },
        },
      },
    },
    'flags.loosened': {
      severity: 'detection',
      title: 'Governance flag loosened',
      schema: {
        type: 'object',
        description: 'A request loosened flags that its key may loosen.',
        required: ['flags'],
        properties: {
          flags: { type: 'array', items: { type: 'string' }, description: 'Loosened flags, as `name=value`.' },
        },
      },
    },
    'flags.dry_run': {
      severity: 'info',
      title: 'Dry run',
      schema: {
        type: 'object',
        description: 'The request is a dry run. Its other events tell what would happen; no model is called.',
        properties: {},
      },
    },
  },
  errors: {
    invalid_flag: { status: 400, remedy: 'Use `key=value` pairs with the allowed values that the message lists.' },
    flag_not_permitted: {
      status: 403,
      type: 'permission_error',
      refusal: true,
      remedy: 'Ask the operator to add the flag to `flags_allow` of this key.',
    },
  },
  check: ({ defaults }, { flags }) => defaultsProblems(defaults, flags),
  create({ defaults }, services) {
    const ofKeys = new WeakMap<Caller, FlagValues>()
    const operatorOf = (caller: Caller): FlagValues => {
      const known = ofKeys.get(caller)
      if (known !== undefined) return known
      const own = readSettings(caller.flags, services.flags, `flags of the key '${caller.keyId}'`)
      const values = new Map([...readSettings(defaults, services.flags, 'flags: options.defaults'), ...own])
      ofKeys.set(caller, values)
      return values
    }
    return {
      apply(hooks) {
        hooks.preRequest.tap('flags', (x) => {
          const refused = takeFlags(x, operatorOf(x.caller), services.flags)
          if (refused === undefined && isDryRun(x)) x.emit('flags.dry_run', {})
          return refused
        })
        hooks.block.tap({ name: 'flags', stage: Stage.Final }, (x) => (isDryRun(x) ? dryRunAnswer(x) : undefined))
      },
    }
  },
})

const isDryRun = (x: Exchange): boolean => x.flag('dry_run') === 'true'

function takeFlags(x: Exchange, operator: FlagValues, flags: Services['flags']): Rejection | undefined {
  const header = x.request.headers['x-service-flags']
  if (header === undefined) {
    if (operator.size > 0) x.facts.set(flagsFact, operator)
    return undefined
  }
  const asked = parseFlags(header, flags)
  if (isRejection(asked)) return asked
  const { effective, loosened, refused } = decide(asked, operator, flags, x.caller)
  if (refused !== undefined) return refuse(x, refused)
  x.facts.set(flagsFact, effective)
  if (loosened.length > 0) x.emit('flags.loosened', { flags: [...loosened] })
  return undefined
}

function refuse(
  x: Exchange,
  { name, value, than }: { name: string; value: string | number; than: string | number },
): Rejection {
  x.emit('flags.rejected', { flag: name, value })
  return {
    error: 'flag_not_permitted',
    message: `This key may not ask for ${name}=${value}: it is looser than ${name}=${than}, which applies here.`,
    param: HEADER,
  }
}
