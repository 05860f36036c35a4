import { rangeOf } from '../../json/splice.ts'
import { isPadding } from '../shapes.ts'
import type { KnownPlace, TextPiece } from '../stream.ts'
import { flat } from '../templates.ts'
import type { StreamedText } from './streamed-text.ts'
import { FRAME_LENGTH } from './wire.ts'

/** Characters that would end the string or stand for other characters. */
const NOT_LITERAL = /["\\\u0000-\u001f]/
const DIGITS = /^\d{1,6}$/

type Slot = 'text' | 'number' | 'padding'

interface Template extends KnownPlace {
  /** The spelling before, between and after the slots. */
  readonly literals: readonly string[]
  readonly slots: readonly Slot[]
  readonly streamed: StreamedText | undefined
}

/**
 * Most events of a stream differ from the previous one only in their text, number and padding. If the spelling around
 * them equals that of an inspected event, the meaning is the same. The text is then extracted without parsing.
 */
export class DeltaTemplate {
  #known: Template | undefined = undefined

  /** The template of the last match. */
  get matched(): Template {
    return this.#known as Template
  }

  /** The text that it extends. */
  get streamed(): StreamedText | undefined {
    return this.#known?.streamed
  }

  match(payload: string): string | undefined {
    const known = this.#known
    if (known === undefined) return undefined
    const { literals, slots } = known
    let at = 0
    let text: string | undefined
    for (let i = 0; i < slots.length; i++) {
      const literal = literals[i] as string
      const start = at + literal.length
      if (payload.slice(at, start) !== literal) return undefined
      const after = literals[i + 1] as string
      const end = payload.indexOf(slots[i] === 'number' ? after : '"', start)
      if (end === -1) return undefined
      const value = payload.slice(start, end)
      if (!fits(slots[i] as Slot, value)) return undefined
      if (slots[i] === 'text') text = value
      at = end
    }
    return payload.slice(at) === literals[slots.length] ? text : undefined
  }

  forget(): void {
    this.#known = undefined
  }

  /** Remembers the spelling of an event with one text and nothing else. */
  learn(
    payload: string,
    type: string,
    { path, text, channel, choice, field, part }: TextPiece,
    streamed: StreamedText | undefined,
  ): void {
    if (text === '' || NOT_LITERAL.test(text) || payload.includes('\n')) return
    const found: { slot: Slot; start: number; end: number }[] = []
    const note = (slot: Slot, range: { start: number; end: number } | undefined, quote: 0 | 1) => {
      if (range !== undefined) found.push({ slot, start: range.start + quote, end: range.end - quote })
    }
    note('text', rangeOf(payload, path), 1)
    note('number', rangeOf(payload, ['sequence_number']), 0)
    const padding = rangeOf(payload, ['obfuscation'])
    if (padding !== undefined && payload[padding.start] === '"') note('padding', padding, 1)
    found.sort((a, b) => a.start - b.start)
    const literals: string[] = []
    let at = 0
    for (const { slot, start, end } of found) {
      if (!fits(slot, payload.slice(start, end))) return
      literals.push(flat(payload.slice(at, start)))
      at = end
    }
    literals.push(flat(payload.slice(at)))
    const slots = found.map(({ slot }) => slot)
    const frameLength = FRAME_LENGTH + type.length
    this.#known = { channel, choice, speaking: [choice], field, path, part, frameLength, literals, slots, streamed }
  }
}

const fits = (slot: Slot, value: string): boolean =>
  slot === 'text' ? value !== '' && !NOT_LITERAL.test(value) : slot === 'number' ? DIGITS.test(value) : isPadding(value)
