import type { Script } from '../../core/testing/provider/server.ts'

/** A reply that waits until it is let go. */
export function gated(reply: Script): { script: Script; arrived: Promise<void>; open: () => void } {
  const arrived = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const script: Script = async (exchange) => {
    arrived.resolve()
    await gate.promise
    await reply(exchange)
  }
  return { script, arrived: arrived.promise, open: () => gate.resolve() }
}
