/** A strict reader of CEF, by the standard's own tables: it judges what the encoder writes. */
import { readFileSync } from 'node:fs'
import { isIPv4, isIPv6 } from 'node:net'

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/cef/${name}`, import.meta.url), 'utf8'))

interface Key {
  readonly type: string
  readonly max?: number
  readonly since?: string
}

const tables = fixture('keys.json') as {
  header_max: Record<string, number>
  consumer_only_keys_never_send: string[]
  keys: Record<string, Key>
}

export const vectors = fixture('vectors.json') as {
  good: { name: string; line: string; header: Record<string, unknown>; extension: Record<string, string> }[]
  bad: { name: string; line: string }[]
  escape: { input: string; header: string; value: string }[]
}

export interface ParsedCef {
  readonly header: Readonly<Record<string, unknown>>
  readonly extension: Readonly<Record<string, string>>
}

const FIELD = '((?:[^|\\\\\\r\\n]|\\\\[|\\\\])*)'
const HEADER = new RegExp(`^CEF:(0|1)\\|${`${FIELD}\\|`.repeat(5)}(10|[0-9])\\|(.*)$`, 'u')
const PAIR = /^([A-Za-z0-9]+)=((?:[^=\\\r\n]|\\[=\\nr])*)$/u
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/** Throws with the first thing that is wrong. */
export function parseCef(line: string): ParsedCef {
  if (CONTROL.test(line)) throw new Error('control character')
  const match = HEADER.exec(line)
  if (match === null) throw new Error('header')
  const names = ['deviceVendor', 'deviceProduct', 'deviceVersion', 'deviceEventClassId', 'name']
  const header: Record<string, unknown> = { version: Number(match[1]) }
  for (const [i, name] of names.entries()) {
    const value = (match[i + 2] as string).replace(/\\([|\\])/g, '$1')
    if (value === '') throw new Error(`${name} is empty`)
    if (lengthOf(value) > (tables.header_max[name] as number)) throw new Error(`${name} is too long`)
    header[name] = value
  }
  header.severity = match[7]
  const extension = parseExtension(match[8] as string, match[1] as string)
  checkLabels(extension)
  return { header, extension }
}

function parseExtension(text: string, version: string): Record<string, string> {
  const extension: Record<string, string> = {}
  if (text === '') return extension
  for (const part of text.split(/ (?=[A-Za-z0-9_.[\]-]+=)/)) {
    const pair = PAIR.exec(part)
    if (pair === null) throw new Error(`extension syntax: ${part}`)
    const [, key, written] = pair as unknown as [string, string, string]
    if (Object.hasOwn(extension, key)) throw new Error(`duplicate key ${key}`)
    const value = written.replace(/\\([=\\nr])/g, (_, c: string) => (c === 'n' ? '\n' : c === 'r' ? '\r' : c))
    checkValue(key, value, version)
    extension[key] = value
  }
  return extension
}

function checkValue(key: string, value: string, version: string): void {
  if (value === '') throw new Error(`${key} is empty`)
  if (value !== value.trim()) throw new Error(`${key} has a space at an end`)
  if (tables.consumer_only_keys_never_send.includes(key)) throw new Error(`${key} is the receiver's`)
  const known = tables.keys[key]
  if (known === undefined) {
    if (!/^[A-Z][a-z]+[A-Z][A-Za-z0-9]*$/.test(key)) throw new Error(`unknown key ${key}`)
    return
  }
  if (known.since !== undefined && version === '0') throw new Error(`${key} needs CEF:1`)
  if (known.max !== undefined && lengthOf(value) > known.max) throw new Error(`${key} is too long`)
  if (!fits(key, known.type, value)) throw new Error(`${key} is no ${known.type}: ${value}`)
}

function fits(key: string, type: string, value: string): boolean {
  switch (type) {
    case 'integer':
    case 'long':
      return /^-?[0-9]+$/.test(value) && (!/^(spt|dpt)$/.test(key) || Number(value) <= 65535)
    case 'double':
      return /^-?[0-9]+(\.[0-9]+)?$/.test(value)
    case 'timestamp':
      return /^[0-9]{13}$/.test(value)
    case 'ipv4':
      return isIPv4(value)
    case 'ipv6':
      return isIPv6(value)
    default:
      return true
  }
}

function checkLabels(extension: Readonly<Record<string, string>>): void {
  const labels = new Set<string>()
  for (const [key, value] of Object.entries(extension)) {
    const base = key.replace(/Label$/, '')
    if (!/^(cs|cn|cfp|c6a|flexString|flexDate|deviceCustomDate)[0-9]$/.test(base)) continue
    if (extension[base] === undefined) throw new Error(`${key} without a value`)
    if (extension[`${base}Label`] === undefined) throw new Error(`${key} without a label`)
    if (key === base) continue
    if (labels.has(value)) throw new Error(`label ${value} twice`)
    labels.add(value)
  }
}

const lengthOf = (value: string): number => Array.from(value).length
