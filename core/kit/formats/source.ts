import type { DescribeEvent } from '../../engine/contract/plugin.ts'
import { describeCore } from '../../engine/events/description.ts'

/**
 * Source data that export adds to every event. Formats see nothing else of the settings, which contain credentials.
 * Only `eventSource` creates it, so that a settings object with the same members is not accepted.
 */
export class EventSource {
  /** Names this deployment to the receiver. */
  readonly source_name: string
  /** Such as `production`. */
  readonly environment: string
  /** Makes the type nominal; never set. */
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

  /** The deployment's event descriptions; the core's for objects that only look like a source. */
  static describerOf(source: EventSource): DescribeEvent {
    return #describe in source ? source.#describe : describeCore
  }
}

export interface SourceNames {
  readonly source_name: string
  readonly environment: string
}

/**
 * A source with these two names; ignores all other members. `describe` controls how `cef` and `ocsf` show events;
 * without it, plugin events are shown by name.
 *
 * @example
 * encode('ocsf', event, eventSource(services.settings.current, services.describe))
 */
export const eventSource = (names: SourceNames, describe: DescribeEvent = describeCore): EventSource =>
  EventSource.of(names, describe)
