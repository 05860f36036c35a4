/** The last steps of an exchange, which must happen once and in order, whatever fails. */
import { isTapped } from '../contract/hooks.ts'
import type { ChatExchange } from '../exchange/exchange.ts'
import { asGatewayError } from '../relay/endings.ts'

/** Continues exactly once, whatever the taps do. */
export function postResponse(x: ChatExchange, next: () => void): void {
  const { postResponse: hook } = x.chain.hooks
  if (!isTapped(hook as never)) return next()
  let isOpen = true
  const once = () => {
    if (!isOpen) return
    isOpen = false
    next()
  }
  try {
    hook.callAsync(x, once)
  } catch (error) {
    asGatewayError(x, error)
    once()
  }
}

/** Continues synchronously if there is nothing to wait for. */
export function recordEnd(x: ChatExchange, then: (isRecorded: boolean) => void): void {
  const failed = (error: unknown): false => {
    asGatewayError(x, error)
    return false
  }
  let written: Promise<boolean> | undefined
  try {
    written = x.chain.recorder.end(x)
  } catch (error) {
    return then(failed(error))
  }
  if (written === undefined) then(true)
  else void written.catch(failed).then(then)
}
