import { defineFact, type Exchange, type Json } from 'governed-gateway'
import { isJsonObject } from 'governed-gateway/kit'

/** How much a request says. Characters are UTF-16 units of message texts; images, audio and files have none. */
export interface Size {
  readonly messages: number
  readonly characters: number
  /** Characters of the longest message. */
  readonly longest: number
  readonly roles: ReadonlySet<string>
}

const sizeFact = defineFact<Size>('policy/size')

/** Counted once for all rules. */
export function sizeOf(x: Exchange): Size {
  const known = x.facts.get(sizeFact)
  if (known !== undefined) return known
  const messages = (x.request.json.messages as Json[]).filter(isJsonObject)
  const lengths = messages.map(lengthOf)
  const size: Size = {
    messages: messages.length,
    characters: lengths.reduce((sum, length) => sum + length, 0),
    longest: lengths.reduce((longest, length) => Math.max(longest, length), 0),
    roles: new Set(messages.map(({ role }) => String(role))),
  }
  x.facts.set(sizeFact, size)
  return size
}

/** Text of the content, and arguments of the calls that a message repeats. */
function lengthOf({ content, tool_calls: calls }: Record<string, Json>): number {
  let length = typeof content === 'string' ? content.length : 0
  if (Array.isArray(content)) for (const part of content) length += isJsonObject(part) ? textLength(part.text) : 0
  if (Array.isArray(calls)) for (const call of calls) length += isJsonObject(call) ? callLength(call) : 0
  return length
}

const callLength = ({ function: called, custom }: Record<string, Json>): number =>
  (isJsonObject(called) ? textLength(called.arguments) : 0) + (isJsonObject(custom) ? textLength(custom.input) : 0)

const textLength = (value: Json | undefined): number => (typeof value === 'string' ? value.length : 0)
