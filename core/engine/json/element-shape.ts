import type { Channel } from '../contract/plugin.ts'
import type { Path } from './strict.ts'

/** What the walk of an element gave, without its texts. Enough to continue without a walk. */
export interface ElementShape {
  /** Number of its fields. */
  readonly fields: number
  readonly sequence: readonly SequenceText[]
  /** Kind and count of content that cannot be inspected. */
  readonly uninspected: readonly (readonly [kind: string, count: number])[]
  /** Of several elements: which of their texts in sequence later ones may continue from. */
  readonly ends?: SequenceEnds
  /** Of several elements: those that are read by themselves. All else is about the others. */
  readonly open?: readonly OpenElement[]
}

/** An element in which something was found, or that has no shape. */
export interface OpenElement {
  /** Its index in the array. */
  readonly index: number
  /** Its first field, among those of all the elements. */
  readonly from: number
}

/** Among the texts in sequence of some elements, those whose borders with later ones are new. */
export interface SequenceEnds {
  /** Number of all texts in sequence. */
  readonly count: number
  readonly all: readonly EndText[]
  readonly user: readonly EndText[]
  readonly tool: readonly EndText[]
  /** The first ones, with which a text before the elements may share a view. Undefined if no text is before them. */
  readonly heads?: readonly EndText[] | undefined
}

export interface EndText extends SequenceText {
  /** Index of its element in the array. */
  readonly element: number
  /** Its place in the sequence. */
  readonly place: number
}

/** A text that a model reads in sequence with those of other elements. */
export interface SequenceText {
  /** Index among the fields of the element. */
  readonly at: number
  /** Below the element. */
  readonly path: Path
  readonly channel: Channel
  readonly role: string | undefined
}

/** Texts in sequence of elements that are known together. */
export interface EarlierFields {
  readonly ends: SequenceEnds
  readonly member: string
  /** Index of their first field. */
  readonly from: number
  /** How many texts in sequence are before them. */
  readonly ahead: number
}
