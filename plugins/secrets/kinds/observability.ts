import type { Kind } from './types.ts'

/** Metrics, logs, errors, feature switches and analytics. */
export const OBSERVABILITY: readonly Kind[] = [
  { type: 'grafana_service_account_token', patterns: ['glsa_[A-Za-z0-9_]{41}'] },
  { type: 'grafana_cloud_token', patterns: ['glc_[A-Za-z0-9+/=]{32,}'] },
  { type: 'grafana_api_key', patterns: ['eyJrIjoi[A-Za-z0-9+/=]{32,}'] },
  { type: 'datadog_key', patterns: ['ddapp_[A-Za-z0-9]{32,}', 'ddpat_[A-Za-z0-9_-]{32,}', 'ddsat_[A-Za-z0-9_-]{32,}'] },
  {
    type: 'new_relic_key',
    patterns: [
      'NRAK-[A-Z0-9a-z]{27}',
      'NRII-[\\w-]{25,32}',
      'NRBR-[0-9a-f]{19}',
      'NRJS-[0-9a-f]{19}',
      'NRIQ-[\\w-]{25,32}',
      'NRRA-[0-9a-f]{42}',
      'NRAA-[0-9a-f]{27}',
      '[0-9a-f]{32,36}<FFFFNRAL',
      '[0-9a-f]{36}<NRAL',
      'eu01xx[0-9a-f]{26,34}FFFFNRAL',
      'eu01x[x0-9a-f][0-9a-f]{30,34}NRAL',
      'AA[0-9a-f]{40}-NRMA',
      'eu01xx[0-9a-f]{36,40}-NRMA',
    ],
  },
  { type: 'sentry_token', patterns: ['sntrys_eyJ[\\w+/=-]{60,}', 'sntryu_[0-9a-f]{64}', 'sntrya_[0-9a-f]{64}'] },
  {
    type: 'dynatrace_token',
    patterns: [
      // The letter and the number tell the kind of the token.
      'dt0[A-Za-z][0-9]{2}\\.[A-Za-z0-9]{8,24}\\.[A-Za-z0-9]{64}',
    ],
  },
  {
    type: 'honeycomb_key',
    patterns: ['hcaik_[a-z0-9]{58}', 'hcbik_[a-z0-9]{58}', 'hcalk_[a-z0-9]{58}', 'hcamk_[a-z0-9]{58}'],
  },
  { type: 'posthog_personal_key', patterns: ['phx_', 'phs_', 'phr_'].map((head) => `${head}[\\w-]{40,64}`) },
  {
    type: 'launchdarkly_key',
    patterns: [
      'sdk-[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}',
      'api-[0-9a-z]{8}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{12}',
    ],
  },
  {
    type: 'axiom_token',
    patterns: [
      'xaat-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
      'xapt-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    ],
  },
  {
    type: 'trigger_dev_key',
    patterns: ['tr_dev_[A-Za-z0-9]{20,32}', 'tr_prod_[A-Za-z0-9]{20,32}', 'tr_stg_[A-Za-z0-9]{20,32}'],
  },
  {
    type: 'inngest_key',
    patterns: ['signkey-prod-[0-9a-f]{32,}', 'signkey-test-[0-9a-f]{32,}', 'signkey-branch-[0-9a-f]{32,}'],
  },
]
