/** From entity types of the analyzer to findings of the gateway. */
import { type Action, type Direction, GatewayError, type Level } from 'governed-gateway'
import type { Options } from './schema.ts'

interface Kind {
  readonly type: string
  readonly level: Level
  /** Too common to be worth a rewrite unless the operator asks for it. */
  readonly off?: true
}

const contact = (type: string): Kind => ({ type, level: 'CONFIDENTIAL' })
const government = (type: string): Kind => ({ type, level: 'RESTRICTED' })

/** Names as the pii plugin uses them where both know the thing. */
const KNOWN: Readonly<Record<string, Kind>> = {
  PERSON: contact('person'),
  LOCATION: contact('location'),
  ORGANIZATION: { type: 'organization', level: 'INTERNAL' },
  NRP: { type: 'nationality_religion_politics', level: 'RESTRICTED' },
  DATE_TIME: { type: 'date_time', level: 'PUBLIC', off: true },
  URL: { type: 'url', level: 'PUBLIC', off: true },
  EMAIL_ADDRESS: contact('email'),
  PHONE_NUMBER: contact('phone'),
  IP_ADDRESS: contact('ip_address'),
  MAC_ADDRESS: contact('mac_address'),
  MEDICAL_LICENSE: government('medical_license'),
  CREDIT_CARD: government('credit_card'),
  CRYPTO: government('crypto_wallet'),
  IBAN_CODE: government('iban'),
  US_SSN: government('us_ssn'),
  US_ITIN: government('us_itin'),
  US_PASSPORT: government('us_passport'),
  US_DRIVER_LICENSE: government('us_driver_license'),
  US_BANK_NUMBER: government('us_bank_number'),
  UK_NHS: government('uk_nhs'),
  UK_NINO: government('uk_nino'),
}

/** The other types of Presidio's own recognizers: https://microsoft.github.io/presidio/supported_entities/ */
const OTHERS: ReadonlySet<string> = new Set(
  `AGE AU_ABN AU_ACN AU_MEDICARE AU_TFN BANK_NUMBER DRIVER_LICENSE ES_NIE ES_NIF FI_PERSONAL_IDENTITY_CODE GPE ID
  IN_AADHAAR IN_GSTIN IN_PAN IN_PASSPORT IN_VEHICLE_REGISTRATION IN_VOTER IT_DRIVER_LICENSE IT_FISCAL_CODE
  IT_IDENTITY_CARD IT_PASSPORT IT_VAT_CODE KR_BRN KR_DRIVER_LICENSE KR_FRN KR_PASSPORT KR_RRN PASSPORT PL_PESEL
  SG_NRIC_FIN SG_UEN SSN TH_TNIN TITLE UK_PASSPORT UK_POSTCODE UK_VEHICLE_REGISTRATION US_MBI US_NPI USERNAME VIN
  ZIP_CODE`.split(/\s+/),
)

export interface Treatment {
  readonly type: string
  readonly level: Level
  readonly action: Exclude<Action, 'tokenize'>
  readonly minScore: number
}

/** Looks up what to do with an entity type; undefined: let it pass. */
export class Mapping {
  readonly #options: Options
  readonly #cache = new Map<string, Treatment | undefined>()

  constructor(options: Options) {
    this.#options = options
    for (const name of Object.keys(options.types)) {
      if (!/^[A-Z][A-Z0-9_]{1,63}$/.test(name)) {
        throw new GatewayError(
          'GW_CONFIG',
          `presidio: options.types.${name} is no entity type; they are written like PHONE_NUMBER`,
          {
            param: `options.types.${name}`,
          },
        )
      }
    }
  }

  of(entityType: string, direction: Direction): Treatment | undefined {
    const key = `${direction} ${entityType}`
    if (!this.#cache.has(key)) {
      // Names come from outside: a broken analyzer must not fill the memory.
      if (this.#cache.size > 2000) this.#cache.clear()
      this.#cache.set(key, this.#build(entityType, direction))
    }
    return this.#cache.get(key)
  }

  /** What an analyzer calls a type may be anything, and names of findings are in events. */
  #nameOf(entityType: string): string {
    const { entities, types } = this.#options
    const isNamed = OTHERS.has(entityType) || entities.includes(entityType) || Object.hasOwn(types, entityType)
    return isNamed ? safeName(entityType) : 'other'
  }

  #build(entityType: string, direction: Direction): Treatment | undefined {
    const own = this.#options.types[entityType]
    const known = KNOWN[entityType]
    const base = this.#options[direction]
    // `off` for a whole direction holds for every type of it.
    const action = base === 'off' ? 'off' : (own?.action ?? (known?.off === true ? 'off' : base))
    if (action === 'off') return undefined
    return {
      type: own?.type ?? known?.type ?? this.#nameOf(entityType),
      level: own?.level ?? known?.level ?? 'CONFIDENTIAL',
      action,
      minScore: Math.max(own?.min_score ?? 0, this.#options.score_threshold),
    }
  }
}

const safeName = (entityType: string): string => {
  const name = entityType
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 64)
  return /^[a-z]/.test(name) ? name : `entity_${name}`
}
