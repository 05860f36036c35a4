import { BACKSLASH } from './characters.ts'

const BELL = 7
const CANCEL = 0x18
const SUBSTITUTE = 0x1a
const ESCAPE = 0x1b
/** One character for `ESC \\`, in the C1 set. */
const STRING_END = 0x9c
/** What is after ESC, or in the C1 set without it, before a string: `P`, `X`, `]`, `^` and `_`. */
const STRINGS: ReadonlySet<number> = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f])
const C1 = 0x40

/** Follows what a terminal takes as a command and nobody reads: the destination of a link (OSC 8), a title, a picture. */
export class Terminal {
  #inString = false
  #escaped = false

  get danger(): boolean {
    return this.#inString
  }

  take(c: number): void {
    if (!this.#escaped && c >= 0x20 && c < 0x80) return
    const isSecond = this.#escaped
    this.#escaped = c === ESCAPE
    if (isSecond) this.#inString = STRINGS.has(c) || (this.#inString && c !== BACKSLASH)
    else if (STRINGS.has(c - C1) && c >= 0x80) this.#inString = true
    else if (c === BELL || c === STRING_END || c === CANCEL || c === SUBSTITUTE) this.#inString = false
  }
}
