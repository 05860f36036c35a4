import { describe } from 'node:test'
import { exchangeTests } from './conformance-exchanges.ts'
import { keyValueTests } from './conformance-kv.ts'
import { limitTests } from './conformance-limits.ts'
import { logTests } from './conformance-logs.ts'
import type { Harness } from './harness.ts'

/** What every driver promises. */
export function conformance(harness: Harness): void {
  describe(`${harness.name} store`, () => {
    keyValueTests(harness)
    limitTests(harness)
    exchangeTests(harness)
    logTests(harness)
  })
}
