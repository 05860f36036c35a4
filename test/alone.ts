/** Files that measure, by processor time: they run one at a time. Globs. */
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
  // Measures the heap, which is small here.
  'test/core/services/store/table.test.ts',
  'test/core/engine/egress/egress.test.ts',
  'test/plugins/audit-file/**',
  'test/plugins/presidio/**',
  // Sees what modules build when they load.
  'test/rules/expressions.test.ts',
]

/** Files of `ALONE`, and of several folders, that get along with each other: a process for each line, which loads the gateway once. */
export const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'test/spec': ['test/spec/{*,shapes/*}.test.ts', 'test/e2e/*.test.ts'],
  bench: ['test/bench/*.test.ts'],
  growth: ['test/core/growth/*.test.ts'],
  gateway: [
    'test/core/gateway/{config,options}/*.test.ts',
    'test/container/manifests.test.ts',
    'test/core/gateway/{async-mistakes,body-through-reload,drain,first-keys,first-start,listening,start-ends,young-space}.test.ts',
    'test/core/gateway/cluster/{backoff,listen,peers,pulse}.test.ts',
  ],
  cluster: ['test/core/gateway/cluster/{cluster,exact,redis}.test.ts'],
  nodes: ['test/core/gateway/cluster/{deployment,hung,instance}.test.ts', 'test/core/gateway/node-status.test.ts'],
  cli: ['test/core/gateway/cli/*.test.ts', 'test/dev/run.test.ts'],
  services: [
    'test/core/services/{log,audit/{redis-log,show},settings/propagation,store/table}.test.ts',
    'test/core/engine/egress/egress.test.ts',
  ],
  kills: ['test/core/gateway/{node-views,rolling-restart}.test.ts', 'test/crash/*.test.ts'],
  leaks: ['test/spec/oracle/{mutation,reader}.test.ts'],
  docs: ['test/docs/*.test.ts'],
  // Few and short: beside the plugins they need no process that loads for them alone.
  'test/plugins': ['test/rules/!(expressions).test.ts'],
  'audit-file and presidio': ['test/plugins/{audit-file,presidio}/**'],
}

/** Groups that take long begin first, in this order: those that wait for Redis and clusters beside those that compute. */
export const FIRST: readonly string[] = [
  // Loads most, and soon prints: in a fresh clone the others wait for what it compiled.
  'test/plugins',
  'nodes',
  'cluster',
  'test/core',
  'cli',
  'docs',
  'test/spec',
  'test/spec/oracle/oracle.test.ts',
  'leaks',
  'kills',
  'services',
  'test/container/steps.test.ts',
  'gateway',
]

/** Files in other groups that start processes. Globs. */
export const PROCESSES: readonly string[] = [
  'test/core/engine/events/catalogue.test.ts',
  'test/core/engine/http/descriptors.test.ts',
  'test/core/engine/host/plugin-{routes,rules}.test.ts',
  'test/core/engine/upstreams/credential.test.ts',
  'test/plugins/{custom,guide}.test.ts',
  'test/plugins/alerting/processes.test.ts',
  'test/plugins/console/{browser,options}.test.ts',
  'test/plugins/keys/cluster.test.ts',
  'test/plugins/metrics/workers.test.ts',
  'test/plugins/sessions/store.test.ts',
  'test/plugins/usage/killed.test.ts',
  'test/rules/group.test.ts',
]
