import type { TextView } from '../../contract/plugin.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Item } from '../../dialects/stream.ts'
import type { Field, FieldList } from '../../json/fields.ts'
import { FieldView } from '../../text/field-view.ts'
import type { Inspection } from '../../text/inspection.ts'
import { JoinedView, joinedOf } from '../../text/joined-view.ts'
import { settleInSteps } from '../../text/settling.ts'
import { Pace, type Steps } from '../../util/steps.ts'

/** Characters of texts to make views of before other exchanges run, and what each text counts besides. */
const STEP = 256 * 1024
const PER_TEXT = 256

/** The texts of a stream that do not grow, from one read of it. */
export class WholeTexts {
  readonly #inspection: Inspection
  readonly #dialect: Dialect
  #added: { readonly item: Item; readonly list: FieldList }[] = []
  #items: Item[] = []
  #fields: Field[] = []
  #views: FieldView[] = []

  constructor(inspection: Inspection, dialect: Dialect) {
    this.#inspection = inspection
    this.#dialect = dialect
  }

  add(item: Item, list: FieldList): void {
    this.#added.push({ item, list })
  }

  /** Appends a view of each text, and of those of one list that are one text. */
  *offer(offered: TextView[], nextId: () => number): Steps<void> {
    if (this.#added.length === 0) return
    const pace = new Pace(STEP)
    const joined: JoinedView[] = []
    for (const { item, list } of this.#added) {
      const views: FieldView[] = []
      for (const field of list.fields) {
        const view = new FieldView(this.#inspection, nextId(), this.#dialect.originOf(field), 'output', field.text)
        yield* view.prepare()
        views.push(view)
        offered.push(view)
        this.#items.push(item)
        this.#fields.push(field)
        this.#views.push(view)
        if (pace.spent(field.text.length + PER_TEXT)) yield
      }
      for (const one of joinedOf(list, views)) {
        const { channel, role, choice } = one.parts[0] as FieldView
        const origin = { channel, role, choice, path: one.path }
        const view = JoinedView.of(this.#inspection, nextId(), origin, one)
        yield* view.prepare()
        joined.push(view)
        if (pace.spent(view.raw.length + PER_TEXT)) yield
      }
    }
    for (const view of joined) offered.push(view)
    this.#added = []
  }

  /** Applies what the plugins reported. */
  *settle(markClean: (field: Field) => void): Steps<void> {
    if (this.#views.length === 0) return
    const [items, fields, views] = [this.#items, this.#fields, this.#views]
    yield* settleInSteps(views, (i, text) => {
      const [item, field] = [items[i] as Item, fields[i] as Field]
      if (text === undefined) return markClean(field)
      item.changes ??= []
      item.changes.push({ field, text })
    })
    this.#items = []
    this.#fields = []
    this.#views = []
  }

  /** Counts findings in text that will never be sent. */
  tally(): void {
    for (const view of this.#views) view.tally()
  }
}
