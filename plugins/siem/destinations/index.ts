import type { Destination } from './destination.ts'
import type { DestinationName } from './names.ts'
import { webhook } from './webhook.ts'

export const destinations: Readonly<Record<DestinationName, Destination>> = {
  webhook,
} as never
