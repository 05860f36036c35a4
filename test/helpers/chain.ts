/** The hash chain of the audit log, checked apart from `audit verify`. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { JsonObject } from '../../core/engine/contract/store.ts'
import { canonicalize, type Head } from '../../core/engine/util/canonical-json.ts'
import { GENESIS } from '../../core/services/store/ops.ts'

/** Asserts that records, oldest first, are one whole chain from its beginning. */
export function assertChained(records: readonly JsonObject[]): void {
  const head = { seq: 0, hash: GENESIS }
  assert.deepEqual(
    records.flatMap((record) => verify(record, head) ?? []),
    [],
  )
}

/**
 * Checks one record against its chain: undefined if it fits, else the problem. Advances the head either way, so that an
 * altered record is reported once.
 */
export function verify(record: JsonObject, head: Head): string | undefined {
  const { hash: claimed, ...rest } = record
  const digest = hash('sha256', canonicalize(rest))
  const problem =
    record.seq !== head.seq + 1
      ? `seq is ${String(record.seq)} where ${head.seq + 1} belongs`
      : record.prev_hash !== head.hash
        ? 'prev_hash is not the hash of the record before'
        : claimed !== digest
          ? 'hash does not fit the content'
          : undefined
  head.seq = typeof record.seq === 'number' ? record.seq : head.seq + 1
  head.hash = typeof claimed === 'string' ? claimed : digest
  return problem
}
