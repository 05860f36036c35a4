/** Finds words of label files in texts. */
import type { TextView } from 'governed-gateway'
import { Keywords } from 'governed-gateway/kit'
import type { Label } from './label-file.ts'

type Kind = 'phrase' | 'term' | 'context' | 'field'

/** What a word means for a label. Only words of one language belong together. */
interface Role {
  readonly label: number
  readonly kind: Kind
  readonly language: string
}

export interface LabelHit {
  /** Position of the label in the list. */
  readonly label: number
  readonly start: number
  readonly end: number
}

type Words = Readonly<Record<string, readonly string[]>>

interface Found extends Role {
  readonly start: number
  readonly end: number
}

type Searched = Pick<TextView, 'text' | 'before' | 'final' | 'hold'>

/** Longest word of the schema. */
const LONGEST = 64
/** Longest distance and word of the schema, with room: a stream shows 256 released characters. */
const LEFT = 208
/** A field's name is followed by its value. */
const FIELD_END = /^["'`]?\s{0,3}[:=]/

/**
 * Words of labels in texts. A term counts near a word of its context, so contexts are searched only around terms. Nothing
 * but the view decides, and what is reported is the word that completes a pair: a stream reports what a whole text does.
 */
export class LabelTexts {
  readonly #labels: readonly Label[]
  /** Phrases and terms. */
  readonly #words = new Vocabulary()
  /** Context and fields. */
  readonly #around = new Vocabulary()

  constructor(labels: readonly Label[]) {
    this.#labels = labels
    for (const [label, { phrases, terms, context, fields }] of labels.entries()) {
      this.#words.add(phrases, label, 'phrase')
      this.#words.add(terms, label, 'term')
      this.#around.add(context, label, 'context')
      this.#around.add(fields, label, 'field')
    }
  }

  /** Whether any label has words that may give it. */
  get hasWords(): boolean {
    return !this.#words.isEmpty
  }

  /** The hits that a view completes; on an unfinished stream, also holds possible starts of a word. */
  find(view: Searched & Pick<TextView, 'member' | 'within'>): LabelHit[] {
    const left = Math.min(LEFT, view.before.length)
    const text = left === 0 ? view.text : view.before.slice(-left) + view.text
    const before = left === 0 ? view.before : view.before.slice(0, -left)
    const hold = (at: number) => view.hold(Math.max(0, at - left))
    const searched = { text, before, final: view.final, hold }
    const words = this.#words.find(searched)
    if (words.length === 0) return []
    const found = [...words, ...this.#contextsOf(words, searched)]
    return this.#pairs(found, text, this.#fieldsOf(view))
      .filter(({ start }) => start >= left)
      .map(({ label, start, end }) => ({ label, start: start - left, end: end - left }))
  }

  /** Words of context and fields around terms. */
  #contextsOf(words: readonly Found[], { text, before, final, hold }: Searched): Found[] {
    return this.#rangesAround(words, text.length).flatMap(([from, to]) => {
      const range = {
        text: text.slice(from, to),
        before: from === 0 ? before : text.slice(from - 1, from),
        final: final || to < text.length,
        hold: (at: number) => hold(at + from),
      }
      return this.#around.find(range).map((one) => ({ ...one, start: one.start + from, end: one.end + from }))
    })
  }

  /** Where context counts, in order; ranges that touch are one. */
  #rangesAround(words: readonly Found[], length: number): [number, number][] {
    const ranges: [number, number][] = []
    for (const { kind, label, start, end } of words.toSorted((a, b) => a.start - b.start)) {
      if (kind !== 'term') continue
      const reach = (this.#labels[label] as Label).distance + LONGEST + 1
      const last = ranges.at(-1)
      const to = Math.min(length, end + reach)
      if (last !== undefined && start - reach <= last[1]) last[1] = Math.max(last[1], to)
      else ranges.push([Math.max(0, start - reach), to])
    }
    return ranges
  }

  /** Phrases, and words that complete a pair of term and context. */
  #pairs(found: readonly Found[], text: string, fields: ReadonlySet<number>): Found[] {
    /** The last one of each kind by label and language. */
    const last = new Map<string, Found>()
    return found
      .toSorted((a, b) => a.end - b.end || a.start - b.start)
      .filter((one) => {
        const { label, kind, language, start, end } = one
        const isNear = (other: Kind) => {
          const candidate = last.get(`${label} ${other} ${language}`)
          return candidate !== undefined && start - candidate.end <= (this.#labels[label] as Label).distance
        }
        if (kind !== 'field' || FIELD_END.test(text.slice(end, end + 8))) last.set(`${label} ${kind} ${language}`, one)
        if (kind === 'term') return fields.has(label) || isNear('context') || isNear('field')
        return kind === 'phrase' || (kind === 'context' && isNear('term'))
      })
  }

  /** Labels for which the text is the value of a field. */
  #fieldsOf({ member, within = [] }: Pick<TextView, 'member' | 'within'>): ReadonlySet<number> {
    const labels = new Set<number>()
    for (const name of member === undefined ? within : [member, ...within]) {
      if (name.length > LONGEST) continue
      const view = { text: name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '), before: '', final: true, hold: () => undefined }
      for (const { label, kind } of this.#around.find(view)) if (kind === 'field') labels.add(label)
    }
    return labels
  }
}

/** A star at the end of a word stands for these endings. */
const ENDINGS = ['', ...'e en er es em n s in innen a o as os'.split(' ')]

/** Words with what they mean. */
class Vocabulary {
  readonly #roles = new Map<string, Role[]>()
  #keywords: Keywords | undefined

  get isEmpty(): boolean {
    return this.#roles.size === 0
  }

  add(words: Words, label: number, kind: Kind): void {
    for (const [language, list] of Object.entries(words)) {
      for (const word of list) {
        const forms = word.endsWith('*') ? ENDINGS.map((ending) => word.slice(0, -1) + ending) : [word]
        for (const form of forms) this.#addForm(form, { label, kind, language })
      }
    }
  }

  #addForm(form: string, role: Role): void {
    const roles = this.#roles.get(form)
    if (roles === undefined) this.#roles.set(form, [role])
    else roles.push(role)
  }

  find(view: Searched): Found[] {
    if (this.isEmpty) return []
    this.#keywords ??= new Keywords([...this.#roles.keys()])
    return this.#keywords
      .find(view)
      .flatMap(({ keyword, start, end }) =>
        (this.#roles.get(keyword) as readonly Role[]).map((role) => ({ ...role, start, end })),
      )
  }
}
