/** RFC 9110 §4.2: a host, perhaps with a port. Without a user name, which is an error there. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{0,5})?(?=[/?]|$)/i

/**
 * Path and query of a request target, exactly as sent. RFC 9112 §3.2.2: a server accepts the absolute form,
 * `http://host/path?query`, too. Its scheme and host decide nothing here, nor does the Host header.
 *
 * @returns undefined for a URL of another form
 */
export function pathOf(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target
  const origin = ORIGIN.exec(target)?.[0]
  if (origin === undefined) return undefined
  const path = target.slice(origin.length)
  return path.startsWith('/') ? path : `/${path}`
}
