import { createHash } from 'node:crypto'
import type { GovernanceEvent, SettingsProblem, SettingsTools } from 'governed-gateway'
import { eventSelector, matchesGlob } from 'governed-gateway/kit'
import { secretProblem } from './render/generic.ts'
import type { WebhookType } from './render/render.ts'
import type { AlertingSettings } from './schema.ts'
import { isTimeZone } from './throttle/quiet.ts'
import type { ThrottlePolicy } from './throttle/throttle.ts'

/** One receiver and its selection of events. */
export interface Destination {
  readonly name: string
  readonly url: string
  readonly type: WebhookType
  readonly signingSecret: string | undefined
  /** Distinguishes receivers with the same name, without revealing the address. */
  readonly target: string
  concerns(event: GovernanceEvent): boolean
}

type Selection = Pick<AlertingSettings, 'min_severity' | 'event_types' | 'exclude_event_types' | 'filters'>

/** Name of the destination that single-destination settings define. */
const DEFAULT = 'default'

/** Every configured receiver, even if alerting is off. */
export function destinationsOf(settings: Readonly<AlertingSettings>): Destination[] {
  const { webhook_url: url, webhook_type: type, signing_secret: secret } = settings
  const single = url === undefined ? [] : [destination(DEFAULT, url, type, secret, settings)]
  const others = (settings.destinations ?? []).map((one) =>
    destination(one.name, one.url, one.type, one.signing_secret, one),
  )
  return [...single, ...others]
}

const destination = (
  name: string,
  url: string,
  type: WebhookType = 'generic',
  signingSecret: string | undefined,
  selection: Selection,
): Destination => ({
  name,
  url,
  type,
  signingSecret,
  target: createHash('sha256').update(url).digest('base64url').slice(0, 16),
  concerns: selectionOf(selection),
})

/** Names of minimum severities in the settings. */
const FLOORS = { all: 'all', detect: 'detection', block: 'block' } as const

/** Applies the minimum severity, then selected types, excluded types, and filters. */
function selectionOf({
  min_severity: floor = 'block',
  event_types: types = [],
  exclude_event_types: except = [],
  filters,
}: Selection): (event: GovernanceEvent) => boolean {
  const isSelected = eventSelector({ floor: FLOORS[floor], types, except })
  return (event) => {
    // An alert about a failed alert would repeat forever.
    if (event.type.startsWith('alert.') || isSelected?.(event) === false) return false
    if (filters === undefined) return true
    return (
      matches(filters.key, event.key_id) &&
      matches(filters.model, event.model) &&
      (filters.classification === undefined || filters.classification.some((label) => label === event.classification))
    )
  }
}

const matches = (globs: readonly string[] | undefined, value: unknown): boolean =>
  globs === undefined || (typeof value === 'string' && globs.some((glob) => matchesGlob(glob, value)))

export function throttleOf(settings: Readonly<AlertingSettings>): ThrottlePolicy {
  const { dedupe_window_seconds: window = 300, max_alerts_per_minute: perMinute = 10 } = settings
  const { quiet_hours: quietHours, muted_until: muted } = settings
  return {
    windowMs: window * 1000,
    perMinute,
    mutedUntil: muted === undefined ? undefined : Date.parse(muted),
    quietHours,
    quietBlocks: quietHours?.blocks,
  }
}

/** Checks what the schema cannot express. */
export async function checkSettings(
  settings: Readonly<AlertingSettings>,
  tools: SettingsTools,
): Promise<readonly SettingsProblem[]> {
  const { checkUrl } = tools
  const { enabled, webhook_url: url, signing_secret: secret, destinations = [], quiet_hours: quiet } = settings
  const problems: (SettingsProblem | undefined)[] = []
  if (enabled === true && url === undefined && destinations.length === 0) {
    problems.push({ field: 'webhook_url', message: 'is needed when enabled is true, unless there are destinations' })
  }
  if (url !== undefined) problems.push(await checkUrl('webhook_url', url))
  problems.push(secretIssue('signing_secret', secret), ...typeIssues('', settings, tools))
  const names = new Set([DEFAULT])
  for (const [i, one] of destinations.entries()) {
    const field = `destinations[${i}]`
    if (names.has(one.name))
      problems.push({ field: `${field}.name`, message: `'${one.name}' is already used; choose another name` })
    names.add(one.name)
    problems.push(await checkUrl(`${field}.url`, one.url), secretIssue(`${field}.signing_secret`, one.signing_secret))
    problems.push(...typeIssues(`${field}.`, one, tools))
  }
  if (quiet?.time_zone !== undefined && !isTimeZone(quiet.time_zone)) {
    problems.push({ field: 'quiet_hours.time_zone', message: 'must be an IANA name, such as Europe/Berlin' })
  }
  return problems.filter((problem) => problem !== undefined)
}

/** Rejects unknown types, which would select nothing. */
function typeIssues(base: string, one: Selection, { checkEventTypes }: SettingsTools): SettingsProblem[] {
  const { event_types: only = [], exclude_event_types: never = [] } = one
  return [...checkEventTypes(`${base}event_types`, only), ...checkEventTypes(`${base}exclude_event_types`, never)]
}

function secretIssue(field: string, secret: string | undefined): SettingsProblem | undefined {
  const message = secret === undefined ? undefined : secretProblem(secret)
  return message === undefined ? undefined : { field, message }
}
