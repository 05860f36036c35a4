import type { Awaitable, Finding, TextView } from '../contract/plugin.ts'
import type { FieldView } from './field-view.ts'
import { ViewHandle } from './handle.ts'
import type { Inspection } from './inspection.ts'
import type { Known, Memo, Recording } from './memo.ts'
import { unitsInTurns } from './turns.ts'
import type { BaseView } from './views.ts'

/** A text, or one of its second readings, that a detector is to see. */
interface Unit {
  /** Undefined for a second reading that is known. */
  readonly view: BaseView | undefined
  readonly field: Field
  /** 0 is the text, the others are its second readings. */
  readonly index: number
  /** Characters; known once it was looked at. */
  length: number
}

/** A text with all its readings. */
interface Field {
  readonly view: FieldView
  readonly known: Known | undefined
  readonly recordings: Recording[]
  readonly readings: number[]
}

const CLEAN: readonly (readonly Finding[])[] = []

/** Whose turn it is, and over what. */
export interface Look {
  readonly memo: Memo
  readonly scope: readonly string[]
  /** The entry of the plugin in its chain. */
  readonly plugin: number
  /** What its answer depends on besides the text. */
  readonly key: string
  readonly views: readonly FieldView[]
  readonly inspection: Inspection
  nextTurn(): Promise<void>
  /** Calls the detector; a promise when it has not finished. */
  detect(view: TextView): Promise<void> | undefined
}

/**
 * One detector over the texts of one request. What it found in a text before is reported again, in the same order as if it
 * were found now, and with the same pauses between.
 */
export class MemoPass {
  readonly #look: Look
  readonly #turn: number
  readonly #clean: Known

  constructor(look: Look) {
    this.#look = look
    this.#turn = look.inspection.turn
    this.#clean = { plugin: look.plugin, key: look.key, path: '', lists: CLEAN }
  }

  readonly #fields: Field[] = []
  readonly #units: Unit[] = []

  /** Looks at all texts; what the detector has not finished goes on afterwards. */
  run(): Awaitable<void> {
    for (const view of this.#look.views) {
      const field = { view, known: this.#knownOf(view), recordings: [], readings: [] }
      this.#fields.push(field)
      this.#units.push({ view, field, index: 0, length: 0 })
    }
    // The second readings come behind all texts, as in `handlesOf`.
    return unitsInTurns(this.#units, () => this.#look.nextTurn(), this.#lookAt)
  }

  /** A reason may name the place, so it is worth nothing in another. */
  #knownOf(view: FieldView): Known | undefined {
    const { memo, scope, plugin, key } = this.#look
    const entry = memo.recall(view, scope).entry
    const known = entry?.known.find((one) => one.plugin === plugin && one.key === key)
    const isGood = known !== undefined && (known.path === view.path || !known.lists.some(hasReason))
    memo.count(isGood)
    return isGood ? known : undefined
  }

  readonly #lookAt = (unit: Unit): void => {
    const { field } = unit
    if (field.known === undefined) this.#detect(unit, unit.view as BaseView)
    else {
      if (unit.index === 0) unit.length = field.view.remembered?.entry?.length ?? 0
      this.#replay(unit, field.known)
    }
    if (unit.index === 0) this.#addReadings(field)
  }

  #detect(unit: Unit, view: BaseView): void {
    const recording: Recording = { findings: [], spoilt: false }
    unit.field.recordings.push(recording)
    unit.length = view.text.length
    view.recording = recording
    const pending = this.#look.detect(new ViewHandle(view, this.#look.inspection))
    if (pending === undefined) {
      view.recording = undefined
      return
    }
    const over = () => {
      view.recording = undefined
      // Others report meanwhile, so that the order is not that of the texts.
      if (recording.findings.length > 0) recording.spoilt = true
    }
    pending.then(over, () => {
      recording.spoilt = true
    })
  }

  #replay({ field, index }: Unit, { lists }: Known): void {
    const findings = lists[index]
    if (findings === undefined || findings.length === 0) return
    const view = index === 0 ? field.view : field.view.readings.filter(isShown)[index - 1]
    for (const finding of findings) view?.report(finding)
  }

  #addReadings(field: Field): void {
    const { view, known } = field
    if (known === undefined) {
      for (const reading of view.readings) {
        if (!isShown(reading)) continue
        field.readings.push(reading.text.length)
        this.#units.push({ view: reading, field, index: field.readings.length, length: 0 })
      }
    } else {
      const readings = view.remembered?.entry?.readings ?? []
      for (const [i, length] of readings.entries()) {
        this.#units.push({ view: undefined, field, index: i + 1, length })
      }
    }
  }

  /** Remembers what was found, once the detector has finished with all of them. */
  keep(): void {
    const { memo, plugin, key, inspection } = this.#look
    // Its time was over before: what it wanted to report since is lost.
    if (inspection.turn !== this.#turn) return
    for (const { view, known, recordings, readings } of this.#fields) {
      if (known !== undefined || recordings.some(({ spoilt }) => spoilt)) continue
      const lists = recordings.map(({ findings }) => findings)
      const isClean = lists.every(({ length }) => length === 0)
      memo.add(view, readings, isClean ? this.#clean : { plugin, key, path: view.path, lists })
    }
  }
}

const isShown = ({ text }: BaseView): boolean => text !== ''
const hasReason = (list: readonly Finding[]): boolean => list.some(({ reason }) => reason !== undefined)
