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
const BRACKET = 0x5d
const LETTER_D = 0x64
/** `ESC ]`, or the same in the C1 set, in the spelling of JSON, a programming language or a shell; a number follows. */
const WRITTEN_START = /(?:\\(?:u(?:001b|\{1b\})|x(?:1b|\{1b\})|(0?33|e))\]|\\(?:u00|x)9d)$/i
/** What ends such a string; `\a` is no sign to all who read `\u001b`. */
const WRITTEN_END = /\\(?:u(?:0007|\{7\})|x07|0?07|(?:u00|x)9c|(a)|(?:u(?:001b|\{1b\})|x(?:1b|\{1b\})|0?33|e)\\)$/i
const LONGEST_SPELLING = 8

/** Follows what a terminal takes as a command and nobody reads: the destination of a link (OSC 8), a title, a picture. */
export class Terminal {
  #inString = false
  #escaped = false
  /** In a string whose beginning is written out. */
  #inWritten = false
  #ofShell = false

  get danger(): boolean {
    return this.#inString || this.#inWritten
  }

  take(c: number, text: string, at: number): void {
    if (!this.#escaped && c >= 0x20 && c < 0x80) return this.#takeWritten(c, text, at)
    if (c === BELL || c === STRING_END) this.#inWritten = false
    const isSecond = this.#escaped
    this.#escaped = c === ESCAPE
    if (isSecond) this.#inString = STRINGS.has(c) || (this.#inString && c !== BACKSLASH)
    else if (STRINGS.has(c - C1) && c >= 0x80) this.#inString = true
    else if (c === BELL || c === STRING_END || c === CANCEL || c === SUBSTITUTE) this.#inString = false
  }

  #takeWritten(c: number, text: string, at: number): void {
    if (this.#inWritten) {
      const end = WRITTEN_END.exec(text.slice(Math.max(0, at - LONGEST_SPELLING), at + 1))
      if (end !== null && (end[1] === undefined || this.#ofShell)) this.#inWritten = false
    } else if (c >= 0x30 && c <= 0x39) {
      const before = text.charCodeAt(at - 1)
      if (before !== BRACKET && (before | 0x20) !== LETTER_D) return
      const start = WRITTEN_START.exec(text.slice(Math.max(0, at - LONGEST_SPELLING), at))
      this.#inWritten = start !== null
      this.#ofShell = start?.[1] !== undefined
    }
  }
}
