import {
  definePlugin,
  type Exchange,
  type GovernanceEvent,
  type Outcome,
  type PluginSpec,
} from '../../engine/contract/plugin.ts'

const TERMINAL: ReadonlySet<string> = new Set([
  'request.completed',
  'request.blocked',
  'request.rejected',
  'response.blocked',
  'stream.aborted',
  'upstream.failed',
])

/** A shared schema, compiled once. */
const NO_OPTIONS = { type: 'object', properties: {}, additionalProperties: false } as const

/** A plugin at the end of the chain that records events and changes nothing. */
export class Observer {
  readonly events: GovernanceEvent[] = []
  readonly spec: PluginSpec
  readonly #outcomes = new Map<string, Outcome>()
  readonly #waiting = new Map<string, PromiseWithResolvers<GovernanceEvent>>()

  constructor(name: string) {
    this.spec = definePlugin({
      name,
      governs: 'usage',
      onError: 'allow',
      schema: NO_OPTIONS,
      create: () => ({
        apply: (hooks) => {
          hooks.onEvent.tap(name, (event) => this.#note(event))
          hooks.postResponse.tap(name, (x) => this.#end(x))
        },
      }),
    }) as unknown as PluginSpec
  }

  /** The terminal event of the exchange with the client's `id`. */
  ended(id: string): Promise<GovernanceEvent> {
    const known = this.events.find((event) => event.client_request_id === id && TERMINAL.has(event.type))
    return known === undefined ? this.#wait(id).promise : Promise.resolve(known)
  }

  outcomeOf(id: string): Outcome | undefined {
    return this.#outcomes.get(id)
  }

  /** All recorded events of one exchange. */
  eventsOf(id: string): GovernanceEvent[] {
    return this.events.filter((event) => event.client_request_id === id)
  }

  isTerminal(event: GovernanceEvent): boolean {
    return TERMINAL.has(event.type)
  }

  #wait(id: string): PromiseWithResolvers<GovernanceEvent> {
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers<GovernanceEvent>()
    this.#waiting.set(id, waiting)
    return waiting
  }

  #note(event: GovernanceEvent): void {
    // Depends on the machine and its load, not on the case.
    if (event.type === 'plugin.slow') return
    this.events.push(event)
    const id = event.client_request_id
    if (typeof id === 'string' && TERMINAL.has(event.type)) this.#wait(id).resolve(event)
  }

  #end(x: Exchange): void {
    const id = x.request.headers['x-client-request-id']
    if (id !== undefined) this.#outcomes.set(id, x.reply.outcome)
  }
}
