import { hash } from 'node:crypto'
import type { Json } from '../plugin.ts'
import type { JsonObject } from './store.ts'

/**
 * JSON Canonicalization Scheme, RFC 8785: members sorted by UTF-16 code units, no white space. Numbers and strings are
 * as ECMAScript writes them, which is what the RFC prescribes; a lone surrogate, which it forbids, becomes U+FFFD.
 * Members that are undefined are left out, as JSON.stringify does.
 */
export function canonicalize(value: Json | undefined): string {
  if (typeof value === 'string') return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed())
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`
  let out = ''
  for (const key of Object.keys(value).sort()) {
    const member = value[key]
    if (member === undefined) continue
    out += `${out === '' ? '{' : ','}${canonicalize(key)}:${canonicalize(member)}`
  }
  return out === '' ? '{}' : `${out}}`
}

export interface Head {
  seq: number
  hash: string
}

/** Adds instance, seq, prev_hash and hash; returns the record's canonical text and moves the head. */
export function stamp(event: JsonObject, instance: string, head: Head): string {
  const record: JsonObject = { ...event, instance, seq: head.seq + 1, prev_hash: head.hash, hash: '' }
  const before: string[] = []
  const after: string[] = []
  for (const key of Object.keys(record).sort()) {
    const member = record[key]
    if (member === undefined || key === 'hash') continue
    ;(key < 'hash' ? before : after).push(`${canonicalize(key)}:${canonicalize(member)}`)
  }
  const digest = hash('sha256', `{${[...before, ...after].join(',')}}`)
  head.seq += 1
  head.hash = digest
  return `{${[...before, `"hash":"${digest}"`, ...after].join(',')}}`
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
