import type { Awaitable, TextView } from '../contract/plugin.ts'
import type { Dialect, RequestDocument } from '../dialects/dialect.ts'
import { type Element, Elements, SKIPPED } from '../json/elements.ts'
import type { Field, FieldList } from '../json/fields.ts'
import { borderViewsInSteps } from '../text/borders.ts'
import type { BodyElements } from '../text/element-memory.ts'
import { FieldView } from '../text/field-view.ts'
import { addReadings, handlesOf, withReadings } from '../text/handle.ts'
import type { Inspection } from '../text/inspection.ts'
import { type Joined, JoinedView, joinedOf } from '../text/joined-view.ts'
import { areMany, groupIntoPassages, type Passage } from '../text/passages.ts'
import { settleInSteps } from '../text/settling.ts'
import { eachInTurns } from '../text/turns.ts'
import type { Normalised } from '../text/unicode.ts'
import { makeFew, makeInTurns } from '../text/view-making.ts'
import type { BaseView } from '../text/views.ts'
import { allSteps, type NextTurn, type Steps, stepByStep } from '../util/steps.ts'
import { type Begun, begunOf, earlierOf } from './begun.ts'

/** The views of a request's fields, some of which were never needed and so do not exist. */
type Sparse = (FieldView | undefined)[]

/**
 * The texts of a request, as fields and as views. Elements that the memo knows have neither, until a plugin asks for them.
 */
export class RequestTexts {
  readonly #dialect: Dialect
  readonly #document: RequestDocument
  readonly #inspection: Inspection
  readonly #known: BodyElements | undefined
  #elements: Elements | undefined
  #list: FieldList | undefined = undefined
  #views: Sparse | undefined = undefined
  /** Views of several texts. */
  #joined: readonly FieldView[] = []
  /** Those that others replaced; verdicts may still be waited for. */
  readonly #replaced: FieldView[] = []
  /** Elements without views. */
  #skipped: Map<number, Passage> = new Map()
  #handles: readonly TextView[] | undefined = undefined
  #handlesOf = -1
  #forMemo: readonly (FieldView | Passage)[] | undefined = undefined
  /** All views once each text has one, and with second readings. */
  #together: readonly FieldView[] | undefined = undefined
  #inOrder: { readonly of: readonly FieldView[]; readonly views: readonly BaseView[] } | undefined = undefined

  /** @param known what the memo knows of the body */
  constructor(dialect: Dialect, document: RequestDocument, inspection: Inspection, known?: BodyElements) {
    this.#dialect = dialect
    this.#document = document
    this.#inspection = inspection
    this.#known = known
    this.#elements = known && new Elements(known)
  }

  get #fields(): FieldList {
    this.#list ??= this.#document.fields(this.#elements)
    return this.#list
  }

  /** Kind and number of parts that text rules cannot read; undefined before the fields are known. */
  get knownUninspected(): ReadonlyMap<string, number> | undefined {
    return this.#list?.uninspected
  }
  get uninspected(): ReadonlyMap<string, number> {
    return this.#fields.uninspected
  }

  /** Each tap gets its own handles. */
  get handles(): readonly TextView[] {
    const inspection = this.#inspection
    if (this.#handles === undefined || this.#handlesOf !== inspection.turn) {
      this.#handles = handlesOf(this.inOrder, inspection)
      this.#handlesOf = inspection.turn
    }
    return this.#handles
  }

  /** The views after the handles. */
  get inOrder(): readonly BaseView[] {
    const all = this.#all
    if (this.#inOrder?.of !== all) this.#inOrder = { of: all, views: withReadings(all) }
    return this.#inOrder.views
  }

  /** See `inOrder`. Other exchanges run in between if much must be read a second time. */
  inOrderInTurns(nextTurn: NextTurn): Awaitable<readonly BaseView[]> {
    const all = this.#all
    if (this.#inOrder?.of === all) return this.#inOrder.views
    const readings: BaseView[] = []
    const together = () => {
      if (this.#all !== all) return this.inOrder
      this.#inOrder = { of: all, views: readings.length === 0 ? all : [...all, ...readings] }
      return this.#inOrder.views
    }
    const turns = eachInTurns(all, nextTurn, (view) => addReadings(readings, view))
    return turns === undefined ? together() : turns.then(together)
  }

  /** Collects the fields of a large request before they are used. */
  async walk(nextTurn: NextTurn): Promise<void> {
    this.#list ??= await stepByStep(this.#document.fieldsInSteps(this.#elements), nextTurn)
  }

  /** Creates the views of a large request before a plugin uses them. */
  async prepare(nextTurn: NextTurn): Promise<void> {
    const views = await makeInTurns(this.#fields.fields, nextTurn, ({ text }) => text, this.#viewOf)
    const joined = await makeInTurns(joinedOf(this.#fields, views), nextTurn, JoinedView.textOf, (one, i, read) =>
      this.#joinedView(one, views.length + i, read),
    )
    await nextTurn()
    const borders = await stepByStep(this.#bordersOf(views, views.length + joined.length), nextTurn)
    await eachInTurns(borders, nextTurn, ({ readings }) => void readings)
    // A plugin may have used the views meanwhile, outside of its taps.
    if (this.#views === undefined) this.#adopt(views, joined, borders)
  }

  /** Reads the long texts of a request that is not large itself. */
  readLong(nextTurn: NextTurn): Promise<void> | undefined {
    const long: FieldView[] = []
    for (const views of [this.#make(), this.#joined]) {
      for (let i = 0; i < views.length; i++) {
        const view = views[i]
        if (view !== undefined && FieldView.isLong(view.raw)) long.push(view)
      }
    }
    return long.length === 0 ? undefined : prepareInTurns(long, nextTurn)
  }

  /** @param made views that there are */
  #make(made: Readonly<Sparse> = []): Sparse {
    if (this.#views === undefined) {
      const views = makeFew(this.#fields.fields, SKIPPED, (field, i) => made[i] ?? this.#viewOf(field, i))
      const joined = joinedOf(this.#fields, views).map((one, i) => this.#joinedView(one, views.length + i))
      this.#adopt(views, joined, allSteps(this.#bordersOf(views, views.length + joined.length)))
    }
    return this.#views as Sparse
  }

  get #all(): readonly FieldView[] {
    this.#make()
    this.needBegun(() => false)
    for (const passage of [...this.#skipped.values()]) this.open(passage)
    this.#together ??= [...(this.#views as FieldView[]), ...this.#joined]
    return this.#together
  }

  /** Remembering them one by one would cost more than to inspect them again. */
  get areMany(): boolean {
    this.#make()
    return areMany(this.#fields.fields, this.#elements?.all)
  }

  /** Every text in its place, or its passage if its texts were not asked for. */
  get forMemo(): readonly (FieldView | Passage)[] {
    const views = this.#make()
    this.#forMemo ??= this.#skipped.size === 0 ? this.#all : this.#sparse(views)
    return this.#forMemo
  }

  #sparse(views: Readonly<Sparse>): readonly (FieldView | Passage)[] {
    const all: (FieldView | Passage)[] = []
    for (let i = 0; i < views.length; i++) {
      const passage = this.#skipped.get(i)
      if (passage === undefined) all.push(views[i] as FieldView)
      else {
        all.push(passage)
        i += passage.size - 1
      }
    }
    all.push(...this.#joined)
    return all
  }

  /** Makes the elements that are known together single ones, unless a plugin found nothing in them. */
  needBegun(isClean: (key: string) => boolean): void {
    this.#make()
    for (const { element } of this.#skipped.values()) {
      if (element?.isBegun === true && !isClean(element.key as string)) return this.#makeSingle()
    }
  }

  /** Reads the body again. Views and reports that there are stay. */
  #makeSingle(): void {
    const views = this.#views ?? []
    const { fields } = this.#fields
    this.#elements = this.#known && new Elements(this.#known, false)
    const list = this.#document.fields(this.#elements)
    if (list.fields.length !== fields.length) throw new Error('A part of the request was read in two ways.')
    for (const [i, view] of views.entries()) if (view !== undefined) list.fields[i] = fields[i] as Field
    this.#list = list
    this.#replaced.push(...this.#joined)
    this.#views = undefined
    this.#skipped.clear()
    this.#make(views)
  }

  /**
   * The arrays that may be known together.
   *
   * @param found elements in which the plugin found something
   */
  begun(found: ReadonlySet<Element>): readonly Begun[] {
    const arrays = this.#document.begun?.() ?? []
    return arrays.length === 0 ? [] : begunOf(arrays, this.#elements?.all ?? [], found, this.#fields, this.#make())
  }

  /** Makes the views of a passage that has none. */
  open(passage: Passage): void {
    const { element } = passage
    const views = this.#views
    if (element === undefined || views === undefined || this.#skipped.get(element.from) !== passage) return
    const { fields } = this.#fields
    const walked = this.#fields.another()
    element.walk(walked)
    if (walked.fields.length !== passage.size) throw new Error('A part of the request was read in two ways.')
    for (const [i, field] of walked.fields.entries()) {
      const at = element.from + i
      if (fields[at] === SKIPPED) fields[at] = field
      views[at] ??= this.#viewOf(fields[at] as Field, at)
    }
    passage.fill(views.slice(element.from, element.to) as FieldView[])
    this.#skipped.delete(element.from)
    this.#forMemo = this.#together = undefined
  }

  readonly #viewOf = (field: Field, id: number, read?: Normalised): FieldView | undefined =>
    field === SKIPPED
      ? undefined
      : new FieldView(this.#inspection, id, this.#dialect.originOf(field), 'input', field.text, read)

  #joinedView(joined: Joined, id: number, read?: Normalised): JoinedView {
    const { channel, role, choice } = joined.parts[0] as FieldView
    const origin = { channel, role, choice, path: joined.path }
    return JoinedView.of(this.#inspection, id, origin, joined, read)
  }

  *#bordersOf(views: Readonly<Sparse>, firstId: number): Steps<FieldView[]> {
    const { sequence, earlier } = this.#fields
    if (sequence.length + (earlier?.ends.count ?? 0) < 2) return []
    let id = firstId
    const texts = sequence.map((index) => views[index] as FieldView)
    const ahead = texts.splice(0, earlier?.ahead ?? 0)
    return yield* borderViewsInSteps(texts, this.#inspection, () => id++, earlierOf(this.#fields, views), ahead)
  }

  #adopt(views: Sparse, joined: readonly JoinedView[], borders: readonly FieldView[]): void {
    const { fields } = this.#fields
    this.#views = views
    if (!areMany(fields, this.#elements?.all)) {
      for (const passage of groupIntoPassages(fields, views, this.#elements?.all)) {
        this.#skipped.set((passage.element as Element).from, passage)
      }
      for (const view of joined) view.common?.add(view, false)
    }
    this.#joined = [...joined, ...borders]
    this.#forMemo = this.#together = undefined
  }

  /** Every verdict that a text waits for. */
  get waits(): Promise<unknown>[] {
    const waits: Promise<unknown>[] = []
    for (const views of [this.#views ?? [], this.#joined, this.#replaced]) {
      for (const view of views) if (view?.waits !== undefined) waits.push(...view.waits)
    }
    return waits
  }

  /** Merges the findings of every text, and passes on each field whose text changes or was reported. */
  *settle(take: (field: Field, text: string | undefined, reported: boolean) => void): Steps<void> {
    if (this.#views === undefined) return
    const { fields } = this.#fields
    yield* settleInSteps(this.#views, (i, text, view) => take(fields[i] as Field, text, view.reported))
  }
}

async function prepareInTurns(views: readonly FieldView[], nextTurn: NextTurn): Promise<void> {
  for (const view of views) await stepByStep(view.prepare(), nextTurn)
}
