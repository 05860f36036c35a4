/** Text views without a gateway around them. */
import { Inspection, type Reporter } from '../../core/engine/text/inspection.ts'
import { StreamView } from '../../core/engine/text/stream-view.ts'

export const origin = { channel: 'content', role: 'assistant', choice: 0, path: 'choices[0].delta.content' } as const
export const reporter = (more: Partial<Reporter> = {}): Reporter => ({
  name: 'p',
  governs: 'content',
  maxBuffered: 1_000_000,
  onHoldOverflow: 'block',
  monitored: false,
  onError: 'block',
  timeoutMs: 1000,
  ...more,
})

/** A streamed text: what came, what left. */
export class Stream {
  readonly inspection: Inspection
  readonly view: StreamView
  raw = ''
  out = ''
  /** Settled verdicts so far. */
  settled = 0

  constructor(inspection = new Inspection()) {
    this.inspection = inspection
    this.view = new StreamView(inspection, 0, origin, () => {
      this.settled++
    })
  }

  /** One read: new text, the taps, and what leaves. */
  read(text: string, final: boolean, ...taps: [Reporter, (view: StreamView) => void][]): this {
    this.raw += text
    this.view.append(text)
    if (final) this.view.final = true
    this.view.prepare()
    for (const [who, tap] of taps) {
      this.inspection.reporter = who
      tap(this.view)
      this.inspection.reporter = undefined
    }
    return this.settle()
  }

  settle(): this {
    const from = this.view.released
    this.view.settle()
    this.out += this.view.output(from, this.raw.slice(from, this.view.released))
    return this
  }
}

/** Pieces of one to five characters. */
export function cutAt(text: string, random: () => number): string[] {
  const out: string[] = []
  for (let at = 0; at < text.length; ) {
    const size = 1 + Math.floor(random() * 5)
    out.push(text.slice(at, at + size))
    at += size
  }
  return out
}

/** A text in two pieces, for each place where it can be cut. */
export const cuts = (text: string): [string, string][] =>
  Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)])

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
export const hex = (text: string): string => Buffer.from(text).toString('hex')
