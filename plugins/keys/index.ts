import { type CallerLimit, definePlugin, type Exchange, GatewayError, limitsFact } from 'governed-gateway'
import { errors, events } from './events.ts'
import { LimitsOfCallers } from './limits.ts'
import { KeyManager } from './manager.ts'
import type { KeyRecord } from './record.ts'
import { Registry } from './registry.ts'
import { PREFIX, Ring } from './ring.ts'
import { routes } from './routes.ts'
import { placeFact, REVOKED, RunningExchanges } from './running.ts'
import { schema } from './schema.ts'

/** API keys in the store, beside those of the config: created, changed, rotated and revoked while the gateway runs. */
export default definePlugin({
  name: 'keys',
  description: 'API keys and limits of teams that admins manage while the gateway runs',
  governs: 'usage',
  provides: [limitsFact, placeFact],
  schema,
  events,
  errors,
  check: ({ refresh_seconds: refresh, max_stale_seconds: stale }) =>
    stale >= 2 * refresh
      ? []
      : [{ option: 'max_stale_seconds', message: `must be at least twice refresh_seconds, which is ${refresh}` }],
  create(options, services) {
    const ring = new Ring()
    const running = new RunningExchanges()
    const changed = (before: ReadonlyMap<string, KeyRecord>, after: ReadonlyMap<string, KeyRecord>): void => {
      ring.replace(before, after)
      if (!options.revoke_streams) return
      for (const [id, { cut }] of after) if (cut > (before.get(id)?.cut ?? 0)) running.end(id)
    }
    const registry = new Registry(services, {
      refreshMs: options.refresh_seconds * 1000,
      staleMs: options.max_stale_seconds * 1000,
      changed,
    })
    const limits = new LimitsOfCallers(registry, services.name)
    services.offerLimits((scope, subject) => limits.now(scope, subject))
    const enter = (x: Exchange): typeof REVOKED | undefined => {
      const mine: readonly CallerLimit[] | undefined = limits.of(x.caller)
      if (mine !== undefined) x.facts.set(limitsFact, mine)
      if (x.caller.source !== services.name || !options.revoke_streams) return undefined
      if (!ring.isUsable(x.caller.keyId)) return REVOKED
      running.add(x)
      return undefined
    }
    return {
      principals: {
        identify(credential) {
          if (!credential.startsWith(PREFIX)) return undefined
          if (!registry.fresh)
            throw new GatewayError(
              'GW_STORE_UNAVAILABLE',
              'The store with the API keys did not answer. Try again later.',
            )
          return ring.find(credential)
        },
      },
      apply(hooks) {
        hooks.preRequest.tap('keys', (x) => enter(x))
        if (options.revoke_streams) hooks.postResponse.tap('keys', (x) => running.delete(x))
      },
      routes: routes({
        registry,
        services,
        manager: new KeyManager(registry, services),
        overlap: options.rotation_overlap_seconds,
      }),
      async start() {
        await registry.start()
        const admins = [...services.keys, ...registry.all()].filter(({ admin }) => admin)
        if (admins.length === 0 && !services.plugins.some(({ name }) => name === 'oidc'))
          services.log.warn({}, 'no key is an admin, so nobody can manage keys: give one of the config `admin: true`')
      },
      stop: () => registry.stop(),
    }
  },
})
