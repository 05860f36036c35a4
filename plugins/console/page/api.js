/** Calls routes of the gateway with the session's cookie. The header is one that no other site can send. */

export class Refused extends Error {
  constructor(status, error) {
    super(error?.message ?? `The gateway answered ${status}.`)
    this.status = status
    this.param = error?.param
    this.code = error?.code
  }
}

export async function call(method, path, body, headers = {}) {
  const reply = await fetch(path, {
    method,
    headers: { 'x-console': '1', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    credentials: 'same-origin',
    redirect: 'error',
  }).catch(() => {
    throw new Refused(0, { message: 'The gateway cannot be reached.' })
  })
  const json = await reply.json().catch(() => undefined)
  if (!reply.ok && headers['x-service-flags'] === undefined) {
    if (reply.status === 401) window.dispatchEvent(new Event('signed-out'))
    throw new Refused(reply.status, json?.error)
  }
  return json
}

export const get = (path) => call('GET', path)

/** Undefined if the gateway has no such route, because its plugin is not enabled. */
export async function tryGet(path) {
  try {
    return await get(path)
  } catch (error) {
    if (error.status === 404) return undefined
    throw error
  }
}
