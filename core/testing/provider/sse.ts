/** Server-sent events in every spelling that providers use, and the ways to cut the bytes. */

export interface Framing {
  /** Line end, default `\n`. */
  eol?: '\n' | '\r\n' | '\r'
  /** The space after `data:`, default true. */
  space?: boolean
}

/** Bytes that go on the wire as they are. */
export class Raw {
  readonly bytes: Buffer

  constructor(bytes: string | Uint8Array) {
    this.bytes = Buffer.from(bytes as string)
  }
}

/** Sends bytes without framing: comments, broken lines, half an event. */
export const raw = (bytes: string | Uint8Array): Raw => new Raw(bytes)

/** A comment block, the keep-alive of many providers. */
export const comment = (text: string): Raw => raw(`: ${text}\n\n`)

/** An event with an `event:` line. */
export const named = (event: string, payload: unknown): Raw => raw(`event: ${event}\n${frame(payload, {})}`)

/** One event. A text is the payload itself; its line breaks make several `data:` lines. */
export function frame(payload: unknown, framing: Framing): string {
  const eol = framing.eol ?? '\n'
  const field = framing.space === false ? 'data:' : 'data: '
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload)
  const lines = text.split('\n').map((line) => field + line)
  return lines.join(eol) + eol + eol
}

/**
 * How the bytes are cut into writes: one for each event, all that is ready at once, each byte, after the given byte
 * offsets of the stream, or in pieces of a random length up to `max` (default 16) that a seed fixes.
 */
export type Split = 'event' | 'whole' | 'byte' | readonly number[] | { seed: number; max?: number }

/** Cuts `bytes`, which are at `position` of the stream. */
export function cut(bytes: Buffer, position: number, split: Split): Buffer[] {
  if (split === 'event' || split === 'whole') return [bytes]
  if (split === 'byte') return pieces(bytes, () => 1)
  if (isOffsets(split)) return cutAt(bytes, position, split)
  const random = generator(split.seed + position)
  const max = split.max ?? 16
  return pieces(bytes, () => 1 + Math.floor(random() * max))
}

const isOffsets = (split: Split): split is readonly number[] => Array.isArray(split)

function pieces(bytes: Buffer, size: () => number): Buffer[] {
  const out: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + size()
    out.push(bytes.subarray(at, end))
    at = end
  }
  return out
}

function cutAt(bytes: Buffer, position: number, offsets: readonly number[]): Buffer[] {
  const inside = offsets.map((offset) => offset - position).filter((at) => at > 0 && at < bytes.length)
  const edges = [0, ...inside.sort((a, b) => a - b), bytes.length]
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end))
}

/** mulberry32, by Tommy Ettinger: enough for cutting bytes, and the same on every machine. */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
