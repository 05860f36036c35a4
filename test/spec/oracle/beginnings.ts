/** Texts that are told before their deltas: whole, their first piece, or another text; some providers send no deltas then. */
import type { JsonObject } from './places-in.ts'
import type { Members } from './places-out.ts'
import type { Beat } from './places-out-messages.ts'

export const BEGINNINGS = ['begins-full', 'begins-half', 'begins-other', 'begins-alone'] as const
export type Beginning = (typeof BEGINNINGS)[number]

export const isBeginning = (ending: string): ending is Beginning => (BEGINNINGS as readonly string[]).includes(ending)

/** Another text. All clients join the deltas to it, so it ends with a blank. */
const OTHER = 'x9 '
const TEXTS = new Set(['text', 'refusal', 'arguments', 'input', 'code', 'diff', 'command', 'stdout', 'stderr'])

/** The same with other texts that grow. */
function withTexts(value: unknown, change: (text: string) => string, isText = false): unknown {
  if (typeof value === 'string') return isText ? change(value) : value
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change, isText))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withTexts(one, change, TEXTS.has(key) || key === 'commands')]),
  )
}

const PLACE = ['output_index', 'content_index', 'summary_index', 'command_index']
const isSame = (a: JsonObject, b: JsonObject): boolean => PLACE.every((at) => a[at] === b[at])
const isDelta = ({ type }: JsonObject): boolean => String(type).endsWith('.delta')

/** The events of a response whose items and parts begin like that. */
export function responseBegun(events: readonly JsonObject[], beginning: Beginning): JsonObject[] {
  const gone = new Set<JsonObject>()
  let others = 0
  const begun = events.map((event) => {
    const type = String(event.type)
    const end = events.find((one) => one.type === type.replace(/added$/, 'done') && isSame(one, event))
    if (!type.endsWith('.added') || end === undefined) return event
    const deltas = events.filter((one) => isDelta(one) && one.output_index === event.output_index)
    const [first] = deltas
    const isItem = event.item !== undefined
    if (beginning === 'begins-half' && (!isItem || typeof first?.delta !== 'string')) return event
    if (beginning === 'begins-half') gone.add(first as JsonObject)
    if (beginning === 'begins-alone') for (const delta of deltas) gone.add(delta)
    let at = 0
    const texts: Record<Beginning, (text: string) => string> = {
      'begins-full': (text) => text,
      'begins-alone': (text) => text,
      // Behind the first text it would take the value apart.
      'begins-other': () => (others++ === 0 ? OTHER : ''),
      'begins-half': () => (at++ === 0 ? String(first?.delta) : ''),
    }
    const { item, part, command } = withTexts(end, texts[beginning]) as JsonObject
    return {
      ...event,
      ...(isItem && { item: { ...(item as JsonObject), status: 'in_progress' } }),
      ...(event.part !== undefined && { part: part ?? null }),
      ...(event.command !== undefined && { command: command ?? '' }),
    }
  })
  return begun.filter((_, at) => !gone.has(events[at] as JsonObject))
}

const MEMBERS: Readonly<Record<string, string>> = { text: 'text', thinking: 'thinking', compaction: 'content' }

/**
 * Blocks of a message that begin like that. Behind the first one, another text would take the value apart; and the first half
 * of a value, told twice, is no value.
 */
export const blocksBegun = (beats: readonly Beat[], beginning: Beginning): Beat[] => {
  const kinds = beats.map((beat) => ('start' in beat ? beat.start.type : ''))
  const isApart = (at: number): boolean =>
    (beginning === 'begins-other' && at > 0) ||
    (beginning === 'begins-full' && kinds.some((kind, other) => other !== at && kind === kinds[at]))
  return beats.map((beat, at) => (isApart(at) ? beat : blockBegun(beat, beginning)))
}

/** All clients join the deltas to the beginning, so a blank stands between two texts. No value stands elsewhere in such a block. */
function blockBegun(beat: Beat, beginning: Beginning): Beat {
  if ('event' in beat) return beat
  const { start, deltas } = beat
  const member = MEMBERS[String(start.type)]
  const told = member === undefined ? [] : deltas.filter((delta) => typeof delta[member] === 'string')
  const isPlain = told.every((delta) => Object.keys(delta).every((key) => key === 'type' || key === member))
  if (member === undefined || told.length === 0 || !isPlain || start[member]) return beat
  const all = told.map((delta) => delta[member]).join('')
  const gone = beginning === 'begins-half' ? told.slice(0, 1) : beginning === 'begins-alone' ? told : []
  const text =
    { 'begins-half': String(told[0]?.[member]), 'begins-other': OTHER, 'begins-alone': all }[beginning as string] ??
    `${all} `
  return { start: { ...start, [member]: text }, deltas: deltas.filter((delta) => !gone.includes(delta)) }
}

/** The message of the first event of a chat, and the deltas behind it. */
export function chatBegun(
  texts: readonly Members[],
  beginning: Beginning,
): { readonly message: JsonObject; readonly rest: readonly Members[] } {
  const names = new Set(texts.flatMap(({ delta = {} }) => Object.keys(delta)))
  const isText = texts.every(({ delta = {} }) => Object.values(delta).every((text) => typeof text === 'string'))
  // Texts of several members and of lists stand in another order in a message.
  if (names.size !== 1 || !isText) return { message: { role: 'assistant' }, rest: texts }
  const all: Record<string, string> = {}
  for (const { delta = {} } of beginning === 'begins-half' ? texts.slice(0, 1) : texts)
    for (const [key, text] of Object.entries(delta)) if (typeof text === 'string') all[key] = (all[key] ?? '') + text
  const other = beginning === 'begins-other' ? Object.fromEntries(Object.keys(all).map((key) => [key, OTHER])) : all
  const gone = beginning === 'begins-half' ? 1 : beginning === 'begins-alone' ? texts.length : 0
  return { message: { ...other, role: 'assistant' }, rest: texts.slice(gone) }
}
