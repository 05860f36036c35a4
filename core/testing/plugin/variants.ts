import type { Described, Script, Split } from '../provider.ts'
import { chat, chunks, every, type Step, stream, words } from '../provider.ts'
import type { PluginResult, PluginRig, TestRequest } from './rig.ts'

/** The ways to run a case. */
export type VariantName = 'buffered' | 'streamed' | 'bytes' | 'aborted'

export interface VariantCase {
  readonly request: TestRequest
  readonly headers: Readonly<Record<string, string>>
  /** Default `Hello from the provider`, for cases about the request. */
  readonly reply?: Described | Script | undefined
}

interface Whole extends VariantCase {
  readonly reply: Described | Script
}

const HELLO = 'Hello from the provider'

/** One run of a case: its name in failures, and its request. */
export interface Variant {
  readonly name: string
  readonly kind: VariantName
  run(rig: PluginRig): Promise<PluginResult>
}

/** All runs of a case. */
export function variantsOf(given: VariantCase, kinds: readonly VariantName[]): Variant[] {
  const reply = given.reply ?? HELLO
  const one = { ...given, reply, request: askingForAll({ ...given, reply }) }
  const out: Variant[] = []
  if (kinds.includes('buffered')) out.push(plain('buffered', 'buffered', one, one.reply, false))
  if (kinds.includes('streamed')) out.push(...cuts(one, given.reply === undefined))
  if (kinds.includes('bytes')) out.push(bytewise(one, given.reply === undefined))
  if (kinds.includes('aborted')) out.push(aborted(one))
  return out
}

/** Requests all choices of the reply: unrequested ones would make it invalid. */
function askingForAll({ request, reply }: Whole): TestRequest {
  const n = typeof reply === 'object' ? reply.choices.length : 1
  if (n < 2) return request
  return { n, ...(typeof request === 'string' ? { messages: [{ role: 'user', content: request }] } : request) }
}

const plain = (
  name: string,
  kind: VariantName,
  { request, headers }: Whole,
  reply: Described | Script,
  stream: boolean,
): Variant => ({ name, kind, run: (rig) => rig.send(request, { headers, reply, stream }) })

/** Splits every text of the reply into two deltas, after 1, 2, 3 … characters; the default reply only after words. */
function cuts(one: Whole, isDefault: boolean): Variant[] {
  const { reply } = one
  if (typeof reply === 'function') return [plain('streamed', 'streamed', one, reply, true)]
  const longest = Math.max(2, ...textsOf(reply).map((text) => [...text].length))
  const places = isDefault
    ? [...HELLO.matchAll(/ /g)].map(({ index }) => index)
    : Array.from({ length: longest - 1 }, (_, i) => i + 1)
  return places.map((place) => {
    const script = chat(reply, { pieces: (text) => cutAfter(text, place) })
    return plain(`streamed, cut after ${place}`, 'streamed', one, script, true)
  })
}

/** A turn of the event loop for each byte or two costs more than all other variants of the default reply. */
function bytewise(one: Whole, isDefault: boolean): Variant {
  const { reply } = one
  const split: Split = isDefault ? { seed: 1, max: 16 } : 'byte'
  const script = typeof reply === 'function' ? reply : chat(reply, { pieces: words, split })
  return plain(isDefault ? 'streamed in a few bytes each' : 'streamed byte by byte', 'bytes', one, script, true)
}

/** The client leaves after half of the reply; the other half never comes. */
function aborted({ request, headers, reply }: Whole): Variant {
  return {
    name: 'aborted midway',
    kind: 'aborted',
    run: async (rig) => {
      const half = Promise.withResolvers<void>()
      const script = typeof reply === 'function' ? reply : halfOf(reply, half.resolve)
      const leaveAfter = typeof reply === 'function' ? rig.provider.next() : half.promise
      const result = await rig.send(request, { headers, reply: script, stream: true, leaveAfter })
      await rig.provider.idle()
      return result
    },
  }
}

function halfOf(reply: Described, written: () => void): Script {
  const events = chunks(reply, { pieces: every(2) })
  const steps: Step[] = events.slice(0, Math.ceil(events.length / 2))
  return stream([...steps, () => {}, () => written()], { end: 'hang', done: false })
}

function cutAfter(text: string, count: number): string[] {
  const points = [...text]
  return [points.slice(0, count).join(''), points.slice(count).join('')].filter((piece) => piece !== '')
}

function textsOf(reply: Described): string[] {
  if (typeof reply === 'string') return [reply]
  return reply.choices.flatMap(({ content, reasoning, refusal, toolCalls = [] }) => [
    content ?? '',
    reasoning ?? '',
    refusal ?? '',
    ...toolCalls.map((call) => call.arguments),
  ])
}
