import type { Config } from '../../engine/config/types.ts'
import type { LedgerOptions, LedgerSettings } from './ledger.ts'
import { WriteAheadQueue } from './write-ahead-queue.ts'

/** Options fixed at start. */
export function ledgerOptions({ audit }: Config): LedgerOptions {
  const { spill_folder: folder, max_spill_bytes: maxBytes } = audit
  return { spill: folder === undefined ? undefined : new WriteAheadQueue(folder, maxBytes) }
}

/** Options that a reload may change. */
export const ledgerSettings = ({ audit, limits }: Config): LedgerSettings => ({
  onError: audit.on_error,
  onStoreError: limits.on_store_error,
  waits: audit.durability !== 'relaxed',
})
