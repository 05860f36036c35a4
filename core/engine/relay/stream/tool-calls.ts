import type { TextView } from '../../contract/plugin.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { NumbersAsText } from '../../dialects/numbers-as-text.ts'
import { isSealed } from '../../dialects/seals.ts'
import type { StreamDialect, ToolForm, ToolPiece, ToolSegment } from '../../dialects/stream.ts'
import { type Change, toEditsInSteps } from '../../json/edits.ts'
import { type Field, FieldList } from '../../json/fields.ts'
import { keepsForm } from '../../json/form.ts'
import type { Continuation } from '../../text/continued-view.ts'
import { FieldView } from '../../text/field-view.ts'
import type { Inspection } from '../../text/inspection.ts'
import { JoinedView, joinedOf } from '../../text/joined-view.ts'
import { settleInSteps } from '../../text/settling.ts'
import type { ViewOrigin } from '../../text/views.ts'
import { Pace, type Steps } from '../../util/steps.ts'
import type { UnseenMedia } from './unseen-media.ts'

/** Total characters of tool calls that one stream may hold until its end. */
export const MAX_TOOL_TEXT = 1024 * 1024

/** Characters of calls to read before other exchanges run; each text and each fragment counts some besides. */
const STEP = 256 * 1024
const PER_TEXT = 512
const PER_FRAGMENT = 16
/** Longer arguments are read in steps. */
const LONG = 32 * 1024

/** Where an event has the beginning of a block. */
const BEGINNING = 'content_block'

interface Part {
  readonly name: string
  readonly form: ToolForm
  readonly segments: ToolSegment[]
}

/**
 * The tool calls of one choice of a stream, or a single one. Clients cannot use half a call, so calls are held until
 * they end. They are inspected as whole values, decoded from their JSON arguments.
 */
export class ToolCalls {
  readonly choice: number
  /** Characters so far. */
  length = 0
  readonly #dialect: Dialect
  readonly #stream: StreamDialect
  #parts = new Map<string, Part>()
  readonly #fields: { readonly part: Part; readonly field: Field }[] = []
  readonly #views: FieldView[] = []
  /** Plugins have seen it. */
  offered = false
  /** Inspected; fragments may leave. */
  released = false

  constructor(dialect: Dialect, stream: StreamDialect, choice: number) {
    this.#dialect = dialect
    this.#stream = stream
    this.choice = choice
  }

  /** All text so far, one part per line. */
  get text(): string {
    const said = [...this.#parts.values()].filter(({ form }) => form !== 'seal')
    return said.map(textOf).join('\n')
  }

  add(piece: ToolPiece, numbers: NumbersAsText): ToolSegment {
    const segment: ToolSegment = {
      choice: piece.choice,
      call: piece.call,
      path: piece.path,
      text: piece.text,
      changed: false,
      released: false,
    }
    const key = `${piece.call}.${piece.part}`
    const part = this.#parts.get(key) ?? { name: key, form: this.#stream.formOf(key), segments: [] }
    const before = this.#parts.has(key) ? '' : numbers.before(piece.path) + (piece.behind ?? '')
    if (before !== '') part.segments.push({ ...segment, text: before })
    this.#parts.set(key, part)
    part.segments.push(segment)
    if (part.form !== 'seal') this.length += piece.text.length
    return segment
  }

  /** Appends one view per text inside the calls, and of thinking one after the blocks before it. */
  *offer(
    offered: TextView[],
    inspection: Inspection,
    nextId: () => number,
    thinking: Continuation,
    unseen: Pick<UnseenMedia, 'call'>,
  ): Steps<void> {
    const pace = new Pace(STEP)
    this.offered = true
    for (const part of this.#parts.values()) {
      const text = textOf(part)
      const list = new FieldList(text)
      list.choice = this.choice
      const isSeal = part.form === 'seal' && isSealed(text)
      const alone = readAlone(part)
      if (isSeal && alone.length === 0) continue
      if (part.form === 'json' && text.length > LONG)
        yield* list.inSteps(() => list.addJsonText('tool_arguments', [], text, 'assistant'))
      else if (part.form === 'json') list.addJsonText('tool_arguments', [], text, 'assistant')
      else if (part.form === 'name') list.add('tool_name', [], text, 'assistant')
      else list.add(part.form === 'sealed' ? 'reasoning' : 'tool_arguments', [], text, 'assistant')
      if (part.form !== 'seal') unseen.call(list.uninspected)
      const first = this.#views.length
      for (const field of list.fields) {
        const { channel, role, choice, member, within, beside, path: below } = this.#dialect.originOf(field)
        const path = `${this.#stream.pathOf(this.choice, part.name)}${below === '' || below.startsWith('[') ? below : `.${below}`}`
        const origin = { channel, role, choice, member, within, beside, path, sealed: part.form === 'sealed' }
        const view = new FieldView(inspection, nextId(), origin, 'output', field.text)
        yield* view.prepare()
        this.#fields.push({ part, field })
        this.#views.push(view)
        if (!isSeal) offered.push(view)
        const whole = origin.sealed ? thinking.next(inspection, nextId, view, origin) : undefined
        if (whole !== undefined) {
          yield* whole.prepare()
          offered.push(whole)
        }
        if (alone.length > 0) {
          const each = eachOf(alone, view, inspection, nextId(), origin)
          yield* each.prepare()
          offered.push(each)
        }
        if (pace.spent(field.text.length + PER_TEXT)) yield
      }
      for (const group of joinedOf(list, this.#views.slice(first))) {
        const { channel, role, choice, path } = group.parts[0] as FieldView
        offered.push(JoinedView.of(inspection, nextId(), { channel, role, choice, path }, group))
        if (pace.spent(PER_TEXT)) yield
      }
      if (pace.spent(text.length + part.segments.length * PER_FRAGMENT)) yield
    }
  }

  /**
   * Applies rewrites: the first fragment carries the whole new text, the others become empty.
   *
   * @returns false if clients would read a rewritten non-JSON text differently
   */
  *settle(): Steps<boolean> {
    const changes = new Map<Part, Change[]>()
    yield* settleInSteps(this.#views, (i, text) => {
      if (text === undefined) return
      const { part, field } = this.#fields[i] as { part: Part; field: Field }
      const known = changes.get(part)
      if (known === undefined) changes.set(part, [{ field, text }])
      else known.push({ field, text })
    })
    const pace = new Pace(STEP)
    for (const [part, changed] of changes) {
      const text = yield* rewritten(part, changed)
      if (text === undefined) return false
      for (const [i, segment] of part.segments.entries()) {
        segment.text = i === 0 ? text : ''
        segment.changed = true
      }
      if (pace.spent(text.length + part.segments.length * PER_FRAGMENT)) yield
    }
    for (const { segments } of this.#parts.values()) for (const segment of segments) segment.released = true
    this.released = true
    return true
  }

  /** Counts findings in calls that will never be sent. */
  tally(): void {
    for (const view of this.#views) view.tally()
  }
}

const textOf = ({ segments }: Pick<Part, 'segments'>): string => segments.map(({ text }) => text).join('')

/** A stretch of a text. */
interface Stretch {
  readonly start: number
  readonly end: number
}

/**
 * The stretches of a text that some clients have without the others: they read each fragment in place of the one before it.
 * Of a seal, some join the fragments without what its block began with. What looks like a seal by itself is left out.
 */
function readAlone({ form, segments }: Part): Stretch[] {
  const [first] = segments
  if ((form !== 'name' && form !== 'value' && form !== 'seal') || first === undefined || segments.length < 2) return []
  let end = 0
  const alone = segments.map(({ text }): Stretch => {
    const start = end
    end += text.length
    return { start, end }
  })
  if (form !== 'seal') return alone
  if (first.path[0] === BEGINNING && segments.length > 2) alone.push({ start: first.text.length, end })
  const text = textOf({ segments })
  return alone.filter(({ start, end: to }) => !isSealed(text.slice(start, to)))
}

/** Stretches of a text in lines. */
function eachOf(
  stretches: readonly Stretch[],
  view: FieldView,
  inspection: Inspection,
  id: number,
  origin: ViewOrigin,
): JoinedView {
  let at = 0
  const pieces = stretches.map(({ start, end }) => {
    const piece = { view, start, end, at }
    at += end - start + 1
    return piece
  })
  const text = stretches.map(({ start, end }) => view.raw.slice(start, end)).join('\n')
  return new JoinedView(inspection, id, origin, text, pieces)
}

function* rewritten(part: Part, changes: readonly Change[]): Steps<string | undefined> {
  const [first] = changes as [Change]
  if (first.field.inner === undefined) {
    // Raw text: a name, a custom input, or arguments that are not strict JSON.
    return part.form === 'json' && !keepsForm(textOf(part), first.text) ? undefined : first.text
  }
  const [edit] = yield* toEditsInSteps(changes)
  return edit?.kind === 'replace' ? (JSON.parse(edit.json) as string) : textOf(part)
}

/** The verdict on a call whose rewrite would change whether clients can parse it. */
export const UNREDACTABLE = { reason: 'A tool call of the reply cannot be redacted without changing what it says.' }
