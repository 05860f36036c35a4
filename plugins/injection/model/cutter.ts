/** The pass of `features.ts` over the characters of a text, as WebAssembly: it takes half the time. */
import { type WasmExports, wasm } from 'governed-gateway/kit'

/** Signs between two words, by strength. Letters are above: by their folded character. */
export const BLANK = 0
export const BREAK = 5
export const LETTER = 0x30
const PAGE = 64 * 1024
/** Of `folded`, and of `kept`. */
const FOLDED = 2 * 0x10000
const KEPT = 128
/** Bytes for each character: its unit, and of a word the offset, both hashes and the sign. */
const UNIT = 2
const WORD = 4 + 4 + 4 + 1

/** What a text was cut into. Valid until the next text is cut. */
export interface Cut {
  readonly count: number
  /** Offset of each word. */
  readonly starts: Int32Array
  /** After two zeros: hashes of the folded characters, and of the consonants. */
  readonly words: Int32Array
  readonly bones: Int32Array
  /** The strongest sign before each word. */
  readonly signs: Uint8Array
}

interface Functions {
  cut(text: number, length: number, starts: number, words: number, bones: number, signs: number): number
}

export class Cutter {
  readonly #exports: WasmExports<Functions>
  #most = 0
  #text = Buffer.alloc(0)
  #units = new Uint16Array(0)
  #cut = {
    count: 0,
    starts: new Int32Array(0),
    words: new Int32Array(2),
    bones: new Int32Array(2),
    signs: new Uint8Array(0),
  }

  /**
   * @param folded by UTF-16 unit: a sign, or a letter without case and accent
   * @param kept by folded character of ASCII, 1 for those of which `bones` are made
   */
  constructor(folded: Uint16Array, kept: Uint8Array) {
    this.#exports = make()
    const { buffer } = this.#exports.memory
    new Uint16Array(buffer, 0, folded.length).set(folded)
    new Uint8Array(buffer, FOLDED, KEPT).set(kept)
  }

  of(text: string): Cut {
    const { length } = text
    if (length >= this.#most) this.#grow(length + 1)
    this.#text.write(text, 'utf16le')
    // A sign that ends the last word.
    this.#units[length] = 0
    const { starts, words, bones, signs } = this.#cut
    this.#cut.count = this.#exports.cut(
      this.#text.byteOffset,
      length,
      starts.byteOffset,
      words.byteOffset,
      bones.byteOffset,
      signs.byteOffset,
    )
    return this.#cut
  }

  #grow(least: number): void {
    // A multiple of four: all arrays begin where their numbers may stand.
    const most = 2 ** Math.ceil(Math.log2(Math.max(1024, least)))
    const { memory } = this.#exports
    const missing = FOLDED + KEPT + most * (UNIT + WORD) + 4 * 4 - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE))
    const { buffer } = memory
    const starts = FOLDED + KEPT
    const words = starts + 4 * most
    const bones = words + 4 * (most + 2)
    const units = bones + 4 * (most + 2)
    this.#most = most
    this.#text = Buffer.from(buffer, units, UNIT * most)
    this.#units = new Uint16Array(buffer, units, most)
    this.#cut = {
      count: 0,
      starts: new Int32Array(buffer, starts, most),
      words: new Int32Array(buffer, words, most + 2),
      bones: new Int32Array(buffer, bones, most + 2),
      signs: new Uint8Array(buffer, units + UNIT * most, most),
    }
  }
}

const SOURCE = `
;; Whether a character is a word by itself: Thai, kana and ideographs. Only for 0x0e00 and above.
(func $alone (param $c i32) (result i32)
  (i32.or
    (i32.le_u (local.get $c) (i32.const 0x0e7f))
    (i32.or
      (i32.lt_u (i32.sub (local.get $c) (i32.const 0x3040)) (i32.const 0xc0))
      (i32.lt_u (i32.sub (local.get $c) (i32.const 0x3400)) (i32.const 0x6c00)))))

;; The folded character at an address.
(func $folded (param $at i32) (result i32)
  (i32.load16_u (i32.shl (i32.load16_u (local.get $at)) (i32.const 1))))

;; The last step of a hash.
(func $mixed (param $hash i32) (result i32)
  (i32.mul (i32.xor (local.get $hash) (i32.shr_u (local.get $hash) (i32.const 15))) (i32.const 0x85ebca6b)))

;; Returns the number of words.
(func $cut (export "cut")
  (param $text i32) (param $length i32) (param $starts i32) (param $words i32) (param $bones i32) (param $signs i32)
  (result i32)
  (local $at i32) (local $end i32) (local $count i32) (local $sign i32) (local $code i32)
  (local $word i32) (local $bone i32) (local $last i32) (local $kept i32) (local $isAlone i32)
  (local.set $at (local.get $text))
  (local.set $end (i32.add (local.get $text) (i32.shl (local.get $length) (i32.const 1))))
  (local.set $sign (i32.const ${BREAK}))
  (local.set $code (call $folded (local.get $at)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (if (i32.lt_u (local.get $code) (i32.const ${LETTER}))
        (then
          (local.set $sign (select (local.get $code) (local.get $sign) (i32.gt_u (local.get $code) (local.get $sign))))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (local.set $code (call $folded (local.get $at)))
          (br $next)))
      (i32.store
        (i32.add (local.get $starts) (i32.shl (local.get $count) (i32.const 2)))
        (i32.shr_u (i32.sub (local.get $at) (local.get $text)) (i32.const 1)))
      (i32.store8 (i32.add (local.get $signs) (local.get $count)) (local.get $sign))
      (local.set $sign (i32.const ${BLANK}))
      (local.set $word (i32.const 0x811c9dc5))
      (local.set $bone (i32.const 0x9e3779b9))
      (local.set $last (i32.const 0))
      (block $ended
        (loop $letter
          (local.set $word (i32.mul (i32.xor (local.get $word) (local.get $code)) (i32.const 0x01000193)))
          ;; All beyond ASCII, and consonants that are not the same again.
          (local.set $kept
            (i32.or
              (i32.ge_u (local.get $code) (i32.const 128))
              (i32.and
                (i32.ne (local.get $code) (local.get $last))
                (i32.load8_u offset=${FOLDED} (i32.and (local.get $code) (i32.const 127))))))
          (local.set $bone
            (select
              (i32.mul (i32.xor (local.get $bone) (local.get $code)) (i32.const 0x01000193))
              (local.get $bone)
              (local.get $kept)))
          (local.set $last (select (local.get $code) (local.get $last) (local.get $kept)))
          (local.set $isAlone (i32.const 0))
          (if (i32.ge_u (local.get $code) (i32.const 0x0e00))
            (then (local.set $isAlone (call $alone (local.get $code)))))
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (local.set $code (call $folded (local.get $at)))
          (br_if $ended (local.get $isAlone))
          (if (i32.ge_u (local.get $code) (i32.const 0x0e00))
            (then (br_if $ended (call $alone (local.get $code)))))
          (br_if $letter (i32.ge_u (local.get $code) (i32.const ${LETTER})))))
      (i32.store offset=8
        (i32.add (local.get $words) (i32.shl (local.get $count) (i32.const 2)))
        (call $mixed (local.get $word)))
      (i32.store offset=8
        (i32.add (local.get $bones) (i32.shl (local.get $count) (i32.const 2)))
        (call $mixed (local.get $bone)))
      (local.set $count (i32.add (local.get $count) (i32.const 1)))
      (br $next)))
  (local.get $count))
`

const make = wasm<Functions>(SOURCE, Math.ceil((FOLDED + KEPT) / PAGE))
