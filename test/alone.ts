/** Files that measure: they run after all others, one at a time. Globs. */
export const FIGURES: readonly string[] = [
  'test/core/growth/**',
  'test/core/engine/text/growth.test.ts',
  'test/bench/**',
]

/** Files with a process of their own: they start gateways, measure, or touch what belongs to the process. Globs. */
export const ALONE: readonly string[] = [
  ...FIGURES,
  'test/core/gateway/**',
  'test/container/**',
  'test/crash/**',
  'test/dev/**',
  'test/docs/**',
  'test/spec/oracle/**',
  'test/core/services/audit/redis-log.test.ts',
  'test/core/services/audit/show.test.ts',
  'test/core/services/log.test.ts',
  'test/core/services/settings/propagation.test.ts',
  'test/core/engine/egress/egress.test.ts',
  'test/plugins/audit-file/**',
  'test/plugins/presidio/**',
]

/** Files that send their own process a signal, which must not reach the runner. */
export const SIGNALLED: readonly string[] = ['test/core/services/audit/show.test.ts']

/** Files in other groups that start processes. Globs. */
export const PROCESSES: readonly string[] = [
  'test/core/engine/events/catalogue.test.ts',
  'test/core/engine/http/descriptors.test.ts',
  'test/core/engine/host/plugin-{routes,rules}.test.ts',
  'test/plugins/{custom,guide}.test.ts',
  'test/plugins/alerting/{kill,nodes}.test.ts',
  'test/plugins/sessions/store.test.ts',
]
