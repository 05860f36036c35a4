/** Source text kept in the pieces it arrived in. Concatenating each new piece would copy all waiting text again. */
export class RawText {
  /** The first piece; most texts are released before a second piece arrives. */
  #first = ''
  #firstStart = 0
  #pieces: string[] = []
  /** Start of each piece in the whole field. */
  #starts: number[] = []
  /** Index of the first piece that was not dropped. */
  #head = 0
  end = 0
  readonly #kept: number
  /** The last characters that were dropped, and where they end. */
  #before = ''
  #dropped = 0

  /** @param kept how many characters stay that were dropped last */
  constructor(kept: number) {
    this.#kept = kept
  }

  push(piece: string): void {
    if (this.#first === '' && this.#pieces.length === 0) {
      this.#first = piece
      this.#firstStart = this.end
    } else {
      this.#pieces.push(piece)
      this.#starts.push(this.end)
    }
    this.end += piece.length
  }

  /** The text between two positions in the field, or the part of it that is present. */
  slice(start: number, stop: number): string {
    if (start >= this.#dropped) return this.#present(start, stop)
    const before = this.#before.slice(start - this.#dropped, Math.min(0, stop - this.#dropped) || undefined)
    return stop > this.#dropped ? before + this.#present(this.#dropped, stop) : before
  }

  #present(start: number, stop: number): string {
    let out =
      start < this.#firstStart + this.#first.length
        ? this.#first.slice(start - this.#firstStart, stop - this.#firstStart)
        : ''
    for (let i = this.#pieceAt(start); i < this.#pieces.length; i++) {
      const at = this.#starts[i]!
      if (at >= stop) break
      out += this.#pieces[i]!.slice(Math.max(0, start - at), stop - at)
    }
    return out
  }

  /** Drops what is left of a position. */
  dropBefore(position: number): void {
    const gone = this.slice(Math.max(this.#dropped, position - this.#kept), position)
    this.#before = gone.length >= this.#kept ? gone : (this.#before + gone).slice(-this.#kept)
    this.#dropped = position
    if (position >= this.#firstStart + this.#first.length) this.#first = ''
    const n = this.#pieces.length
    if (n === 0) return
    if (position >= this.end) this.#head = n
    else while (this.#head + 1 < n && this.#starts[this.#head + 1]! <= position) this.#pieces[this.#head++] = ''
    if (this.#head === n) {
      this.#pieces.length = 0
      this.#starts.length = 0
    } else if (this.#head > 64 && this.#head * 2 > n) {
      this.#pieces.splice(0, this.#head)
      this.#starts.splice(0, this.#head)
    } else return
    this.#head = 0
  }

  /** Removes and returns the text right of a position. */
  takeFrom(position: number): string {
    const out = this.slice(position, this.end)
    while (this.end > position && this.#pieces.length > this.#head) {
      const start = this.#starts.pop()!
      const piece = this.#pieces.pop()!
      this.end = start
      if (start < position) this.push(piece.slice(0, position - start))
    }
    if (this.end > position) {
      this.#first = this.#first.slice(0, position - this.#firstStart)
      this.end = position
    }
    return out
  }

  #pieceAt(position: number): number {
    let low = this.#head
    let high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]! <= position) low = middle + 1
      else high = middle
    }
    return Math.max(this.#head, low - 1)
  }
}
