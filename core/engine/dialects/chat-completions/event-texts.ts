import type { FieldList } from '../../json/fields.ts'
import type { EventTexts, TextPiece, ToolPiece } from '../stream.ts'

/** The texts of one event. */
export interface ChatEventTexts extends EventTexts {
  /** A member that had repeated its value changed it. */
  readonly departs: boolean
}

/** The same while they are collected. */
export interface Found extends ChatEventTexts {
  readonly pieces: TextPiece[]
  readonly tools: ToolPiece[]
  fixed: FieldList | undefined
  readonly settled: { choice: number; field: string }[]
  departs: boolean
  begins: boolean
}

export const nothingFound = (): Found => ({
  pieces: [],
  tools: [],
  fixed: undefined,
  settled: [],
  departs: false,
  begins: false,
})

/** Between two events. */
export const NOTHING = nothingFound()
