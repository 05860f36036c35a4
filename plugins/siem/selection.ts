import { eventSelector } from 'governed-gateway/kit'
import type { SiemSettings } from './settings.ts'

/** Which events are exported. Undefined: all are, whatever is in them. */
export const selector = ({
  severity_filter,
  event_types,
  exclude_event_types,
}: Pick<SiemSettings, 'severity_filter' | 'event_types' | 'exclude_event_types'>) =>
  eventSelector({ floor: severity_filter, types: event_types, except: exclude_event_types })
