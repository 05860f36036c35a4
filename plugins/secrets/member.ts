import type { TextView } from 'governed-gateway'

const CHANNELS: ReadonlySet<string> = new Set(['tool_arguments', 'metadata', 'other', 'tool_result'])
const LAST_MEMBER = /(?:^|[.\]])([A-Za-z_][\w-]{1,40})$/

/**
 * In tool arguments every value is a text of its own, so `{"password": "…"}` shows its label in the path only. A path is
 * meant for reading: when its notation changes, this context is lost and nothing else.
 */
export function memberContext(view: TextView): string {
  if (view.offset !== 0 || view.before !== '' || !CHANNELS.has(view.channel)) return ''
  const member = LAST_MEMBER.exec(view.path)
  return member === null ? '' : `${member[1]}: `
}
