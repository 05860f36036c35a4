import type { TextView } from 'governed-gateway'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result'])
const LABEL = /^[A-Za-z_][\w-]{1,40}$/

/** In tool arguments every value is a text of its own, and the label of `{"password": "…"}` is the member's name. */
export function memberContext(view: TextView): string {
  if (view.offset !== 0 || view.before !== '' || !CHANNELS.has(view.channel)) return ''
  return view.member !== undefined && LABEL.test(view.member) ? `${view.member}: ` : ''
}
