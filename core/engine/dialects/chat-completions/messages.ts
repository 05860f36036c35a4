import type { Json, RequestMessage } from '../../contract/plugin.ts'
import { isObject } from '../../json/fields.ts'
import type { JsonObject } from '../../json/strict.ts'
import { objects } from '../prompt-reader.ts'

/** The messages of a request body, in their order. */
export const messagesOf = ({ messages }: Readonly<JsonObject>): RequestMessage[] => objects(messages).map(messageOf)

export function messageOf({ role, content, tool_calls: calls }: JsonObject): RequestMessage {
  return {
    role: String(role),
    texts: typeof content === 'string' ? [content] : objects(content).flatMap(({ text }) => textOf(text)),
    callArguments: objects(calls).flatMap(({ function: called, custom }) => [
      ...(isObject(called) ? textOf(called.arguments) : []),
      ...(isObject(custom) ? textOf(custom.input) : []),
    ]),
  }
}

const textOf = (value: Json | undefined): string[] => (typeof value === 'string' ? [value] : [])
