import { defineFact, type Exchange, type RequestMessage } from 'governed-gateway'

/** Size of a request. Characters are UTF-16 units of message texts; images, audio and files count as 0. */
export interface Size {
  readonly messages: number
  readonly characters: number
  /** Characters of the longest message. */
  readonly longest: number
  readonly roles: ReadonlySet<string>
}

const sizeFact = defineFact<Size>('policy/size')

/** Size of the request, computed once for all rules. */
export function sizeOf(x: Exchange): Size {
  const known = x.facts.get(sizeFact)
  if (known !== undefined) return known
  const { messages } = x.request
  const lengths = messages.map(lengthOf)
  const size: Size = {
    messages: messages.length,
    characters: lengths.reduce((sum, length) => sum + length, 0),
    longest: lengths.reduce((longest, length) => Math.max(longest, length), 0),
    roles: new Set(messages.map(({ role }) => role)),
  }
  x.facts.set(sizeFact, size)
  return size
}

/** Includes the arguments of tool calls that a message repeats. */
const lengthOf = ({ texts, callArguments }: RequestMessage): number =>
  [...texts, ...callArguments].reduce((sum, { length }) => sum + length, 0)
