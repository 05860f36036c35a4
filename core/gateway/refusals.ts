import { AuthFailures } from '../engine/access/auth-failures.ts'
import type { ServerContext } from '../engine/http/server.ts'
import type { Runtime } from '../engine/pipeline/runtime.ts'

type Refusals = Pick<ServerContext, 'onAuthFailure' | 'onRejectedBeforeRead'>

/** Makes events of requests that never become an exchange. */
export function tellRefusals(
  context: { -readonly [K in keyof Refusals]: Refusals[K] },
  runtime: Runtime,
): AuthFailures {
  const failures = new AuthFailures(() => runtime.chain.events, runtime.sourceIp)
  context.onAuthFailure = (req, error, keyId) => failures.note(req, error, keyId)
  context.onRejectedBeforeRead = (req, unread, { status, wireCode: code }) => {
    const source_ip = runtime.sourceIp(req)
    runtime.chain.events.emit('request.rejected', { ...unread, source_ip, status, code, action: 'reject' })
  }
  return failures
}
