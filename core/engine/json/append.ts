import type { Json } from '../contract/plugin.ts'

/** Appends a member to a JSON object's text. */
export function appendMember(text: string, name: string, value: Json | object): string {
  const close = text.lastIndexOf('}')
  const empty = /^\s*\{\s*$/.test(text.slice(0, close))
  return `${text.slice(0, close)}${empty ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}${text.slice(close)}`
}
