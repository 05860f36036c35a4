/** Files with a process of their own: they start gateways, measure, or touch what belongs to the process. Globs. */
export const ALONE: readonly string[] = [
  'test/core/gateway/**',
  'test/core/growth/**',
  'test/crash/**',
  'test/container/**',
  'test/dev/**',
  'test/docs/**',
  'test/e2e/**',
  'test/bench/**',
  'test/spec/oracle/**',
  'test/core/services/audit/redis-log.test.ts',
  'test/core/services/audit/show.test.ts',
  'test/core/services/log.test.ts',
  'test/core/services/settings/propagation.test.ts',
  'test/core/engine/egress/egress.test.ts',
  'test/plugins/audit-file/**',
  'test/plugins/presidio/**',
]
