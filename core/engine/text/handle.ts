import { GatewayError } from '../contract/errors.ts'
import type { Channel, Direction, Finding, TextView } from '../contract/plugin.ts'
import type { Inspection } from './inspection.ts'
import type { BaseView } from './views.ts'

/**
 * A view that belongs to one tap call. It stays readable, but its methods work only during that call: a later report
 * would change a decision or be attributed to another plugin.
 */
export class ViewHandle implements TextView {
  readonly #view: BaseView
  readonly #inspection: Inspection
  readonly #turn: number

  /** @param turn of the tap that gets it */
  constructor(view: BaseView, inspection: Inspection, turn = inspection.turn) {
    this.#view = view
    this.#inspection = inspection
    this.#turn = turn
  }

  /** Returns the view of a handle whose tap is still running. */
  static open(handle: unknown, verb: string): BaseView | undefined {
    return typeof handle === 'object' && handle !== null && #view in handle ? handle.#open(verb) : undefined
  }

  #open(verb: string): BaseView {
    if (this.#turn === this.#inspection.turn) return this.#view
    throw new GatewayError('GW_STALE_HANDLE', `${verb}() was called on ${this.path} after its tap had returned.`)
  }

  get id(): number {
    return this.#view.id
  }
  get direction(): Direction {
    return this.#view.direction
  }
  get channel(): Channel {
    return this.#view.channel
  }
  get role(): string | undefined {
    return this.#view.role
  }
  get choice(): number {
    return this.#view.choice
  }
  get path(): string {
    return this.#view.path
  }
  get member(): string | undefined {
    return this.#view.member
  }
  get within(): readonly string[] | undefined {
    return this.#view.within
  }
  get beside(): string | undefined {
    return this.#view.beside
  }
  get text(): string {
    return this.#view.text
  }
  get before(): string {
    return this.#view.before
  }
  get fresh(): number {
    return this.#view.fresh
  }
  get offset(): number {
    return this.#view.offset
  }
  get final(): boolean {
    return this.#view.final
  }

  get reading(): 'decoded' | 'border' | 'part' | undefined {
    return this.#view.reading
  }
  get continues(): number | undefined {
    return this.#view.continues
  }
  get borders(): readonly number[] | undefined {
    return this.#view.borders
  }
  get answer(): number | undefined {
    return this.#view.answer
  }

  sourceAt(index: number): number {
    return this.#view.sourceAt(index)
  }

  source(start: number, end: number): string {
    return this.#view.source(start, end)
  }

  report(finding: Finding): void {
    this.#open('report').report(finding)
  }

  hold(from: number, until?: PromiseLike<unknown>): void {
    this.#open('hold').hold(from, until)
  }
}

/**
 * All that a tap sees. A text that changes when its escapes are decoded has a second view. These views come last so
 * that indexes of the others stay stable.
 */
export function withReadings(views: readonly BaseView[]): BaseView[] {
  const all = [...views]
  for (const view of views) addReadings(all, view)
  return all
}

/** Adds the second views of one text. */
export function addReadings(all: BaseView[], { readings }: BaseView): void {
  for (const reading of readings) if (reading.text !== '' || reading.beginsNow) all.push(reading)
}

/** Handles for the running tap. */
export const handlesOf = (views: readonly BaseView[], inspection: Inspection): ViewHandle[] =>
  views.map((view) => new ViewHandle(view, inspection))
