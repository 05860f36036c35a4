/** Opens the services of plugins: store, audit log, settings, egress. */
import { join } from 'node:path'

import type { KeyConfig } from '../engine/config/types.ts'
import type { ConfiguredKey, Services } from '../engine/contract/plugin.ts'
import type { Store } from '../engine/contract/store.ts'
import { EgressError } from '../engine/egress/category.ts'
import type { OpenServices } from '../engine/host/plugin-services.ts'
import { packageVersion } from '../engine/util/package.ts'
import { AuditAccess, type Readers } from './audit/audit-log.ts'
import type { CallerLimits } from './caller-limits.ts'
import type { Egress } from './egress/egress.ts'
import type { Figures } from './figures.ts'
import { Singleton } from './leader.ts'
import { type PeerChannel, peersOf } from './peers.ts'
import { toolsOf } from './settings/judge.ts'
import type { Env } from './settings/layers.ts'
import { NO_SETTINGS, openSettings } from './settings/open.ts'
import { settingsRoutes } from './settings/routes.ts'

/** Shared resources of all plugins' services. */
export interface ServiceResources {
  readonly store: Store
  readonly ledger: Readers
  readonly instance: string
  /** Base folder of relative paths in options. */
  readonly configFolder: string
  /** Base of `localFolder`; undefined without any. */
  readonly localFolder?: string | undefined
  readonly subkey: (purpose: string) => Buffer
  readonly egress: Egress
  /** The configured keys, or those of the data folder. */
  readonly keys: () => readonly KeyConfig[]
  /** Environment for settings. */
  readonly env: Env
  /** Values kept across reloads, by plugin. */
  readonly reloadState: Map<string, Map<string, unknown>>
  /** Offered by the core and by plugins; default none. */
  readonly figures?: Figures
  /** Offered by plugins; default none. */
  readonly callerLimits?: CallerLimits
  /** The other workers; undefined without any. */
  readonly peers?: PeerChannel | undefined
}

export const servicesOf =
  (resources: ServiceResources): OpenServices =>
  async (plugin, context) => {
    const { spec } = plugin
    const { log } = context
    const singletons: Singleton[] = []
    const audit = new AuditAccess(resources.ledger)
    const store = resources.store.namespace(spec.name)
    const settings = await openSettings(plugin, resources, context)
    let usesStore = false
    const services: Services = {
      name: spec.name,
      instance: resources.instance,
      version: packageVersion(),
      log,
      get store() {
        usesStore = true
        return store
      },
      configFolder: resources.configFolder,
      localFolder: resources.localFolder && join(resources.localFolder, spec.name),
      subkey: resources.subkey,
      keep: (key, init) => keep(resources.reloadState, spec.name, key, init),
      get flags() {
        return context.declared.flags
      },
      get plugins() {
        return context.declared.infos
      },
      get provided() {
        return context.declared.provided
      },
      get keys() {
        return resources.keys().map(shownKey)
      },
      describe: (event) => context.declared.describe(event),
      figure: (figure) => resources.figures?.offer(context, figure),
      figures: async () => resources.figures?.read() ?? [],
      offerLimits: (read) => resources.callerLimits?.offer(context, read),
      limitsOf: (scope, subject) => resources.callerLimits?.of(scope, subject),
      peers: peersOf(spec.name, resources.peers),
      settings: settings ?? NO_SETTINGS,
      auditLog: (options = {}) => audit.consumer(resources.store, spec.name, options),
      singleton: (name, run) => singletons.push(new Singleton(store, name, resources.instance, run, log)),
      fetch: async (url, init) => resources.egress.fetch(url, whole(settings, init)),
      connect: async (target) => resources.egress.connect(whole(settings, target)),
      checkUrl: toolsOf({ egress: resources.egress, resolve: false, eventTypes: context.declared.eventTypes }).checkUrl,
      emit: context.emit,
    }
    return {
      services,
      routes: settings === undefined ? [] : settingsRoutes(spec.settings?.path ?? '', settings),
      singletons,
      usesStore: () => usesStore,
      reload: async () => settings?.reload(resources.env),
      close() {
        settings?.close()
        audit.release()
        resources.figures?.drop(context)
        resources.callerLimits?.drop(context)
      },
    }
  }

const shownKey = ({
  id,
  team,
  models,
  admin,
  disabled,
  expires,
  max_classification: most,
}: KeyConfig): ConfiguredKey => ({
  ...{ id, models, admin, disabled },
  ...(team !== undefined && { team }),
  ...(expires !== undefined && { expires }),
  ...(most !== undefined && { maxClassification: most }),
})

/** Refuses to send while secrets are missing. */
function whole<T>(settings: Services['settings'] | undefined, given: T): T {
  if (settings !== undefined && settings.unreadable.length > 0) throw EgressError.failed('secret_unreadable')
  return given
}

function keep<V>(all: ServiceResources['reloadState'], plugin: string, key: string, init: () => V): V {
  const own = all.get(plugin) ?? new Map<string, unknown>()
  all.set(plugin, own)
  if (!own.has(key)) own.set(key, init())
  return own.get(key) as V
}
