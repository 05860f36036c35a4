import type { SiemSettings } from '../settings.ts'
import { datadog } from './datadog.ts'
import type { Channel, Destination, Outside } from './destination.ts'
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

/** Opens a channel to the receiver. It refuses to send while secrets of the settings cannot be read. */
export function openChannel(settings: SiemSettings, unreadable: readonly string[], outside: Outside): Channel {
  if (unreadable.length === 0) return destinations[settings.destination].open(settings, outside)
  const error = `secret_unreadable: PUT ${unreadable.join(' and ')} again, or null, since the secret of the deployment changed`
  return { send: async () => ({ result: 'auth', error }) }
}
