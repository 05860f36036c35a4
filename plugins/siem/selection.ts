import { eventSelector } from 'governed-gateway/kit'
import type { SiemSettings } from './settings.ts'

/** A filter for exported events; undefined exports all. */
export const selector = ({
  severity_filter,
  event_types,
  exclude_event_types,
}: Pick<SiemSettings, 'severity_filter' | 'event_types' | 'exclude_event_types'>) =>
  eventSelector({ floor: severity_filter, types: event_types, except: exclude_event_types })
