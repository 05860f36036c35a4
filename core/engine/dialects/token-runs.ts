import { LazyMap } from '../util/lazy.ts'

/** What one list of an event's token probabilities spells, and the text that it repeats. */
export interface Spelled {
  /** Undefined if it is no text. */
  readonly text: string | undefined
  /** The bytes of the tokens; undefined if they have another form. */
  readonly bytes: Buffer | undefined
}

/** Probabilities of tokens that spell something else than their text, or follow what did. */
export const UNFIT = -1

interface ListState {
  /** Counts the texts that tokens did not spell. */
  run: number
  /** By list, bytes of a character that its text does not have yet. */
  begun: readonly Buffer[]
}

/**
 * Clients join the token probabilities of a stream as they join its text. What was inspected is the text, so the tokens of one
 * answer that leave spell one stretch of it: once a text went without its tokens, theirs are over.
 */
export class TokenRuns {
  readonly #states = new LazyMap<string | number, ListState>()
  /** The run of which tokens left; UNFIT once a text of it left without. */
  readonly #left = new LazyMap<string | number, number>()

  /**
   * Notes the tokens of an event, in the order in which events come. Returns the run of its tokens; undefined if there are none.
   *
   * @param name of the answer
   */
  note<T>(
    name: string | number,
    hasTokens: boolean,
    of: T,
    spelled: (of: T) => readonly Spelled[],
  ): number | undefined {
    let state = this.#states.get(name)
    if (state === undefined) {
      if (!hasTokens) return undefined
      state = { run: 0, begun: [] }
      this.#states.set(name, state)
    }
    const { begun } = state
    const all = spelled(of)
    const rests = all.map(({ text, bytes }, i) =>
      bytes === undefined || text === undefined ? undefined : restOf(Buffer.concat([begun[i] ?? NONE, bytes]), text),
    )
    if (!rests.includes(undefined)) state.begun = rests as Buffer[]
    else if (all.some(({ text }, i) => text !== '' || (begun[i] ?? NONE).length > 0)) {
      state.run++
      state.begun = []
    }
    return hasTokens ? (rests.includes(undefined) ? UNFIT : state.run) : undefined
  }

  /** Whether the tokens of an event may leave, in the order in which events leave. */
  leaves(name: string | number, run: number): boolean {
    if (run === UNFIT) return false
    const left = this.#left.get(name)
    if (left === undefined) this.#left.set(name, run)
    return left === undefined || left === run
  }

  /** A text leaves without its tokens. */
  miss(name: string | number): void {
    if (this.#left.get(name) !== undefined) this.#left.set(name, UNFIT)
  }
}

const NONE = Buffer.alloc(0)

/** Bytes of the tokens after their text, which begin a character that a later text completes; undefined if they spell something else. */
function restOf(bytes: Buffer, text: string): Buffer | undefined {
  if (spells(bytes, text)) return NONE
  for (const length of [begunAtEnd(bytes), placeholdersAtEnd(bytes)]) {
    const at = bytes.length - length
    if (length > 0 && spells(bytes.subarray(0, at), text)) return bytes.subarray(at)
  }
  return undefined
}

/** Whether the bytes of tokens spell a text. */
export function spells(bytes: Buffer, text: string): boolean {
  const spelled = bytes.toString('utf8')
  return spelled === text || endOfSpelling(spelled, text, 0) === spelled.length
}

/**
 * Where the spelling of a text ends that begins at `from`; -1 if there is none. Some servers write placeholders for the
 * tokens of a character, whatever the number of its tokens.
 */
export function endOfSpelling(spelled: string, text: string, from: number): number {
  let at = 0
  let i = from
  for (; i < spelled.length && at < text.length; i++) {
    const char = spelled[i]
    if (char === text[at]) at++
    else if (char !== PLACEHOLDER || !(text.charCodeAt(at) > 0x7f)) return -1
    else {
      while (spelled[i + 1] === PLACEHOLDER) i++
      for (at++; text.charCodeAt(at) > 0x7f && text[at] !== spelled[i + 1]; ) at++
    }
  }
  return at === text.length ? i : -1
}

const PLACEHOLDER = '\ufffd'
const PLACEHOLDER_BYTES = Buffer.from(PLACEHOLDER)
/** A character has four bytes at most. */
const MOST = 3

/** The length of a character that has begun. */
function begunAtEnd(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(MOST, bytes.length); length++) {
    const byte = bytes[bytes.length - length] as number
    if (byte >= 0xc2) return byte <= 0xf4 && length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
    if (byte < 0x80) return 0
  }
  return 0
}

function placeholdersAtEnd(bytes: Buffer): number {
  const { length: one } = PLACEHOLDER_BYTES
  let length = 0
  while (
    length < MOST * one &&
    bytes.subarray(bytes.length - length - one, bytes.length - length).equals(PLACEHOLDER_BYTES)
  )
    length += one
  return length
}
