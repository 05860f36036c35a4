import type { Awaitable, Finding, TextView } from '../contract/plugin.ts'
import type { Element } from '../json/elements.ts'
import { inSteps, type NextTurn, Pace, type Steps } from '../util/steps.ts'
import { isThenable } from '../util/thenable.ts'
import type { FieldView } from './field-view.ts'
import { ViewHandle } from './handle.ts'
import type { Inspection } from './inspection.ts'
import type { Known, Memo, Recording, Together } from './memo.ts'
import { Passage, type PassageText } from './passages.ts'
import { oneByOne } from './turns.ts'
import type { BaseView } from './views.ts'

/** A text, or one of its second readings. */
interface Unit {
  readonly state: State
  readonly view: FieldView
  /** 0 is the text, the others are its second readings. */
  readonly reading: number
  /** Characters; known once it was looked at. */
  length: number
}

/** What this pass knows and finds of a passage. */
interface State {
  readonly passage: Passage
  readonly known: Known | undefined
  /** Of each text and its second readings. */
  recordings: Recording[][]
  /** Lengths of the second readings of each text. */
  readings: (readonly number[])[]
}

/** Whose turn it is, and over what. */
export interface Look {
  readonly memo: Memo
  readonly scope: readonly string[]
  /** Its answer where it finds nothing: one object for all requests, which many entries share. */
  readonly clean: Known
  readonly texts: readonly (FieldView | Passage)[]
  readonly inspection: Inspection
  /** Elements that are known together from now on, except those in which something was found. */
  begun(found: ReadonlySet<Element>): readonly Together[]
  /** Makes the views of a passage that has none. */
  open(passage: Passage): void
  readonly nextTurn: NextTurn
  /** Calls the detector; a promise when it has not finished. The caller awaits that too, and handles its failure. */
  detect(view: TextView): Promise<void> | undefined
}

/**
 * One detector over the texts of one request. What it found in a passage before is reported again, in the same order as if
 * it were found now. Many passages, and many findings of one text, take several turns.
 */
export class MemoPass {
  readonly #look: Look
  readonly #turn: number
  readonly #states = new Map<Passage, State>()
  /** Those that the memo does not know. */
  readonly #unknown: State[] = []
  readonly #units: Unit[] = []

  constructor(look: Look) {
    this.#look = look
    this.#turn = look.inspection.turn
  }

  /** Looks at all texts, one after the other: so findings come in the order of the texts. */
  run(): Awaitable<void> {
    const recalled = inSteps(this.#recall(), this.#look.nextTurn)
    return isThenable(recalled) ? recalled.then(() => this.#inspect()) : this.#inspect()
  }

  *#recall(): Steps<void> {
    const pace = new Pace(AT_ONCE)
    let clean: Passage | undefined
    for (const text of this.#look.texts) {
      const passage = text instanceof Passage ? text : (text.passage ?? alone(text))
      if (passage === clean) continue
      if (pace.spent(PER_PASSAGE + (text instanceof Passage ? 0 : text.raw.length))) yield
      const state = this.#states.get(passage) ?? this.#open(passage)
      if (state.known !== undefined && state.known.findings === undefined) clean = passage
      else if (text instanceof Passage) for (const view of passage.views) this.#add(state, view as FieldView)
      else this.#add(state, text)
    }
  }

  #inspect(): Awaitable<void> {
    // The second readings come after all texts, as in `withReadings`.
    return oneByOne(this.#units, this.#look.nextTurn, this.#lookAt, ({ length }) => length)
  }

  #add(state: State, view: FieldView): void {
    view.wasFound = false
    this.#units.push({ state, view, reading: 0, length: 0 })
  }

  #open(passage: Passage): State {
    const state: State = { passage, known: this.#knownOf(passage), recordings: [], readings: [] }
    this.#states.set(passage, state)
    if (state.known === undefined) this.#unknown.push(state)
    return state
  }

  /** A reason may name the place, so it is worth nothing in another. */
  #knownOf(passage: Passage): Known | undefined {
    const { memo, scope, clean } = this.#look
    const { plugin, key } = clean
    const { key: name, entry } = memo.recall(passage, scope)
    const known = entry?.known.find((one) => one.plugin === plugin && one.key === key)
    if (known === undefined || known.findings !== undefined) this.#look.open(passage)
    const isGood =
      known !== undefined &&
      (known.findings === undefined || known.path === passage.path || !known.findings.flat(2).some(hasReason))
    if (name !== undefined) memo.count(isGood, passage.size)
    return isGood ? known : undefined
  }

  readonly #lookAt = (unit: Unit): Promise<void> | undefined => {
    const { view, state, reading } = unit
    if (state.known !== undefined) return this.#replay(unit, view, state.known)
    if (reading === 0) return this.#detectAll(unit, view)
    return this.#detect(unit, view, shownReadings(view)[reading - 1] as BaseView)
  }

  #detectAll(unit: Unit, view: FieldView): Promise<void> | undefined {
    const { state } = unit
    const pending = this.#detect(unit, view, view)
    const lengths = view.readings.length === 0 ? NO_LENGTHS : shownReadings(view).map(({ text }) => text.length)
    state.readings = put(state.readings, view.indexInPassage, lengths)
    if (lengths.length === 0) return pending
    for (const [i, length] of lengths.entries()) this.#units.push({ state, view, reading: i + 1, length })
    return pending
  }

  #detect(unit: Unit, { indexInPassage: index }: FieldView, view: BaseView): Promise<void> | undefined {
    const recording: Recording = { findings: NO_FINDINGS, bound: false, spoilt: false }
    const { state } = unit
    const earlier = state.recordings[index]
    if (earlier === undefined) state.recordings = put(state.recordings, index, [recording])
    else earlier.push(recording)
    unit.length = view.text.length
    view.recording = recording
    const pending = this.#look.detect(new ViewHandle(view, this.#look.inspection, this.#turn))
    if (pending === undefined) {
      view.recording = undefined
      return undefined
    }
    return pending.then(
      () => {
        view.recording = undefined
      },
      () => {
        view.recording = undefined
        recording.spoilt = true
      },
    )
  }

  #replay(unit: Unit, view: FieldView, { findings: all = [] }: Known): Promise<void> | undefined {
    const { state, reading } = unit
    const index = view.indexInPassage
    const entry = state.passage.remembered?.entry
    if (reading === 0) {
      unit.length = entry?.lengths[index] ?? 0
      for (const [i, length] of (entry?.readings[index] ?? []).entries()) {
        this.#units.push({ state, view, reading: i + 1, length })
      }
    }
    const findings = all[index]?.[reading] ?? []
    if (findings.length === 0) return
    const shown = reading === 0 ? view : shownReadings(view)[reading - 1]
    if (shown === undefined) return
    return inSteps(reportAll(shown, findings), this.#look.nextTurn) ?? undefined
  }

  /** Remembers what was found, once the detector has finished with all of them. */
  keep(): Awaitable<void> {
    // Its time was over before: what it wanted to report since is lost.
    if (this.#look.inspection.turn === this.#turn) return inSteps(this.#keep(), this.#look.nextTurn)
  }

  *#keep(): Steps<void> {
    const { memo, clean } = this.#look
    const pace = new Pace(AT_ONCE)
    for (const { passage, recordings, readings } of this.#unknown) {
      if (pace.spent(PER_PASSAGE)) yield
      if (recordings.some(hasLost)) continue
      memo.add(passage, readings, recordings.every(isEmpty) ? clean : this.#answer(passage, recordings))
    }
    const found = this.#found()
    if (found !== undefined) for (const begun of this.#look.begun(found)) memo.addBegun(begun, clean)
  }

  #answer({ path }: Passage, recordings: readonly (readonly Recording[])[]): Known {
    const { plugin, key } = this.#look.clean
    return { plugin, key, path, findings: recordings.map((all) => all.map(({ findings }) => findings)) }
  }

  /** The elements in which something was found; undefined if a value was found at the border of two. */
  #found(): ReadonlySet<Element> | undefined {
    const found = new Set<Element>()
    for (const { passage, recordings, known } of this.#states.values()) {
      const isClean = known === undefined ? recordings.every(isEmpty) : known.findings === undefined
      if (isClean) continue
      // Texts of no element, or of one that is not one passage, are read each time anyway.
      if (passage.element !== undefined) found.add(passage.element)
      else if (passage.views.some(isFoundBorder) || recordings.some(isBroken)) return undefined
    }
    return found
  }
}

/** Looked up or kept before other exchanges run: characters that are hashed, and what a passage counts besides. */
const AT_ONCE = 1024 * 1024
const PER_PASSAGE = 512
const PER_FINDING = 64
const NO_LENGTHS: readonly number[] = []
/** Replaced by the first finding. */
const NO_FINDINGS: Finding[] = []

/** Sets an element. Most lists have one, and an array that was empty gets room for many. */
function put<T>(list: T[], index: number, value: T): T[] {
  if (index === 0 && list.length === 0) return [value]
  list[index] = value
  return list
}

/** A text that is in no element of the request. */
function alone(view: FieldView): Passage {
  const passage = new Passage()
  passage.add(view, true)
  return passage
}

function* reportAll(view: BaseView, findings: readonly Finding[]): Steps<void> {
  const pace = new Pace(AT_ONCE)
  for (const finding of findings) {
    view.report(finding)
    if (pace.spent(PER_FINDING)) yield
  }
}

const shownReadings = ({ readings }: FieldView): BaseView[] => readings.filter(({ text }) => text !== '')
const isEmpty = (all: readonly Recording[]): boolean => all.every((one) => one.findings.length === 0 && !isLost(one))
const hasLost = (all: readonly Recording[]): boolean => all.some(isLost)
const isLost = ({ bound, spoilt }: Recording): boolean => bound || spoilt
const isBroken = (all: readonly Recording[]): boolean => all.some(({ spoilt }) => spoilt)
/** Texts report what lies in them by themselves. */
const isFoundBorder = (view: PassageText): boolean => {
  const { reading, wasFound } = view as FieldView
  return reading === 'border' && wasFound
}
const hasReason = ({ reason }: Finding): boolean => reason !== undefined
