import type { DescribeEvent } from '../../engine/contract/plugin.ts'
import { describeCore } from '../../engine/events/description.ts'

/**
 * What export adds to every event, and all that a format ever sees of the settings: they hold credentials. Only
 * `eventSource` makes one, so that no settings object, which has these members and others, passes for it.
 */
export class EventSource {
  /** Names this deployment to the receiver. */
  readonly source_name: string
  /** Such as `production`. */
  readonly environment: string
  /** Makes the type nominal, and is never there: what only looks like a source is none. */
  declare protected readonly kind: 'source'

  readonly #describe: DescribeEvent

  private constructor(source_name: string, environment: string, describe: DescribeEvent) {
    this.source_name = source_name
    this.environment = environment
    this.#describe = describe
    Object.freeze(this)
  }

  static of({ source_name, environment }: SourceNames, describe: DescribeEvent): EventSource {
    return new EventSource(String(source_name), String(environment), describe)
  }

  /** How the deployment's plugins declare events; of what only looks like a source, how the core does. */
  static describerOf(source: EventSource): DescribeEvent {
    return #describe in source ? source.#describe : describeCore
  }
}

export interface SourceNames {
  readonly source_name: string
  readonly environment: string
}

/**
 * The source of these two names; whatever else the object has stays behind. `describe` says how events are shown in `cef`
 * and `ocsf`; without it, those of plugins are shown by their names.
 *
 * @example
 * encode('ocsf', event, eventSource(services.settings.current, services.describe))
 */
export const eventSource = (names: SourceNames, describe: DescribeEvent = describeCore): EventSource =>
  EventSource.of(names, describe)
