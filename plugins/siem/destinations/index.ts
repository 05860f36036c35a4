import { datadog } from './datadog.ts'
import type { Destination } from './destination.ts'
import { elastic } from './elastic.ts'
import { loki } from './loki.ts'
import type { DestinationName } from './names.ts'
import { sentinel } from './sentinel.ts'
import { splunkHec } from './splunk-hec.ts'
import { syslog } from './syslog.ts'
import { webhook } from './webhook.ts'

export const destinations: Readonly<Record<DestinationName, Destination>> = {
  webhook,
  splunk_hec: splunkHec,
  elastic,
  datadog,
  sentinel,
  loki,
  syslog,
}
