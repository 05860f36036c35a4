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

  private constructor(source_name: string, environment: string) {
    this.source_name = source_name
    this.environment = environment
    Object.freeze(this)
  }

  static of({ source_name, environment }: SourceNames): EventSource {
    return new EventSource(String(source_name), String(environment))
  }
}

export interface SourceNames {
  readonly source_name: string
  readonly environment: string
}

/**
 * The source of these two names; whatever else the object has stays behind.
 *
 * @example
 * encode('json', event, eventSource(services.settings.current))
 */
export const eventSource = (names: SourceNames): EventSource => EventSource.of(names)
