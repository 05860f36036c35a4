/** Cuts a text into lower-case words; each ideograph or kana is a word. Linear, no look-behind. */

export interface Words {
  readonly words: string[]
  /** Offsets of the first character of each word, and after its last. */
  readonly starts: number[]
  readonly ends: number[]
  /**
   * Position for distances: grows by one per word, and more at the end of a sentence, so that gaps do not cross
   * sentences.
   */
  readonly places: number[]
}

/** Distance that the end of a sentence or paragraph adds, in words. */
const SENTENCE = 3
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)*|[.!?。！？\n]/uy
const SINGLE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
const SCRIPTS =
  /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+/g
const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' }

/** Class of an ASCII character: 1 letter or digit, 2 end of a sentence, 3 apostrophe, 0 other. */
const KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  return /[A-Za-z0-9]/.test(char) ? 1 : /[.!?\n]/.test(char) ? 2 : char === "'" ? 3 : 0
})
const kindOf = (code: number): number => (code < 128 ? KIND[code]! : 4)

export function cutWords(text: string): Words {
  const out: Words = { words: [], starts: [], ends: [], places: [] }
  let place = 0
  let ended = false
  for (let i = 0; i < text.length; ) {
    const kind = kindOf(text.charCodeAt(i))
    if (kind === 0 || kind === 3) {
      i++
      continue
    }
    const end = kind === 1 ? asciiEnd(text, i) : kind === 2 ? i + 1 : -1
    if (kind === 1 && kindOf(text.charCodeAt(end)) !== 4) {
      push(out, plain(text.slice(i, end)), i, end, place++)
      ended = false
      i = end
      continue
    }
    WORD.lastIndex = i
    const match = WORD.exec(text)
    if (match === null) {
      i++
      continue
    }
    const word = match[0]
    if (/^[.!?。！？\n]$/.test(word)) {
      // A dot inside a number or name does not end a sentence.
      if (!ended && (word !== '.' || /\s/.test(text[i + 1] ?? ' '))) {
        place += word === '\n' && text[i + 1] !== '\n' ? 1 : SENTENCE
        ended = true
      }
    } else {
      ended = false
      place = pushRun(out, word, i, place)
    }
    i += word.length
  }
  return joinLetters(out)
}

function asciiEnd(text: string, at: number): number {
  let i = at
  while (i < text.length) {
    const kind = kindOf(text.charCodeAt(i))
    if (kind !== 1 && !(kind === 3 && kindOf(text.charCodeAt(i + 1)) === 1)) break
    i++
  }
  return i
}

/** Adds a run of letters of any script. Two ideographs count as about one word. */
function pushRun(out: Words, run: string, at: number, place: number): number {
  if (!SINGLE.test(run)) {
    push(out, plain(run), at, at + run.length, place)
    return place + 1
  }
  let next = place
  for (const match of run.matchAll(SCRIPTS)) {
    const single = SINGLE.test(match[0])
    push(out, single ? match[0] : plain(match[0]), at + match.index, at + match.index + match[0].length, next)
    next += single ? 0.5 : 1
  }
  return next
}

function push(out: Words, word: string, start: number, end: number, place: number): void {
  out.words.push(word)
  out.starts.push(start)
  out.ends.push(end)
  out.places.push(place)
}

/** Lower case, without apostrophes and accents; replaces digits in a word by the letters that they imitate. */
function plain(word: string): string {
  let out = word.toLowerCase()
  if (/^[a-z]+$/.test(out)) return out
  if (/['’]/.test(out)) out = out.replace(/['’]/g, '')
  if (/[0-9]/.test(out) && /[a-z]/.test(out)) out = out.replace(/[0-9]/g, (digit) => LEET[digit] ?? digit)
  return /[\u00c0-\u024f\u1e00-\u1eff]/.test(out)
    ? out.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/g, 'l').replace(/ı/g, 'i').replace(/đ/g, 'd')
    : out
}

/** Joins spaced letters: `i g n o r e` becomes `ignore`. Needs four single letters. */
function joinLetters(all: Words): Words {
  const { words, starts, ends, places } = all
  if (!hasRun(words)) return all
  const out: Words = { words: [], starts: [], ends: [], places: [] }
  // Letters joined into one word take one place.
  let saved = 0
  for (let i = 0; i < words.length; ) {
    let j = i
    while (j < words.length && /^[a-z]$/.test(words[j]!)) j++
    if (j - i >= 4) {
      // Letters of one word stand closer together than words: split at wider gaps.
      for (let k = i; k < j; ) {
        let end = k + 1
        const gap = (starts[k + 1] ?? 0) - ends[k]!
        while (end < j && starts[end]! - ends[end - 1]! <= gap) end++
        push(out, words.slice(k, end).join(''), starts[k]!, ends[end - 1]!, places[k]! - saved)
        saved += end - k - 1
        k = end
      }
      i = j
    } else {
      push(out, words[i]!, starts[i]!, ends[i]!, places[i]! - saved)
      i++
    }
  }
  return out
}

function hasRun(words: readonly string[]): boolean {
  let run = 0
  for (const word of words) {
    run = word.length === 1 && word >= 'a' && word <= 'z' ? run + 1 : 0
    if (run === 4) return true
  }
  return false
}
