import { hash } from 'node:crypto'
import type { Json } from '../contract/plugin.ts'
import type { JsonObject } from '../contract/store.ts'

/** Characters that JSON.stringify escapes. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

/**
 * JSON Canonicalization Scheme, RFC 8785: members sorted by UTF-16 code units, no white space. Numbers and strings are
 * written as in ECMAScript, as the RFC requires; a lone surrogate, which it forbids, becomes U+FFFD. Other values
 * follow JSON.stringify: undefined members are omitted, dates become texts.
 *
 * @throws TypeError for a BigInt, RangeError for a circle and for what is nested too deeply
 */
export function canonicalize(value: Json | undefined): string {
  if (typeof value === 'string') return ESCAPED.test(value) ? JSON.stringify(value.toWellFormed()) : `"${value}"`
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${Array.from(value, canonicalize).join(',')}]`
  if (typeof value.toJSON === 'function') return canonicalize((value.toJSON as () => Json)())
  const shape = shapeOf(value)
  return `{${members(value, shape, 0, shape.sorted.length).slice(0, -1)}}`
}

/** Some of the members, each followed by a comma. */
function members(object: JsonObject, { sorted, quoted }: Shape, from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) {
    const value = object[sorted[i]!]
    if (isWritten(value)) text += `${quoted[i]}${canonicalize(value)},`
  }
  return text
}

const isWritten = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'

/** How to write objects with these keys: sorting them each time takes longer than writing. */
interface Shape {
  readonly keys: readonly string[]
  readonly sorted: readonly string[]
  /** The sorted keys as JSON, with a colon. */
  readonly quoted: readonly string[]
  /** Positions of the chain's members among the sorted keys. */
  readonly cuts: readonly number[]
}

/** By number of keys; bounded, so that invented keys cannot fill memory. */
const shapes = new Map<number, Shape[]>()
const MOST_SHAPES = 16
const MOST_KEYS = 64

function shapeOf(object: JsonObject): Shape {
  const keys = Object.keys(object)
  const known = shapes.get(keys.length)
  const found = known?.find((shape) => shape.keys.every((key, i) => key === keys[i]))
  if (found !== undefined) return found
  // Sort the written form: lone surrogates would otherwise be out of order, or duplicates, after parsing.
  const written = new Map(keys.map((key) => [key.toWellFormed(), key]))
  const names = [...written.keys()].toSorted()
  const sorted = names.map((name) => written.get(name)!)
  const cuts = CHAIN.map((own) => names.findIndex((name) => name >= own)).map((i) => (i < 0 ? names.length : i))
  const shape = { keys, sorted, quoted: names.map((name) => `${JSON.stringify(name)}:`), cuts }
  if (known !== undefined && known.length < MOST_SHAPES) known.push(shape)
  else if (known === undefined && keys.length <= MOST_KEYS) shapes.set(keys.length, [shape])
  return shape
}

export interface Head {
  seq: number
  hash: string
}

/** Members that a chain adds to an event, sorted. */
const CHAIN = ['hash', 'instance', 'prev_hash', 'seq'] as const

/**
 * Serialises an event for the writer of its chain: the members of its canonical text, with a line break, which JSON
 * never contains, at each position of a chain member.
 */
export function seal(event: JsonObject): string {
  const shape = shapeOf(event)
  const { sorted } = shape
  let text = ''
  let from = 0
  CHAIN.forEach((own, i) => {
    const cut = shape.cuts[i]!
    text += `${members(event, shape, from, cut)}\n`
    from = sorted[cut] === own ? cut + 1 : cut
  })
  return text + members(event, shape, from, sorted.length)
}

/**
 * Adds instance, seq, prev_hash and hash to a sealed event; returns the record's canonical text and advances the head.
 */
export function stamp(sealed: string, instance: string, head: Head): string {
  let end = -1
  const part = (): string => {
    const from = end + 1
    end = sealed.indexOf('\n', from)
    return sealed.slice(from, end < 0 ? undefined : end)
  }
  const first = `{${part()}`
  const others =
    `${part()}"instance":${canonicalize(instance)},${part()}"prev_hash":"${head.hash}",` +
    `${part()}"seq":${head.seq + 1},${part()}`
  const rest = `${others.slice(0, -1)}}`
  head.seq += 1
  head.hash = hash('sha256', first + rest)
  return `${first}"hash":"${head.hash}",${rest}`
}
