export const DESTINATIONS = ['webhook', 'splunk_hec', 'elastic', 'datadog', 'sentinel', 'loki', 'syslog'] as const

export type DestinationName = (typeof DESTINATIONS)[number]
