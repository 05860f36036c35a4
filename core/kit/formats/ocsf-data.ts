import type { EventData, GovernanceEvent } from '../../engine/contract/plugin.ts'
import { type Detection, detectionsOf } from '../../engine/events/description.ts'
import { wholeOf } from './types.ts'

/** The object `data_security` of a Data Security Finding: kind of data, confidentiality, detection method. */
export function dataSecurity(event: GovernanceEvent, declared: EventData | undefined): Record<string, unknown> {
  const detections = detectionsOf(event)
  const category = declared === undefined ? gravest(detections) : CATEGORIES[declared]
  const confidentiality = CONFIDENTIALITY.get(event.classification) ?? ([0, 'Unknown'] as const)
  return {
    ...(category === undefined ? {} : { category_id: category[0], category: category[1] }),
    confidentiality_id: confidentiality[0],
    confidentiality: confidentiality[1],
    data_lifecycle_state_id: 2,
    data_lifecycle_state: 'Data in-Transit',
    detection_system_id: 10,
    detection_system: 'Application-Level DLP',
    ...discoveries(detections),
  }
}

const CONFIDENTIALITY: ReadonlyMap<unknown, readonly [id: number, caption: string]> = new Map([
  ['PUBLIC', [1, 'Not Confidential']],
  ['INTERNAL', [5, 'Private']],
  ['CONFIDENTIAL', [2, 'Confidential']],
  ['RESTRICTED', [6, 'Restricted']],
])

type Category = readonly [id: number, caption: string]

const CATEGORIES: Readonly<Record<EventData, Category>> = {
  personal: [1, 'Personal'],
  governmental: [2, 'Governmental'],
  financial: [3, 'Financial'],
  security: [6, 'Security'],
}

const MONEY = /(^|_)(credit_card|card|iban|bank|bank_account|bank_routing|swift_bic|crypto_wallet)(_|$)/
const HEALTH = /(^|_)(medical|medical_record|medicare|health|mbi|npi|dea|nhs)(_|$)/
/** Kinds with a country prefix, as in `us_ssn` and `de_tax_id`, or general ones. */
const STATE = /^([a-z]{2}_|national_id|passport|driver_license|tax_|ssn)/

/** The most severe category found. */
function gravest(detections: readonly Detection[]): Category | undefined {
  if (detections.length === 0) return undefined
  const kinds = detections.map((one) => one.type)
  if (kinds.some((kind) => MONEY.test(kind))) return CATEGORIES.financial
  return CATEGORIES[kinds.some((kind) => STATE.test(kind) && !HEALTH.test(kind)) ? 'governmental' : 'personal']
}

function discoveries(detections: readonly Detection[]): Record<string, unknown> {
  if (detections.length === 0) return {}
  return {
    total: wholeOf(detections.reduce((sum, { count }) => sum + count, 0)) ?? 0,
    discovery_details: detections.map(({ type, count }) => ({ type, count: wholeOf(count) ?? 0 })),
  }
}
