/** What most texts have none or little of, found sixteen characters at once. */
import { wasm } from '../util/wat.ts'
import { SEAM_CODE } from './parted-runs.ts'
import { MIN } from './run-decoding.ts'

/** Lengths of texts that are looked at: a copy of a shorter one takes longer than a search. */
const LEAST = 64
const MOST = 64 * 1024
const PAGE = 64 * 1024
/** Characters that are read at once, some of them after the text. */
const AT_ONCE = 16
/** The places of a row's beginning among 32 characters where its end is among the last 16. */
const NEW_ROWS = 0xffff << (AT_ONCE - MIN + 1)

interface Functions {
  /** The first character that is neither printable ASCII nor white space, by `from` and `end` in bytes; -1 if there is none. */
  unusual(end: number): number
  row(from: number, end: number): number
}

/** Whether a text is looked at. */
export const isGlancedAt = ({ length }: string): boolean => length >= LEAST && length <= MOST

class Glance {
  readonly #functions = make()
  readonly #bytes = Buffer.from(this.#functions.memory.buffer)

  /** The text that the functions read. */
  show(text: string): void {
    const end = this.#bytes.write(text, 'utf16le')
    this.#bytes.fill(0, end, end + 2 * AT_ONCE)
  }

  unusual(length: number): number {
    return this.#functions.unusual(2 * length)
  }

  row(from: number, length: number): number {
    return this.#functions.row(2 * from, 2 * length)
  }
}

let glance: Glance | undefined

/** Index of the first character that is neither printable ASCII nor white space; -1 if there is none. */
export function firstUnusual(text: string): number {
  glance ??= new Glance()
  glance.show(text)
  return glance.unusual(text.length)
}

/**
 * Finds rows of {@link MIN} characters of base64 or hex, with seams among them.
 *
 * @returns from a position on, a character of the first row that begins there or later; the length of the text if there is none.
 *   Valid until the next text is looked at.
 */
export function rowsOf(text: string): (from: number) => number {
  glance ??= new Glance()
  const looked = glance
  const { length } = text
  looked.show(text)
  return (from) => {
    const at = from < length ? looked.row(from, length) : -1
    return at < 0 ? length : at
  }
}

const SOURCE = `
;; The bytes of sixteen characters at an address; 255 for all above.
(func $bytes (param $at i32) (result v128)
  (i8x16.narrow_i16x8_u
    (i16x8.min_u (v128.load (local.get $at)) (i16x8.splat (i32.const 255)))
    (i16x8.min_u (v128.load offset=16 (local.get $at)) (i16x8.splat (i32.const 255)))))

;; Which bytes are from one on so many.
(func $among (param $bytes v128) (param $first i32) (param $count i32) (result v128)
  (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (local.get $first))) (i8x16.splat (local.get $count))))

(func $unusual (export "unusual") (param $end i32) (result i32)
  (local $at i32) (local $bytes v128) (local $found i32)
  (loop $next
    (local.set $bytes (call $bytes (local.get $at)))
    (local.set $found
      (i32.xor
        (i8x16.bitmask
          (v128.or
            (call $among (local.get $bytes) (i32.const 0x20) (i32.const 0x5f))
            (call $among (local.get $bytes) (i32.const 0x09) (i32.const 5))))
        (i32.const 0xffff)))
    (if (local.get $found)
      (then
        (local.set $at (i32.add (local.get $at) (i32.shl (i32.ctz (local.get $found)) (i32.const 1))))
        (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const -1))))
        (return (i32.shr_u (local.get $at) (i32.const 1)))))
    (local.set $at (i32.add (local.get $at) (i32.const ${2 * AT_ONCE})))
    (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
  (i32.const -1))

;; Which of sixteen characters are of a run, or a seam.
(func $ofRun (param $at i32) (result i32)
  (local $bytes v128)
  (local.set $bytes (call $bytes (local.get $at)))
  (i8x16.bitmask
    (v128.or
      (v128.or
        (call $among (v128.or (local.get $bytes) (i8x16.splat (i32.const 0x20))) (i32.const 0x61) (i32.const 26))
        (call $among (local.get $bytes) (i32.const 0x2f) (i32.const 11)))
      (v128.or
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x2b)))
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x2d))))
        (v128.or
          (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5f)))
          (i8x16.narrow_i16x8_s
            (i16x8.eq (v128.load (local.get $at)) (i16x8.splat (i32.const ${SEAM_CODE})))
            (i16x8.eq (v128.load offset=16 (local.get $at)) (i16x8.splat (i32.const ${SEAM_CODE})))))))))

(func $row (export "row") (param $at i32) (param $end i32) (result i32)
  (local $bits i32) (local $rows i32)
  (loop $next
    ;; One bit for each of the last 32 characters, the last one highest.
    (local.set $bits
      (i32.or (i32.shr_u (local.get $bits) (i32.const 16)) (i32.shl (call $ofRun (local.get $at)) (i32.const 16))))
    ;; Those with which two, four, eight and ten in a row begin.
    (local.set $rows (i32.and (local.get $bits) (i32.shr_u (local.get $bits) (i32.const 1))))
    (local.set $rows (i32.and (local.get $rows) (i32.shr_u (local.get $rows) (i32.const 2))))
    (local.set $rows (i32.and (local.get $rows) (i32.shr_u (local.get $rows) (i32.const 4))))
    (local.set $rows (i32.and (local.get $rows) (i32.shr_u (local.get $rows) (i32.const 2))))
    (local.set $rows (i32.and (local.get $rows) (i32.const ${NEW_ROWS})))
    (if (local.get $rows)
      (then
        (return
          (i32.add
            (i32.sub (i32.shr_u (local.get $at) (i32.const 1)) (i32.const 16))
            (i32.ctz (local.get $rows))))))
    (local.set $at (i32.add (local.get $at) (i32.const ${2 * AT_ONCE})))
    (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
  (i32.const -1))
`

const make = wasm<Functions>(SOURCE, Math.ceil((2 * MOST + 2 * AT_ONCE) / PAGE))
