type HeaderValue = string | string[] | undefined

const essence = (value: HeaderValue): string =>
  typeof value === 'string' ? (value.split(';', 1)[0] as string).trim().toLowerCase() : ''

/** `application/json` and `application/*+json`, with any parameters. */
export function isJson(value: HeaderValue): boolean {
  if (value === 'application/json') return true
  const type = essence(value)
  return type === 'application/json' || (type.startsWith('application/') && type.endsWith('+json'))
}

export const isEventStream = (value: HeaderValue): boolean =>
  value === 'text/event-stream' || essence(value) === 'text/event-stream'
