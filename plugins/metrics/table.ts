/** Every metric with its labels: the one place for names. */

export interface MetricInfo {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
  readonly bounds?: readonly number[]
}

const WHOLE = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 80, 160, 320]
const FIRST = [0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 30]
const OVERHEAD = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5]
/** Bounds of the conventions for generative AI, v1.41.1. */
const CLIENT = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKENS = Array.from({ length: 14 }, (_, i) => 4 ** i)

const GEN_AI = ['gen_ai_operation_name', 'gen_ai_provider_name', 'gen_ai_request_model']

export const METRICS = {
  gateway_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels name the versions.',
    labels: ['version', 'node'],
  },
  gateway_requests_total: {
    type: 'counter',
    help: 'Requests to the API of models, by their end.',
    labels: ['route', 'outcome', 'status', 'stream'],
  },
  gateway_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the request to the last byte of the reply.',
    labels: ['route', 'outcome'],
    bounds: WHOLE,
  },
  gateway_time_to_first_token_seconds: {
    type: 'histogram',
    help: 'Time from the request to the first byte of a streamed reply.',
    labels: ['model'],
    bounds: FIRST,
  },
  gateway_overhead_seconds: {
    type: 'histogram',
    help: 'Time in checks of plugins for one request, of a sample of all requests.',
    labels: ['hook'],
    bounds: OVERHEAD,
  },
  gateway_upstream_requests_total: {
    type: 'counter',
    help: 'Requests to providers, retries on other providers included.',
    labels: ['upstream', 'status'],
  },
  gateway_upstream_errors_total: {
    type: 'counter',
    help: 'Requests to providers that failed.',
    labels: ['upstream', 'error'],
  },
  gateway_upstream_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the request to a provider to the end of its reply.',
    labels: ['upstream'],
    bounds: WHOLE,
  },
  gateway_tokens_total: { type: 'counter', help: 'Tokens of models.', labels: ['direction', 'model'] },
  gateway_cost_dollars_total: { type: 'counter', help: 'Cost of models, US dollars.', labels: ['model'] },
  gateway_policy_decisions_total: {
    type: 'counter',
    help: 'Requests and replies that a policy blocked, or would have blocked.',
    labels: ['policy', 'action'],
  },
  gateway_detections_total: {
    type: 'counter',
    help: 'Findings in requests and replies.',
    labels: ['detector', 'type', 'action'],
  },
  gateway_events_total: { type: 'counter', help: 'Governance events.', labels: ['type'] },
  gateway_auth_failures_total: { type: 'counter', help: 'Requests without a valid API key.', labels: ['reason'] },
  gateway_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'Delay of the event loop since the last reading; the slowest worker.',
    labels: ['stat'],
  },
  gateway_event_loop_utilization_ratio: {
    type: 'gauge',
    help: 'Share of time in which the event loop was busy, since the last reading; the busiest worker.',
    labels: [],
  },
  gateway_workers: { type: 'gauge', help: 'Processes that these figures come from.', labels: [] },
  process_cpu_seconds_total: { type: 'counter', help: 'Processor time of all workers, seconds.', labels: [] },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory of all workers, bytes.', labels: [] },
  process_start_time_seconds: { type: 'gauge', help: 'Start of the oldest worker, Unix seconds.', labels: [] },
  nodejs_heap_size_used_bytes: { type: 'gauge', help: 'Used heap of all workers, bytes.', labels: [] },
  gen_ai_client_operation_duration_seconds: {
    type: 'histogram',
    help: 'Duration of requests to models (OpenTelemetry conventions 1.41.1).',
    labels: [...GEN_AI, 'error_type'],
    bounds: CLIENT,
  },
  gen_ai_client_operation_time_to_first_chunk_seconds: {
    type: 'histogram',
    help: 'Time to the first bytes of a streamed reply (OpenTelemetry conventions 1.41.1).',
    labels: GEN_AI,
    bounds: CLIENT,
  },
  gen_ai_client_token_usage: {
    type: 'histogram',
    help: 'Tokens of one request (OpenTelemetry conventions 1.41.1).',
    labels: [...GEN_AI, 'gen_ai_token_type'],
    bounds: TOKENS,
  },
} as const satisfies Readonly<Record<string, MetricInfo>>

export type MetricName = keyof typeof METRICS
