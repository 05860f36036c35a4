import { hash } from 'node:crypto'
import type { Json } from '../plugin.ts'
import type { JsonObject } from './store.ts'

/**
 * JSON Canonicalization Scheme, RFC 8785: members sorted by UTF-16 code units, no white space. Numbers and strings are
 * as ECMAScript writes them, which is what the RFC prescribes; a lone surrogate, which it forbids, becomes U+FFFD.
 * Members that are undefined are left out, as JSON.stringify does.
 */
export function canonicalize(value: Json | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed())
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value !== 'object' || value === null) return String(value ?? null)
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`
  const shape = shapeOf(value)
  return `{${members(value, shape, 0, shape.sorted.length).slice(0, -1)}}`
}

/** A part of the members, each with a comma behind it. */
function members(object: JsonObject, { sorted, quoted }: Shape, from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) {
    const value = object[sorted[i]!]
    if (value !== undefined) text += `${quoted[i]}${canonicalize(value)},`
  }
  return text
}

/** How objects with these keys are written: sorting them anew each time takes longer than the writing. */
interface Shape {
  readonly keys: readonly string[]
  readonly sorted: readonly string[]
  /** The sorted keys as JSON, with a colon. */
  readonly quoted: readonly string[]
}

/** By number of keys; few enough that whoever makes up keys fills no memory. */
const shapes = new Map<number, Shape[]>()
const MOST_SHAPES = 16
const MOST_KEYS = 64

function shapeOf(object: JsonObject): Shape {
  const keys = Object.keys(object)
  const known = shapes.get(keys.length)
  const found = known?.find((shape) => shape.keys.every((key, i) => key === keys[i]))
  if (found !== undefined) return found
  // Sorted as they are written: with lone surrogates they would not be in order, or twice the same, once read back.
  const written = new Map(keys.map((key) => [key.toWellFormed(), key]))
  const names = [...written.keys()].toSorted()
  const sorted = names.map((name) => written.get(name)!)
  const shape = { keys, sorted, quoted: names.map((name) => `${JSON.stringify(name)}:`) }
  if (known !== undefined && known.length < MOST_SHAPES) known.push(shape)
  else if (known === undefined && keys.length <= MOST_KEYS) shapes.set(keys.length, [shape])
  return shape
}

export interface Head {
  seq: number
  hash: string
}

/** Adds instance, seq, prev_hash and hash; returns the record's canonical text and moves the head. */
export function stamp(event: JsonObject, instance: string, head: Head): string {
  const record = { ...event, hash: '', instance, prev_hash: head.hash, seq: head.seq + 1 }
  const shape = shapeOf(record)
  const at = shape.sorted.indexOf('hash')
  const first = `{${members(record, shape, 0, at)}`
  const last = `${members(record, shape, at + 1, shape.sorted.length).slice(0, -1)}}`
  head.seq = record.seq
  head.hash = hash('sha256', first + last)
  return `${first}"hash":"${head.hash}",${last}`
}

/**
 * Checks one record against the chain before it: undefined if it fits, else what is wrong. Moves the head either way, so
 * that one altered record is reported once.
 */
export function verify(record: JsonObject, head: Head): string | undefined {
  const { hash: claimed, ...rest } = record
  const digest = hash('sha256', canonicalize(rest))
  const problem =
    record.seq !== head.seq + 1
      ? `seq is ${String(record.seq)} where ${head.seq + 1} belongs`
      : record.prev_hash !== head.hash
        ? 'prev_hash is not the hash of the record before'
        : claimed !== digest
          ? 'hash does not fit the content'
          : undefined
  head.seq = typeof record.seq === 'number' ? record.seq : head.seq + 1
  head.hash = typeof claimed === 'string' ? claimed : digest
  return problem
}
