import { setImmediate as nextTurn } from 'node:timers/promises'
import { FORGETFUL, type KnownTexts } from './token-memo.ts'
import { Vocabulary } from './vocabulary.ts'

/** Counts the tokens of a text of any length. */
export type Count = (text: string) => number

/** Longer pieces without a space take time that grows with their square. */
const SLICE_LENGTH = 512
const SPACE = 0x20
/** Characters to count at once; longer texts take turns with other requests. */
const TURN_LENGTH = 4 * 1024
/** Characters of the longest prompt to count exactly; longer ones are sampled. */
const MAX_EXACT_LENGTH = 256 * 1024
/**
 * Maximum milliseconds of one turn, and of all turns of a prompt. Beyond them, text is estimated, because it may be crafted to
 * be slow.
 */
const TURN_MS = 2
const PROMPT_MS = 100
/** A turn ends with a slice, which takes less than one: while more went by, others had the processor. */
const MOST_TURN_MS = 5

let loaded: Count | undefined
let loading: Promise<Count> | undefined

/** The tokenizer, if it is loaded. */
export const tokenizer = (): Count | undefined => loaded

/** Loads the vocabulary (o200k_base) once: about 100 ms of CPU time in turns, and 4 MB. */
export function loadTokenizer(): Promise<Count> {
  loading ??= Vocabulary.read().then((vocabulary) => {
    loaded = sliced((piece) => vocabulary.count(piece))
    return loaded
  })
  return loading
}

/** Counts in slices. A slice ends before a space if possible, because tokens begin with spaces. */
function sliced(countPiece: Count): Count {
  return (text) => {
    if (text.length <= SLICE_LENGTH) return text === '' ? 0 : countPiece(text)
    let tokens = 0
    for (let at = 0; at < text.length; ) {
      const end = sliceEnd(text, at)
      tokens += countPiece(text.slice(at, end))
      at = end
    }
    return tokens
  }
}

function sliceEnd(text: string, at: number): number {
  const end = at + SLICE_LENGTH
  if (end >= text.length) return text.length
  // Looks no further back: in a text without spaces, each slice would search all of the text before it.
  for (let space = end; space > at + SLICE_LENGTH / 2; space--) if (text.charCodeAt(space) === SPACE) return space
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end
}

export interface CountOptions {
  /** Token counts of known texts. Default none. */
  known?: KnownTexts
  /** Clock, milliseconds. Default `performance.now`. */
  now?: () => number
  /** Called for each text that was counted exactly, with its index. */
  counted?: (index: number, tokens: number) => void
}

interface Uncounted {
  readonly index: number
  readonly text: string
  readonly key: string | undefined
}

/** Counts several texts: at once if few of them are new, otherwise over several turns of the event loop. */
export function countAll(
  count: Count,
  texts: readonly string[],
  { known = FORGETFUL, now = () => performance.now(), counted = () => {} }: CountOptions = {},
): number | Promise<number> {
  let tokens = 0
  let characters = 0
  const uncounted: Uncounted[] = []
  for (const [index, text] of texts.entries()) {
    const key = known.keyOf(text)
    const before = key === undefined ? undefined : known.get(key)
    if (before === undefined) {
      uncounted.push({ index, text, key })
      characters += text.length
    } else {
      tokens += before
      counted(index, before)
    }
  }
  if (characters > TURN_LENGTH) {
    return countInTurns(count, uncounted, { characters, known, now, counted }).then((fresh) => tokens + fresh)
  }
  for (const { index, text, key } of uncounted) {
    const fresh = count(text)
    counted(index, fresh)
    if (key !== undefined) known.set(key, fresh)
    tokens += fresh
  }
  return tokens
}

/** Counts every nth piece of a very long prompt, and extrapolates. */
async function countInTurns(
  count: Count,
  texts: readonly Uncounted[],
  { characters, known, now, counted }: Required<CountOptions> & { characters: number },
): Promise<number> {
  const every = Math.ceil(characters / MAX_EXACT_LENGTH)
  let tokens = 0
  let seen = 0
  let position = 0
  let spent = 0
  let began = now()
  for (const { index, text, key } of texts) {
    const before = tokens
    for (let at = 0; at < text.length; ) {
      const end = sliceEnd(text, at)
      if (position++ % every === 0) {
        const piece = text.slice(at, end)
        tokens += spent > PROMPT_MS ? estimate(piece) : count(piece)
        seen += piece.length
      }
      at = end
      const turn = now() - began
      if (turn < TURN_MS) continue
      spent += Math.min(turn, MOST_TURN_MS)
      await nextTurn()
      began = now()
    }
    const isExact = every === 1 && spent <= PROMPT_MS
    if (!isExact) continue
    counted(index, tokens - before)
    if (key !== undefined) known.set(key, tokens - before)
  }
  return every === 1 ? Math.ceil(tokens) : Math.ceil((tokens / seen) * characters)
}

/** Higher than for nearly all texts: three tokens per four bytes. */
const estimate = (text: string): number => Buffer.byteLength(text) * 0.75
