/** Whether requests are answered while the store is away. */
import type { Config } from '../engine/config/types.ts'
import { flagsFact } from '../engine/contract/facts.ts'
import type { PluginSpec } from '../engine/contract/plugin.ts'
import type { Store, StoreStatus } from '../engine/contract/store.ts'
import type { Assembly } from '../engine/host/host.ts'
import type { Readiness } from '../engine/http/endpoints.ts'
import type { Ledger } from '../services/audit/ledger.ts'

/** The readiness response about the store. */
export function readiness(
  { state, reason }: StoreStatus,
  config: Pick<Config, 'limits' | 'audit'>,
  ledger: Pick<Ledger, 'audited' | 'limits' | 'down'>,
  assembly: Assembly,
): Readiness {
  if (state === 'ready' && !ledger.down) return { status: 'ok' }
  // Another gateway uses this instance name. Only an operator can fix that, and the other gateway can take the
  // requests.
  if (reason !== 'instance_in_use' && readyWithout(state, config, ledger, assembly)) return { status: 'ok' }
  return { status: 'unavailable', reason: reason ?? `store_${state === 'ready' ? 'unavailable' : state}` }
}

/** Stay ready while the store is down unless requests would be refused. */
function readyWithout(
  state: StoreStatus['state'],
  { limits, audit }: Pick<Config, 'limits' | 'audit'>,
  ledger: Pick<Ledger, 'audited' | 'limits'>,
  assembly: Assembly,
): boolean {
  const records = audit.on_error === 'allow' || !ledger.audited
  const limited = limits.on_store_error !== 'local' && (ledger.limits || needsStore(assembly))
  return records && !limited && (state === 'ready' || state === 'unavailable' || state === 'full')
}

/** Whether the plugin keeps state: sessions, rate limits, budgets. Flags alone keep none. */
const keepsOwn = ({ governs, provides }: PluginSpec): boolean =>
  governs === 'usage' && !provides?.some(({ key }) => key === flagsFact.key)

const keepsState = ({ members }: Assembly): boolean => members.some(({ spec }) => keepsOwn(spec))

/**
 * Whether requests may be refused without the store, because plugins count or keep state in it. Exports and alerts do
 * not.
 */
const needsStore = ({ members }: Assembly): boolean =>
  members.some(({ spec, opened }) => spec.onError !== 'allow' && (keepsOwn(spec) || opened.usesStore()))

/** Notes for the operator about state, by the store's reach. */
const NOTES: Readonly<Record<Store['reach'], readonly string[]>> = {
  process: ['sessions and limits are kept in memory: they end with the gateway, and other machines do not see them'],
  machine: ['sessions and limits are kept on this machine: other machines do not see them'],
  cluster: [],
}

export const notesOf = (assembly: Assembly, { reach }: Pick<Store, 'reach'>): readonly string[] =>
  keepsState(assembly) ? NOTES[reach] : []
