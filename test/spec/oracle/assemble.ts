/** Puts together what a client can read: each text by its path, over all events of a stream. */

import { decode } from 'gpt-tokenizer/encoding/cl100k_base'
import { addShown } from './shown.ts'

/** Texts by path; a path that several events continue holds them joined. */
export type Texts = Map<string, string>

export interface Assembled {
  texts: Texts
  /** Whatever is no event: comments, names, ids, broken payloads. */
  rest: string[]
  events: unknown[]
  done: boolean
}

const append = (texts: Texts, path: string, text: string): void => {
  texts.set(path, (texts.get(path) ?? '') + text)
}

/** What a part of a value says, at its path in the whole: numbers belong to the text that the member said before, if any. */
function join(texts: Texts, path: string, text: string): void {
  const said = path.endsWith('#') ? path.slice(0, -1) : path
  if (said !== path && texts.has(said)) append(texts, said, text.replaceAll(' ', ''))
  else append(texts, path, text)
}

/** Each string, key and number at its path; indexes are those that the elements name, else their places. */
export function flatten(value: unknown, path: string, texts: Texts): void {
  if (typeof value === 'string') append(texts, path, value)
  else if (typeof value === 'number' && texts.has(path)) append(texts, path, String(value))
  else if (typeof value === 'number') append(texts, `${path}#`, `${value} `)
  else if (Array.isArray(value)) {
    if (value.length > 2 && value.every((n) => Number.isInteger(n) && n >= 0 && n < 100_256)) {
      if (value.every((n) => n < 256)) append(texts, `${path}(bytes)`, Buffer.from(value as number[]).toString())
      append(texts, `${path}(tokens)`, decode(value as number[]))
    }
    // Each once, for lists within lists.
    const parts = value.map((item) => {
      const part: Texts = new Map()
      flatten(item, '', part)
      return part
    })
    for (const [at, part] of parts.entries())
      for (const [rest, text] of part) join(texts, `${path}[${indexOf(value[at], at)}]${rest}`, text)
    // Calls with one index are told apart by their ids.
    for (const [at, part] of parts.entries()) {
      const id = idOf(value[at])
      if (id !== undefined) for (const [rest, text] of part) join(texts, `${path}[#${id}]${rest}`, text)
    }
    // Who joins the elements of a list joins those of all such lists.
    if (value.length > 1 || texts.has(`${path}[*]`)) {
      append(texts, `${path}[*]`, '')
      for (const part of parts) for (const [rest, text] of part) append(texts, `${path}[*]${rest}`, text)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      append(texts, `${path}{}`, `${key}\n`)
      flatten(inner, `${path}.${key}`, texts)
    }
  }
}

function indexOf(item: unknown, at: number): string {
  const named = typeof item === 'object' && item !== null && 'index' in item ? item.index : undefined
  return typeof named === 'number' || typeof named === 'string' ? String(named) : String(at)
}

function idOf(item: unknown): string | undefined {
  const named = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
  return typeof named === 'string' && named !== '' ? named : undefined
}

/** Parts and strings of one member are one text to whoever shows them. */
function joinForms(texts: Texts): void {
  const joined: Texts = new Map()
  for (const [path, text] of texts) {
    const short = path.replace(/\.(delta|message)\.(\w+)\[\w+\](\.\w+)?$/, '.$2').replace(/\.(delta|message)\./, '.')
    if (short !== path) append(joined, `~${short}`, text)
  }
  for (const [path, text] of joined) texts.set(path, text)
}

/** What a body says, as a stream or as a whole. */
export function assemble(body: string, isStream: boolean): Assembled {
  const out: Assembled = { texts: new Map(), rest: [], events: [], done: false }
  if (!isStream) {
    try {
      const value = JSON.parse(body)
      out.events.push(value)
      flatten(value, '', out.texts)
    } catch {
      out.rest.push(body)
    }
  } else for (const block of body.split(/\r\n\r\n|\n\n|\r\r/)) readBlock(block, out)
  joinForms(out.texts)
  addShown(out.events, out.texts)
  return out
}

/** Texts of events that have types go on in events of the same type, with the same indexes, of the same item, and with any. */
function flattenEvent(value: unknown, texts: Texts): void {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (typeof type !== 'string') return flatten(value, '', texts)
  const indexes = Object.entries(value as object).filter(([key]) =>
    /^(?:|output_|content_|summary_|command_)index$/.test(key),
  )
  flatten(value, type, texts)
  const { item_id: id } = value as { item_id?: unknown }
  if (typeof id === 'string') flatten(value, `${type}#${id}`, texts)
  if (indexes.length > 0) flatten(value, `${type}@${indexes.map(([, at]) => at).join('.')}`, texts)
}

function readBlock(block: string, out: Assembled): void {
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
    else if (line !== '') out.rest.push(line)
  }
  if (data.length === 0) return
  const payload = data.join('\n')
  if (payload === '[DONE]') out.done = true
  else {
    try {
      const value = JSON.parse(payload)
      out.events.push(value)
      flattenEvent(value, out.texts)
    } catch {
      out.rest.push(payload)
    }
  }
}
