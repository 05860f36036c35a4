import type { Config } from '../engine/config/types.ts'
import { ANCHOR_PURPOSE, AnchorSigner } from '../services/audit/anchor.ts'
import { AUDIT } from '../services/audit/audit-log.ts'
import type { Ledger } from '../services/audit/ledger.ts'
import { Upkeep, type UpkeepOptions } from '../services/audit/upkeep.ts'
import type { ServiceResources } from '../services/open.ts'
import { dataFolder } from './config/load.ts'

interface Resources extends Pick<ServiceResources, 'store' | 'subkey'> {
  readonly ledger: Pick<Ledger, 'audited'>
}

/** Anchors and trims the audit trail. */
export function openUpkeep(
  { store, subkey, ledger }: Resources,
  log: UpkeepOptions['log'],
  { config, emit }: { readonly config: () => Config; readonly emit: UpkeepOptions['emit'] },
): Upkeep {
  return new Upkeep({
    store,
    stream: AUDIT,
    signer: new AnchorSigner(subkey(ANCHOR_PURPOSE)),
    audited: () => ledger.audited,
    emit,
    retention: () => ({ days: config().audit.retention_days, records: config().audit.max_records }),
    folder: dataFolder(config()),
    log,
  })
}
